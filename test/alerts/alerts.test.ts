import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bounds, createAccount, createPlan, createProvider, updateAccount } from '../../src/accounts/index.ts';
import {
  Alerts,
  createTarget,
  listDeliveries,
  type QuietHours,
  removeTarget,
  replaceSecret,
  resendDelivery,
  sealedOfTargets,
  testTarget,
  updateTarget,
} from '../../src/alerts/index.ts';
import { createVault, newId, systemClock, type Vault } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { createAddressGuard, createWebhookPost } from '../../src/media/index.ts';
import { reseal, type Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { noBrands, wholeRound } from '../support/alert-rounds.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(storeKinds)('alerts on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let clock: ManualClock;
  let receiver: WebhookReceiver;
  let vault: Vault;
  let logged: object[];
  let mails: { to: string; subject: string; text: string }[];
  let account: string;
  beforeEach(async () => {
    clock = createManualClock();
    database = await createTestDatabase(kind);
    store = await database.open();
    receiver = await startWebhookReceiver();
    vault = createVault(Buffer.alloc(32, 1));
    logged = [];
    mails = [];
    account = (await createAccount(store, { name: 'Acme', plan: 'scale' }, at(clock.now()))).id;
  });
  afterEach(async () => {
    await receiver.close();
    await store.close();
    await database.dispose();
  });

  /** What a server does with them; several stand for several servers. */
  function alerts(): Alerts {
    const guard = createAddressGuard({ allowHosts: [receiver.allowed] });
    return new Alerts({
      store,
      vault,
      clock,
      now: async () => clock.now(),
      webhooks: createWebhookPost({ guard, clock: systemClock }),
      languages: createLanguages(),
      brands: noBrands,
      publicUrl: 'https://gateway.example.com',
      sendMail: async (to, mail) => mails.push({ to, ...mail }) > 0,
      random: () => 0.5,
      measuring: null,
      log: { warn: (fields) => void logged.push(fields), error: (fields) => void logged.push(fields) },
    });
  }
  const webhook = (more: { of?: Parameters<typeof createTarget>[1]['of']; quietHours?: QuietHours } = {}) =>
    createTarget({ store, vault }, { of: 'all', kind: 'webhook', address: receiver.url, ...more }, at(clock.now()));
  /** Has targets notified of what begins or ends now. */
  async function notified(by: Alerts = alerts()): Promise<void> {
    clock.advance(10_000);
    await wholeRound(by);
    clock.advance(20_000);
    await wholeRound(by);
  }
  async function number(fields: { linked?: number; phone_number?: string; account_id?: string } = {}): Promise<string> {
    const id = newId();
    await store.db
      .insertInto('instances')
      .values({
        id,
        account_id: account,
        network: 'sandbox',
        label: 'Shop',
        phone_number: '491710000100',
        linked: 1,
        conflict: 0,
        created_at: 1,
        ...fields,
      })
      .execute();
    return id;
  }
  const change = (id: string, fields: object) => store.db.updateTable('instances').set(fields).where('id', '=', id).execute();

  it('report a number that needs a person, and when it is back, signed', async () => {
    const { secret } = await webhook();
    const id = await number();
    await notified();
    expect(receiver.posts).toEqual([]);
    await change(id, { linked: 0 });
    await notified();
    await change(id, { linked: 1 });
    await notified();
    const about = {
      condition: 'number_needs_person',
      account_id: account,
      account_name: 'Acme',
      instance_id: id,
      label: 'Shop',
      reason: 'unlinked',
    };
    expect(receiver.alerts()).toMatchObject([
      { ...about, phase: 'began' },
      { ...about, phase: 'ended' },
    ]);
    expect(receiver.alerts()[0].alert_id).toBe(receiver.alerts()[1].alert_id);
    for (const { headers, body } of receiver.posts) {
      // The receiver's own clock must agree, which here is the gateway's.
      const { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
      const expected = new Webhook(secret ?? '').sign(String(messageId), new Date(Number(timestamp) * 1000), body);
      expect(signature).toBe(expected);
    }
    expect(new Set(receiver.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('report a thousand numbers at once in one delivery', async () => {
    await webhook();
    for (let n = 0; n < 1000; n++) await number({ linked: 0, phone_number: `4917100${String(n).padStart(5, '0')}` });
    await notified();
    expect(receiver.posts).toHaveLength(1);
    expect(new Set(receiver.alerts().map(({ instance_id }) => instance_id)).size).toBe(1000);
  });

  it('are not sent when the cause has ended before', async () => {
    await webhook();
    const id = await number({ linked: 0 });
    await wholeRound(alerts());
    // This one is to be notified of what lasts.
    clock.advance(1_000);
    await webhook();
    await change(id, { linked: 1 });
    await notified();
    expect(receiver.posts).toEqual([]);
  });

  it('report the end to a target that knows of the beginning, although that was to be reported once more', async () => {
    const { target } = await webhook();
    const id = await number({ linked: 0 });
    await notified();
    const wants = (conditions: Parameters<typeof updateTarget>[2]['conditions']) =>
      updateTarget(store, target.id, { conditions }, at(clock.now()));
    await wants(['access_ending']);
    await wants(['access_ending', 'number_needs_person']);
    await change(id, { linked: 1 });
    await notified();
    expect(receiver.alerts().map(({ phase }) => phase)).toEqual(['began', 'ended']);
  });

  it('report restrictions with their end, of trials and of accesses', async () => {
    await webhook();
    const until = clock.now() + hourMs;
    const id = await number();
    await change(id, { restriction_reason: 'new_chats_capped', restriction_until: until });
    await createAccount(store, { name: 'Ends', plan: 'scale', planEndsAt: clock.now() + 6 * 24 * hourMs }, at(clock.now()));
    // Without a plan an access ends all the same.
    await createAccount(store, { name: 'Planless', accessEndsAt: clock.now() + 6 * 24 * hourMs }, at(clock.now()));
    const trial = await createAccount(store, { name: 'Trial', plan: 'trial' }, at(clock.now()));
    await notified();
    const { trial_message_limit: limit } = await store.db
      .selectFrom('plans')
      .select('trial_message_limit')
      .where('name', '=', 'trial')
      .executeTakeFirstOrThrow();
    await store.db
      .updateTable('accounts')
      .set({ trial_used: Math.ceil(((limit ?? 0) * 4) / 5) })
      .where('id', '=', trial.id)
      .execute();
    await notified();
    clock.advance(2 * hourMs);
    await notified();
    const [, , , ...later] = receiver.alerts();
    const facts = ({ condition, phase, account_name, until: end }: (typeof later)[number]) => [condition, phase, account_name, end];
    // These began at the same time.
    expect(receiver.alerts().slice(0, 3).map(facts).sort()).toEqual([
      ['access_ending', 'began', 'Ends', expect.any(String)],
      ['access_ending', 'began', 'Planless', expect.any(String)],
      ['number_restricted', 'began', 'Acme', new Date(until).toISOString()],
    ]);
    expect(later.map(facts)).toEqual([
      ['trial_nearly_used', 'began', 'Trial', null],
      ['number_restricted', 'ended', 'Acme', new Date(until).toISOString()],
    ]);
  });

  it('tell the reason and the end that hold now of what has lasted for a while', async () => {
    await webhook();
    const id = await number();
    const ends = [clock.now() + hourMs, clock.now() + 3 * hourMs];
    await change(id, { restriction_reason: 'new_chats_capped', restriction_until: ends[0] });
    await notified();
    await change(id, { restriction_until: ends[1] });
    await notified();
    clock.advance(4 * hourMs);
    await notified();
    await change(id, { restriction_reason: 'version_refused', restriction_until: null });
    await notified();
    await change(id, { linked: 0 });
    await notified();
    await change(id, { linked: 1, restriction_reason: null });
    await notified();
    expect(receiver.alerts().map(({ phase, reason, until }) => [phase, reason, until])).toEqual([
      ['began', 'new_chats_capped', new Date(ends[0] ?? 0).toISOString()],
      ['ended', 'new_chats_capped', new Date(ends[1] ?? 0).toISOString()],
      ['began', 'version_refused', null],
      ['ended', 'unlinked', null],
    ]);
  });

  it('report the largest trial there may be when four fifths of it are used', async () => {
    await webhook();
    const limit = bounds.trialMessages.max;
    await createPlan(store, { name: 'Vast', messagesPerMinute: 60, instanceLimit: 1, trialMessages: limit }, at(clock.now()));
    const { id } = await createAccount(store, { name: 'Large', plan: 'Vast' }, at(clock.now()));
    const use = (trial_used: number) => store.db.updateTable('accounts').set({ trial_used }).where('id', '=', id).execute();
    await use(limit * 0.8 - 1);
    await notified();
    expect(receiver.posts).toEqual([]);
    await use(limit * 0.8);
    await notified();
    expect(receiver.alerts()).toMatchObject([{ condition: 'trial_nearly_used', phase: 'began', account_name: 'Large' }]);
  });

  it('go to the targets of the account, of its provider and of everything, and to no others', async () => {
    const provider = await createProvider(store, { name: 'Reseller' }, at(clock.now()));
    const theirs = await createAccount(store, { name: 'Theirs', plan: 'scale', providerId: provider.id }, at(clock.now()));
    const targets = {
      all: await webhook(),
      ofAccount: await webhook({ of: { accountId: theirs.id } }),
      ofProvider: await webhook({ of: { providerId: provider.id } }),
      ofOther: await webhook({ of: { accountId: account } }),
    };
    await number({ linked: 0, account_id: theirs.id });
    await notified();
    const sent = async (name: keyof typeof targets) => (await listDeliveries(store, targets[name].target.id)).length;
    expect([await sent('all'), await sent('ofAccount'), await sent('ofProvider'), await sent('ofOther')]).toEqual([1, 1, 1, 0]);
  });

  it('of an account that moved go to its new provider, and no more to its former one [alerts.moved]', async () => {
    const [former, next] = [await createProvider(store, { name: 'Former' }, at(0)), await createProvider(store, { name: 'Next' }, at(0))];
    const moving = await createAccount(store, { name: 'Moving', plan: 'scale', providerId: former.id }, at(0));
    const theirs = (await webhook({ of: { providerId: former.id } })).target;
    const ours = (await webhook({ of: { providerId: next.id } })).target;
    const own = (await webhook({ of: { accountId: moving.id } })).target;
    const move = (providerId: string) => updateAccount(store, moving.id, { name: `At ${providerId}`, providerId }, at(clock.now()));
    const sent = async ({ id }: { id: string }) =>
      (await listDeliveries(store, id))
        .flatMap(({ body }) => JSON.parse(body).data.alerts.map((one: { phase: string }) => one.phase))
        .reverse();

    // The new provider is notified of what lasts, and of its end as well.
    const lasting = await number({ linked: 0, account_id: moving.id });
    await notified();
    await move(next.id);
    await notified();
    await change(lasting, { linked: 1 });
    await notified();
    expect([await sent(theirs), await sent(ours), await sent(own)]).toEqual([['began'], ['began', 'ended'], ['began', 'ended']]);

    // What waits, in quiet hours or for a receiver that is away, goes to those whom it concerns then.
    await move(former.id);
    receiver.status = 503;
    await number({ linked: 0, account_id: moving.id, phone_number: '491710000777' });
    await notified();
    expect(await sent(theirs)).toEqual(['began', 'began']);
    await move(next.id);
    receiver.status = 204;
    const before = receiver.posts.length;
    clock.advance(minuteMs);
    for (let n = 0; n < 3; n++) await notified();
    expect([await sent(theirs), await sent(ours), await sent(own)]).toEqual([
      ['began'],
      ['began', 'ended', 'began'],
      ['began', 'ended', 'began'],
    ]);
    expect(receiver.posts.slice(before)).toHaveLength(2);
    expect(JSON.stringify(await listDeliveries(store, theirs.id))).not.toContain('491710000777');
  });

  it('that a target does not want any more are not sent, those that wait included [alerts.scope]', async () => {
    const { target } = await webhook();
    receiver.status = 503;
    await number({ linked: 0 });
    await notified();
    await updateTarget(store, target.id, { conditions: ['access_ending'] }, at(clock.now()));
    receiver.status = 204;
    clock.advance(minuteMs);
    await notified();
    expect(receiver.alerts()).toEqual([]);
    expect(await listDeliveries(store, target.id)).toEqual([]);
  });

  it('are sent to a new target as far as they last', async () => {
    await webhook();
    await number({ linked: 0 });
    await notified();
    const { target } = await webhook();
    await notified();
    expect((await listDeliveries(store, target.id)).map(({ state }) => state)).toEqual(['delivered']);
  });

  it('are tried again for a day, in order, and then given up', async () => {
    const { target } = await webhook();
    const id = await number({ linked: 0 });
    receiver.status = 503;
    await notified();
    await change(id, { linked: 1 });
    await notified();
    receiver.status = null;
    clock.advance(minuteMs);
    await wholeRound(alerts());
    expect((await listDeliveries(store, target.id)).map(({ state, attempts }) => [state, attempts > 0])).toEqual([
      ['waiting', false],
      ['waiting', true],
    ]);
    receiver.status = 200;
    clock.advance(3 * hourMs);
    await wholeRound(alerts());
    expect(receiver.alerts().map(({ phase }) => phase)).toEqual(['began', 'ended']);

    receiver.status = 500;
    await change(id, { linked: 0 });
    await notified();
    for (let hour = 0; hour < 25; hour++) {
      clock.advance(hourMs);
      await wholeRound(alerts());
    }
    const [last] = await listDeliveries(store, target.id);
    expect(last).toMatchObject({ state: 'given_up', outcome: 'answered 500', next_at: null });
    expect(last?.attempts).toBeGreaterThan(10);
    expect(logged).toHaveLength(1);
    receiver.status = 200;
    await resendDelivery(store, last?.id ?? '', clock.now());
    await wholeRound(alerts());
    expect((await listDeliveries(store, target.id))[0]).toMatchObject({ state: 'delivered', outcome: 'answered 200' });
  });

  it('that are sent again wait for those that are being tried', async () => {
    const { target } = await webhook();
    const test = async () => {
      const id = await testTarget(store, target.id, clock.now());
      await wholeRound(alerts());
      return id;
    };
    const first = await test();
    receiver.status = 503;
    const second = await test();
    await resendDelivery(store, first, clock.now());
    receiver.status = 204;
    await wholeRound(alerts());
    clock.advance(minuteMs);
    for (let n = 0; n < 2; n++) await wholeRound(alerts());
    expect(receiver.posts.map(({ headers }) => headers['webhook-id'])).toEqual([first, second, second, first]);
    expect((await listDeliveries(store, target.id)).map(({ id }) => id)).toEqual([first, second]);
  });

  it('are not sent again, and stay in the log, when nothing of them concerns the target any more', async () => {
    const { target } = await webhook();
    await number({ linked: 0 });
    await notified();
    await updateTarget(store, target.id, { conditions: ['access_ending'] }, at(clock.now()));
    const log = await listDeliveries(store, target.id);
    await expect(resendDelivery(store, log[0]?.id ?? '', clock.now())).rejects.toThrow('nothing of it concerns its target any more');
    await wholeRound(alerts());
    expect(await listDeliveries(store, target.id)).toEqual(log);
  });

  it('are given up at once by a receiver that says it is gone', async () => {
    const { target } = await webhook();
    receiver.status = 410;
    await testTarget(store, target.id, clock.now());
    await wholeRound(alerts());
    expect((await listDeliveries(store, target.id))[0]).toMatchObject({ state: 'given_up', attempts: 1 });
  });

  it('are sent by one of several servers', async () => {
    const { target } = await webhook();
    for (let n = 0; n < 20; n++) await number({ linked: 0 });
    const servers = [alerts(), alerts(), alerts()];
    await Promise.all(servers.map((server) => wholeRound(server)));
    clock.advance(20_000);
    await Promise.all(servers.map((server) => wholeRound(server)));
    expect(receiver.posts).toHaveLength(1);
    expect(receiver.alerts()).toHaveLength(20);
    expect(await listDeliveries(store, target.id)).toHaveLength(1);
  });

  it('wait for the end of quiet hours, and report then what lasts', async () => {
    // It is midnight.
    await webhook({ quietHours: { from: 22 * 60, to: 7 * 60, timeZone: 'UTC' } });
    const [gone] = [await number({ linked: 0 }), await number({ linked: 0, phone_number: '491710000101' })];
    await notified();
    await change(gone, { linked: 1 });
    await notified();
    expect(receiver.posts).toEqual([]);
    clock.advance(7 * hourMs);
    await notified();
    expect(receiver.alerts()).toMatchObject([{ phone_number: '491710000101', phase: 'began' }]);
  });

  it('go by mail as sentences', async () => {
    await createTarget({ store, vault }, { of: 'all', kind: 'mail', address: 'ops@example.com' }, at(clock.now()));
    await number({ linked: 0 });
    await notified();
    expect(mails).toMatchObject([
      { to: 'ops@example.com', subject: 'Number +491710000100 ("Shop") of "Acme" is not linked any more and needs a person' },
    ]);
  });

  it('never go to an internal address', async () => {
    const { target } = await createTarget(
      { store, vault },
      { of: 'all', kind: 'webhook', address: 'http://127.0.0.1:1/' },
      at(clock.now()),
    );
    await testTarget(store, target.id, clock.now());
    await wholeRound(alerts());
    const [delivery] = await listDeliveries(store, target.id);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(delivery?.outcome).toContain('private, internal or reserved address');
  });

  it('are signed with the old secret too for a day after it was replaced', async () => {
    const { target } = await webhook();
    await replaceSecret({ store, vault }, target.id, at(clock.now()));
    const signatures = async () => {
      await testTarget(store, target.id, clock.now());
      await wholeRound(alerts());
      return String(receiver.posts.at(-1)?.headers['webhook-signature']).split(' ').length;
    };
    expect(await signatures()).toBe(2);
    clock.advance(25 * hourMs);
    expect(await signatures()).toBe(1);
  });

  it('are signed with the secret that the receiver has, although it was replaced twice because the first answer was lost', async () => {
    const { target, secret } = await webhook();
    const signed = async () => {
      await testTarget(store, target.id, clock.now());
      await wholeRound(alerts());
      const { headers, body } = receiver.posts.at(-1) ?? { headers: {}, body: '' };
      const expected = new Webhook(secret ?? '').sign(
        String(headers['webhook-id']),
        new Date(Number(headers['webhook-timestamp']) * 1000),
        body,
      );
      const signatures = String(headers['webhook-signature']).split(' ');
      return [signatures.length, signatures.includes(expected)];
    };
    const replace = () => replaceSecret({ store, vault }, target.id, at(clock.now()));
    await replace();
    clock.advance(minuteMs);
    await replace();
    expect(await signed()).toEqual([3, true]);
    clock.advance(25 * hourMs);
    expect(await signed()).toEqual([1, false]);
    for (let n = 0; n < 20; n++) await replace();
    expect(await signed()).toEqual([10, false]);
  });

  it('have secrets that are sealed, and sealed anew with another key', async () => {
    const { target, secret } = await webhook();
    const sealed = async () => {
      const row = await store.db.selectFrom('alert_targets').select('secret').where('id', '=', target.id).executeTakeFirstOrThrow();
      return row.secret ?? Buffer.alloc(0);
    };
    expect((await sealed()).includes(secret ?? '')).toBe(false);
    const root = Buffer.alloc(32, 1);
    vault = createVault({
      root,
      sealing: new Map([
        [1, root],
        [2, Buffer.alloc(32, 2)],
      ]),
      current: 2,
    });
    expect(await reseal(store, vault, sealedOfTargets)).toEqual({ resealed: 1, unreadable: 0 });
    expect((await sealed())[0]).toBe(2);
    await testTarget(store, target.id, clock.now());
    await wholeRound(alerts());
    expect(receiver.posts).toHaveLength(1);
  });

  it('have secrets that a server opens and replaces which has not read the newest key yet', async () => {
    const { target } = await webhook();
    const root = Buffer.alloc(32, 1);
    const sealing = new Map([1, 2].map((number) => [number, number === 1 ? root : Buffer.alloc(32, number)] as const));
    const keys = { root, sealing, current: 2 };
    await reseal(store, createVault(keys), sealedOfTargets);
    const behind = () => createVault(root, async () => keys);
    await replaceSecret({ store, vault: behind() }, target.id, at(clock.now()));
    vault = behind();
    await testTarget(store, target.id, clock.now());
    await wholeRound(alerts());
    expect(String(receiver.posts.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  it('are forgotten with their target', async () => {
    const { target } = await webhook();
    receiver.status = 500;
    await number({ linked: 0 });
    await notified();
    await removeTarget(store, target.id, at(clock.now()));
    clock.advance(hourMs);
    await wholeRound(alerts());
    expect(receiver.posts).toHaveLength(1);
    for (const table of ['alert_targets', 'alert_notices', 'alert_deliveries'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});
