import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { Alerts, createTarget, testTarget } from '../../src/alerts/index.ts';
import { createVault, newId } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import type { WebhookPost } from '../../src/media/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { noBrands } from '../support/alert-rounds.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestStore } from '../support/stores.ts';

/** So long a hostile receiver takes for its answer, just within what it may. */
const hostileMs = 19_000;
const targetsEach = 20;

it('customers whose webhooks are slow delay nobody else’s [alerts.lanes]', async () => {
  const alone = await lateness(0);
  const besideSix = await lateness(6);
  expect(besideSix.event / alone.event).toBeLessThan(1.1);
  expect(besideSix.person / alone.person).toBeLessThan(1.1);
});

/** After how long an honest customer is received of an event, and of a number that needs a person, beside this many hostile ones. */
async function lateness(hostile: number): Promise<{ event: number; person: number }> {
  const store = await openTestStore('sqlite');
  const clock = createManualClock();
  const vault = createVault(Buffer.alloc(32, 1));
  const received: { readonly type: string; readonly at: number }[] = [];
  const webhooks: WebhookPost = {
    async post(url, body) {
      if (url.includes('hostile')) await new Promise<void>((resolve) => void clock.after(hostileMs, resolve));
      else received.push({ type: JSON.parse(body).type, at: clock.now() });
      return 200;
    },
  };
  const log = { warn: () => undefined, error: (fields: object) => expect(fields).toBeNull() };
  const alerts = new Alerts({
    ...{ store, vault, clock, webhooks, log },
    languages: createLanguages(),
    brands: noBrands,
    publicUrl: null,
    sendMail: null,
    random: () => 0.5,
    measuring: null,
  });
  const account = async (name: string) => (await createAccount(store, { name, plan: 'scale' }, at(clock.now()))).id;
  const target = async (accountId: string, address: string) =>
    (await createTarget({ store, vault }, { of: { accountId }, kind: 'webhook', address }, at(clock.now()))).target.id;
  /** Turns the clock by a second, and lets what is due then be done. */
  const second = async () => {
    await clock.advanceAsync(1_000);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
  };
  try {
    const slow: string[] = [];
    for (let n = 0; n < hostile; n++) {
      const id = await account(`Hostile ${n}`);
      for (let m = 0; m < targetsEach; m++) slow.push(await target(id, `https://hostile${n}.example.com/${m}`));
    }
    const honest = await account('Honest');
    const own = await target(honest, 'https://honest.example.com/');
    alerts.start();
    // Everything that is slow has much to be sent, and is being sent something.
    for (const id of slow) for (let n = 0; n < 5; n++) await testTarget(store, id, clock.now());
    for (let n = 0; n < 7; n++) await second();

    const began = clock.now();
    await testTarget(store, own, clock.now());
    await unlinkedNumber(store, honest);
    for (let n = 0; n < 300 && received.length < 2; n++) await second();
    const after = (type: string) => (received.find((one) => one.type === type)?.at ?? Number.NaN) - began;
    return { event: after('test'), person: after('alerts') };
  } finally {
    const stopped = alerts.stop();
    clock.advance(hostileMs);
    await stopped;
    await store.dispose();
  }
}

async function unlinkedNumber(store: Store, account_id: string): Promise<void> {
  const linked = { linked: 0, conflict: 0, phone_number: '491710000300' };
  await store.db
    .insertInto('instances')
    .values({ id: newId(), account_id, network: 'sandbox', label: null, created_at: 0, ...linked })
    .execute();
}
