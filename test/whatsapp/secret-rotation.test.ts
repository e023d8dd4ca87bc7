import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { openTerminal, type Terminal } from '../cli/world.ts';
import { createManualClock, hurriedBy } from '../support/manual-clock.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const keyClock = createManualClock();
const [first, second] = ['11', '22'].map((byte) => byte.repeat(32)) as [string, string];

let world: WhatsAppWorld;
let terminal: Terminal;
beforeAll(async () => {
  world = await startWhatsAppWorld({ store: 'sqlite', env: { SECRET_KEY: first }, keyClock });
  terminal = await openTerminal();
});
afterAll(async () => {
  await terminal?.dispose();
  await world?.close();
});

it('a WhatsApp number stays linked while SECRET_KEY is replaced under load, and after restarts with either key', async () => {
  const { gateway, customer } = world;
  const number = await world.linkedNumber(world.somebody().number);
  const recipients = Array.from({ length: 3 }, () => world.somebody().number);
  let rotated = false;
  const statuses: number[] = [];
  const begun = Promise.withResolvers<void>();
  const load = Promise.all(
    recipients.map(async (to) => {
      for (let text = 0; !rotated || statuses.length <= 20; text++) {
        statuses.push((await world.text(number, to, `text ${text}`, { 'idempotency-key': `${to}-${text}` })).status);
        begun.resolve();
      }
    }),
  );
  // The server looks for the new key while the command waits.
  const command = (SECRET_KEY: string, ...words: string[]) =>
    terminal.runIn(
      { env: { DATA_DIR: gateway.dataDir, SECRET_KEY, NEW_SECRET_KEY: second }, openStore, clock: hurriedBy(keyClock) },
      'secret',
      'rotate',
      ...words,
    );
  await Promise.race([begun.promise, load]);
  const outcome = await command(first);
  rotated = true;
  await load;
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const [to = ''] = recipients;
  const sends = async (text: string) => {
    await customer.reaches(number, 'open');
    expect((await world.text(number, to, text)).status).toBe(200);
    const again = await world.text(number, to, 'text 0', { 'idempotency-key': `${to}-0` });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  };
  await gateway.restart({ env: { SECRET_KEY: first } });
  await sends('with the old key');
  await gateway.restart({ env: { SECRET_KEY: second } });
  await sends('with the new key');
  expect(await command(second, '--finish')).toMatchObject({ exitCode: 0, stderr: '' });
  await gateway.restart({ env: { SECRET_KEY: second } });
  await sends('after the end of the old key');
});
