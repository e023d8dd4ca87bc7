import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { startPrometheus, type TestPrometheus } from '../support/prometheus.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

// Every query of deploy/ is run by Prometheus against a gateway that does all that it measures.

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const deploy = join(import.meta.dirname, '../../deploy');
const rules = join(deploy, 'prometheus/alerts.yaml');
const dashboard: Dashboard = JSON.parse(readFileSync(join(deploy, 'grafana/messaging-gateway.json'), 'utf8'));
const token = 'a-token-of-the-monitor';

let redis: TestRedis;
let gateway: TestGateway;
let prometheus: TestPrometheus;
let load: ReturnType<typeof keepBusy> | null = null;
beforeAll(async () => {
  redis = await startRedis();
  gateway = await startGateway('postgres', {
    env: { REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32), METRICS_TOKEN: token, NETWORKS: 'sandbox,whatsapp' },
  });
  const customer = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 60 }) });
  prometheus = await startPrometheus({ target: new URL(gateway.address).host, token, job: 'messaging-gateway', rules });
  // Prometheus starts in this process, which may hold it up until its lease is over; creating a number is refused then, with nothing done.
  load = keepBusy(customer, await waitFor(() => customer.linked()));
});
afterAll(async () => {
  await load?.stop();
  await prometheus.stop();
  await gateway.stop();
  await redis.dispose();
});

it('every panel of the dashboard finds something, with every label that it shows', async () => {
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
  expect(queries.length).toBeGreaterThan(30);
  const wanting = async () => {
    const found = await Promise.all(
      queries.map(async ({ title, expr, legendFormat }) => {
        const series = await prometheus.query(inRange(expr));
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
        const complete = series.some(({ metric, value }) => shown.every((label) => metric[label] !== undefined) && value[1] !== 'NaN');
        return complete ? [] : [`${title}: ${expr}`];
      }),
    );
    return found.flat();
  };
  await waitFor(async () => expect(await wanting()).toEqual([]));
});

it('every alert rule is evaluated, and what it looks at is there', async () => {
  await waitFor(async () => {
    const read = await prometheus.rules();
    expect(read.length).toBeGreaterThan(10);
    expect(read.filter(({ health }) => health !== 'ok')).toEqual([]);
  });
  for (const { name, query } of await prometheus.rules()) {
    const selectors = [...query.matchAll(/\b((?:gateway|nodejs|process)_\w+|up)(?:\{([^}]*)\})?/g)];
    expect([name, selectors.length > 0]).toEqual([name, true]);
    for (const [, metric = '', matchers = ''] of selectors) {
      // An alert looks for values that a healthy gateway does not have, in labels that it must have.
      const matched = [...matchers.matchAll(/(\w+)\s*=/g)].map(([, label = '']) => label);
      const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
      const missing = async () => {
        const labels = new Set((await prometheus.query(metric)).flatMap((series) => Object.keys(series.metric)));
        return [...matched, ...grouped].filter((label) => !labels.has(label));
      };
      // A node that was halted for longer than its lease has no numbers for a moment.
      await waitFor(async () => expect([name, metric, await missing()]).toEqual([name, metric, []]));
    }
  }
});

it('the alert about internal errors sees the first one', async () => {
  const query = (await prometheus.rules()).find(({ name }) => name === 'GatewayInternalErrors')?.query ?? '';
  // Another code stands for the one that a gateway without mistakes never answers.
  const alert = query.replaceAll('internal_error', 'not_found');
  expect(await prometheus.query(alert)).toEqual([]);
  await gateway.call('GET', '/no/such/path');
  const [counted] = await waitFor(async () => {
    const found = await prometheus.query(alert);
    expect(found).toHaveLength(1);
    return found;
  });
  expect([counted?.metric, counted?.value[1]]).toEqual([{ route: 'none' }, '1']);
});

it('every metric of the gateway is in docs/metrics.md', async () => {
  const { body } = await gateway.call('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  const names = [...String(body).matchAll(/^# TYPE (gateway_\w+) /gm)].map(([, name = '']) => name);
  const told = readFileSync(join(deploy, '../docs/metrics.md'), 'utf8');
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});

/** As Grafana would write it. */
function inRange(query: string): string {
  return query.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
}

/** Asks for all that is counted, over and over, until it is stopped. */
function keepBusy(customer: Customer, instance_id: string) {
  let going = true;
  const work = (async () => {
    for (let round = 0; going; round++) {
      const phone = `49155${String(round % 1000).padStart(5, '0')}`;
      for (const to of ['15550123', '15550000', '15550001'])
        await customer.send('text', { instance_id, to, text: 'Hello' }, { 'idempotency-key': `order-${Math.floor(round / 2)}-${to}` });
      // A number comes and goes about once in two seconds: requests about numbers are limited to 120 a minute.
      await sleep(20);
      if (round % 60 === 0) {
        const id = await customer.linked(phone);
        await customer.call('POST', '/sandbox/unlink', { phone_number: phone });
        await customer.call('DELETE', `/v1/instances/${id}`);
      }
    }
  })();
  return {
    stop(): Promise<void> {
      going = false;
      return work;
    },
  };
}
