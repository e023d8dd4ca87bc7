import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { updateAlerts } from '../../src/alerts/conditions/update-alerts.ts';
import { gatherNotices } from '../../src/alerts/gather.ts';
import { Alerts, createTarget, listDeliveries, Measuring, testTarget } from '../../src/alerts/index.ts';
import { type Clock, createVault, newId, systemClock } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { type Store, sharedNow } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { noBrands, wholeRound } from '../support/alert-rounds.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const apartMs = 150_000;
const vault = createVault(Buffer.alloc(32, 1));

describe.each(storeKinds)('alerts of servers whose clocks are 150 seconds apart, on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let bodies: string[];
  beforeEach(async () => {
    store = await openTestStore(kind);
    bodies = [];
  });
  afterEach(async () => {
    await store.dispose();
  });

  const shifted = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });
  /** A server whose clock is wrong by so much. Its ids are made by the clock of this process. */
  function server(name: string, offsetMs: number, now?: () => Promise<number>): Alerts {
    const log = { warn: () => undefined, error: (fields: object) => expect(fields).toBeNull() };
    const post = async (_: string, body: string) => {
      bodies.push(body);
      return 200;
    };
    return new Alerts({
      ...{ store, vault, log, now, webhooks: { post } },
      clock: shifted(offsetMs),
      languages: createLanguages(),
      brands: noBrands,
      publicUrl: null,
      sendMail: null,
      random: () => 0.5,
      measuring: new Measuring({ store, server: name, watches: [], log }),
    });
  }
  const target = async () =>
    (await createTarget({ store, vault }, { of: 'all', kind: 'webhook', address: 'https://example.com/' }, at(Date.now()))).target.id;

  it('are sent in the order in which they began and ended [alerts.order]', async () => {
    const id = await target();
    const account = (await createAccount(store, { name: 'Acme', plan: 'scale' }, at(0))).id;
    const number = await unlinkedNumber(account);
    let now = Date.now();
    const one = server('one', 0, async () => now);
    for (const [linked, first] of [
      [0, 3],
      [1, 2],
      [0, 1],
    ] as const) {
      await store.db.updateTable('instances').set({ linked }).where('id', '=', number).execute();
      now += 60_000;
      await updateAlerts(store, now, 0);
      await gatherNotices(store, now + 20_000, createLanguages()('en').t);
      // As servers make them whose clocks are ahead, right and behind: each has a smaller id than the one before it.
      const newest = store.db.selectFrom('alert_deliveries').select('id').where('id', 'not like', '_0000000-%');
      await store.db
        .updateTable('alert_deliveries')
        .set({ id: `${first}0000000-0000-7000-8000-000000000000` })
        .where('id', 'in', newest)
        .execute();
    }
    for (let n = 0; n < 3; n++) await wholeRound(one);
    const phases = bodies.flatMap((body) => JSON.parse(body).data.alerts.map(({ phase }: { phase: string }) => phase));
    expect(phases).toEqual(['began', 'ended', 'began']);
    // The log is in the same order, newest first.
    expect((await listDeliveries(store, id)).map(({ body }) => body)).toEqual([...bodies].reverse());
    const [, second] = await listDeliveries(store, id);
    expect((await listDeliveries(store, id, second?.id)).map(({ body }) => body)).toEqual(bodies.slice(0, 1));
  });

  it('are sent at once, whoever asks for it', async () => {
    const id = await target();
    await testTarget(store, id, Date.now() + apartMs);
    await wholeRound(server('one', 0));
    expect(bodies).toHaveLength(1);
  });

  async function unlinkedNumber(account_id: string): Promise<string> {
    const id = newId();
    const linked = { linked: 0, conflict: 0, phone_number: '491710000300' };
    await store.db
      .insertInto('instances')
      .values({ id, account_id, network: 'sandbox', label: null, created_at: 0, ...linked })
      .execute();
    return id;
  }

  // The embedded store has one server.
  if (kind === 'postgres') {
    it('miss no server that is there [alerts.clock]', async () => {
      await target();
      const servers = [server('right', 0), server('ahead', apartMs), server('behind', -apartMs)];
      for (const one of servers) await wholeRound(one);
      for (const one of servers) {
        await store.db.deleteFrom('meta').where('name', '=', 'alerts_looked_at').execute();
        await wholeRound(one);
      }
      expect(await store.db.selectFrom('alerts').selectAll().execute()).toEqual([]);
      // Nor does the next one wait until a clock is where another one was.
      const now = await sharedNow(store, systemClock);
      expect(Math.abs(now - Date.now())).toBeLessThan(30_000);
    });
  }
});
