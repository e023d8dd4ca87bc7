import { startApp } from '../src/app/start.ts';
import { readConfig } from '../src/config/index.ts';
import { systemClock, utcDay } from '../src/core/index.ts';
import type { TestGateway } from '../test/support/gateway.ts';
import { expectOk, operator } from '../test/support/portal.ts';
import { ToldSecrets } from '../test/support/told-secrets.ts';
import { line, median } from './table.ts';

// What the usage of all accounts costs in the database that the settings name, once bench/portal-fill.ts has filled it with --usage-days 400.
// It starts a gateway on it, whose numbers do not connect.

const tries = 8;
const dayMs = 24 * 60 * 60 * 1000;
const now = Date.now();
const ago = (days: number) => utcDay(now - days * dayMs);
/** The sixteenth of the month so many months ago: half of that month is to be read. */
const middleOf = (months: number) => {
  const today = new Date(now);
  return utcDay(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 16));
};
const periods: readonly (readonly [string, string, string])[] = [
  ['the running month', `${ago(0).slice(0, 7)}-01`, ago(0)],
  ['366 days', ago(365), ago(0)],
  ['from the middle of a month to the middle of another', middleOf(11), middleOf(1)],
];

const app = await startApp(readConfig({ ...process.env, PORT: '0', LOG_LEVEL: 'error' }), { networks: () => [] });
try {
  const boss = await operator({ app, address: app.address, secrets: new ToldSecrets(), clock: systemClock } as unknown as TestGateway);
  line('usage of all accounts', 'CPU, ms', 'on the clock, ms', 'longest');
  line('---', '--:', '--:', '--:');
  for (const [name, from, to] of periods) {
    const cpu: number[] = [];
    const clock: number[] = [];
    for (let round = 0; round < tries; round++) {
      const used = process.cpuUsage();
      const asked = performance.now();
      expectOk(await boss.call('GET', `/portal/api/operator/usage?from=${from}&to=${to}&order=sends&descending=true`));
      clock.push(performance.now() - asked);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
    }
    line(name, median(cpu).toFixed(0), median(clock).toFixed(0), Math.max(...clock).toFixed(0));
  }
} finally {
  await app.stop();
}
