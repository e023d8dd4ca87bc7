import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import {
  Alerts,
  clientVersionWatch,
  createTarget,
  diskWatch,
  ErrorRate,
  MailWatch,
  Measuring,
  pendingWritesWatch,
  removeTarget,
} from '../../src/alerts/index.ts';
import { createVault, OperatorError, systemClock } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { createAddressGuard, createWebhookPost, type WebhookPost } from '../../src/media/index.ts';
import { createClientVersions, type Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { noBrands, wholeRound } from '../support/alert-rounds.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const mib = 1024 * 1024;
const minuteMs = 60_000;

interface ServerOptions {
  readonly version?: number | null;
  readonly webhooks?: WebhookPost;
}

describe.each(storeKinds)('what servers measure of themselves, on %s', (kind) => {
  let clock: ManualClock;
  let database: TestDatabase;
  let store: Store;
  let receiver: WebhookReceiver;
  let freeMib: number;
  let mailsTaken: boolean;
  beforeEach(async () => {
    clock = createManualClock();
    database = await createTestDatabase(kind);
    store = await database.open();
    receiver = await startWebhookReceiver();
    freeMib = 5000;
    mailsTaken = true;
  });
  afterEach(async () => {
    await receiver.close();
    await store.close();
    await database.dispose();
  });

  const vault = createVault(Buffer.alloc(32, 1));
  const target = (more: Partial<Parameters<typeof createTarget>[1]> = {}) =>
    createTarget({ store, vault }, { of: 'all', kind: 'webhook', address: receiver.url, ...more }, at(clock.now()));

  const guard = () => createAddressGuard({ allowHosts: [receiver.allowed] });
  /** A server of this name with everything that it measures. `version`: the one that its settings fix. */
  function server(
    name: string,
    { version = null, webhooks = createWebhookPost({ guard: guard(), clock: systemClock }) }: ServerOptions = {},
  ) {
    const errorRate = new ErrorRate(0.1);
    const mail = new MailWatch(() => clock.now());
    const log = { warn: () => undefined, error: () => undefined };
    const alerts = new Alerts({
      store,
      vault,
      clock,
      now: async () => clock.now(),
      webhooks,
      languages: createLanguages(),
      brands: noBrands,
      publicUrl: 'https://gateway.example.com',
      async sendMail() {
        mail.tried(mailsTaken);
        return mailsTaken;
      },
      random: () => 0.5,
      log,
      measuring: new Measuring({
        store,
        server: name,
        log,
        watches: [
          diskWatch('/data', async () => freeMib * mib),
          pendingWritesWatch(store.db),
          clientVersionWatch(store.db, version),
          errorRate,
          mail,
        ],
      }),
    });
    const answer = (count: number, status: number) => {
      for (let n = 0; n < count; n++) errorRate.answered({ record: { at: clock.now(), message_type: 'text', status } });
    };
    return { alerts, answer };
  }
  type Server = ReturnType<typeof server>;
  /** Has targets notified of what is measured now. */
  async function notified(...servers: readonly Server[]): Promise<void> {
    for (const step of [30_000, 20_000]) {
      clock.advance(step);
      for (const { alerts } of servers) await wholeRound(alerts);
    }
  }
  const facts = () => receiver.alerts().map(({ condition, phase, server: of }) => [condition, phase, of]);

  it('a disk that is nearly full is reported once for each server, and its end when there is clearly room again', async () => {
    await target();
    const [one, two] = [server('one'), server('two')];
    await notified(one, two);
    expect(facts()).toEqual([]);
    freeMib = 900;
    await notified(one, two);
    // A little more is no end, and a little less no new beginning.
    for (freeMib of [1100, 900, 1200]) await notified(one, two);
    const began = [
      ['disk_nearly_full', 'began', 'one'],
      ['disk_nearly_full', 'began', 'two'],
    ];
    expect(facts().sort()).toEqual(began);
    expect(receiver.alerts()[0]).toMatchObject({ account_id: null, instance_id: null, reason: '900 MiB are free in /data' });
    freeMib = 1400;
    await notified(one, two);
    expect(facts().slice(2).sort()).toEqual(began.map(([condition, , of]) => [condition, 'ended', of]));
  });

  it('nobody but those who run the installation is notified', async () => {
    const account = await createAccount(store, { name: 'Acme', plan: 'scale' }, at(clock.now()));
    await target({ of: { accountId: account.id } });
    await target({ of: { providerId: 'default' } });
    await expect(target({ of: { accountId: account.id }, conditions: ['disk_nearly_full'] })).rejects.toThrow(OperatorError);
    freeMib = 10;
    await notified(server('one'));
    expect(receiver.posts).toEqual([]);
  });

  it('an error rate begins at its bound and ends at half of it, and few sends say nothing', async () => {
    await target();
    const one = server('one');
    one.answer(10, 502);
    await notified(one);
    expect(facts()).toEqual([]);
    one.answer(90, 200);
    await notified(one);
    expect(facts()).toEqual([['error_rate_high', 'began', 'one']]);
    expect(receiver.alerts()[0].reason).toBe('10 of 100 sends of the last 10 minutes failed');
    one.answer(60, 200);
    await notified(one);
    expect(facts()).toHaveLength(1);
    one.answer(60, 200);
    await notified(one);
    expect(facts()[1]).toEqual(['error_rate_high', 'ended', 'one']);
    // What is older than the window is forgotten.
    clock.advance(11 * minuteMs);
    one.answer(10, 502);
    await notified(one);
    expect(facts()).toHaveLength(2);
  });

  it('writes that stay pending, and a client version that ends, are reported once whoever measures them', async () => {
    await target();
    const servers = [server('one'), server('two'), server('three')];
    const write = { id: 'd', kind: 'settlement', payload: '{}', attempts: 3, next_at: 0, created_at: clock.now() };
    await store.db.insertInto('pending_writes').values(write).execute();
    await notified(...servers);
    expect(facts()).toEqual([]);
    clock.advance(6 * minuteMs);
    const versions = createClientVersions(store.db, 'whatsapp');
    await versions.write({
      ...{ fetched: 2_000_000_000, fetched_at: clock.now(), accepted: 2_000_000_000, accepted_at: clock.now() },
      ...{ expiring: 2_000_000_000, expires_at: clock.now() + 7 * 24 * 60 * minuteMs },
    });
    await notified(...servers);
    const both = [
      ['client_version_ending', 'began', 'gateway'],
      ['writes_failing', 'began', 'gateway'],
    ];
    expect(facts().sort()).toEqual(both);
    await store.db.deleteFrom('pending_writes').execute();
    await versions.write({ expiring: null, expires_at: null });
    await notified(...servers);
    expect(facts().slice(2).sort()).toEqual(both.map(([condition, , of]) => [condition, 'ended', of]));
  });

  it('a mail server that is down is reported by webhook, and the mails arrive when it is back', async () => {
    await target({ kind: 'mail', address: 'ops@example.com' });
    await target({ conditions: ['mail_unreachable'] });
    const one = server('one');
    mailsTaken = false;
    freeMib = 10;
    for (let n = 0; n < 4; n++) await notified(one);
    expect(facts()).toEqual([['mail_unreachable', 'began', 'one']]);
    mailsTaken = true;
    for (let n = 0; n < 8; n++) await notified(one);
    expect(facts()[1]).toEqual(['mail_unreachable', 'ended', 'one']);
    const mails = await store.db
      .selectFrom('alert_deliveries')
      .select(['state', 'outcome'])
      .where('outcome', 'like', '%mail server%')
      .execute();
    expect(new Set(mails.map(({ state }) => state))).toEqual(new Set(['delivered']));
  });

  it('a server that is gone is missed by the others until it is back, unless it was stopped', async () => {
    await target();
    const [one, two, three] = [server('one'), server('two'), server('three')];
    await notified(one, two, three);
    await three.alerts.stop();
    clock.advance(3 * minuteMs);
    await notified(one);
    expect(facts()).toEqual([['server_lost', 'began', 'two']]);
    const again = server('two');
    // Whoever has its turn at looking sees it with the next one.
    for (let n = 0; n < 2; n++) await notified(one, again);
    expect(facts()[1]).toEqual(['server_lost', 'ended', 'two']);
  });

  it('a version that the settings of one server fix is reported of that server, whatever others connect with', async () => {
    await target();
    const versions = createClientVersions(store.db, 'whatsapp');
    await versions.write({ expiring: 2_000_000_000, expires_at: clock.now() + 7 * 24 * 60 * minuteMs });
    const servers = [server('one', { version: 2_000_000_000 }), server('two', { version: 2_000_000_001 })];
    for (let n = 0; n < 3; n++) await notified(...servers);
    expect(facts()).toEqual([['client_version_ending', 'began', 'one']]);
    expect(receiver.alerts()[0].text).toContain('The WhatsApp version of server one is ending');
  });

  it('a server is not missed for a time in which nobody wanted to know of it', async () => {
    const first = await target();
    const one = server('one');
    await notified(one, server('two'));
    await removeTarget(store, first.target.id, at(clock.now()));
    // Another process of it, which has measured nothing yet.
    const two = server('two');
    await notified(one, two);
    clock.advance(3 * minuteMs);
    await target();
    await notified(one);
    await notified(one, two);
    expect(facts()).toEqual([]);
  });

  it('a server that stops is not missed, although what it sends outlasts the stop', async () => {
    await target();
    freeMib = 10;
    const post = vi.fn(() => new Promise<number>(() => undefined));
    const { alerts } = server('one', { webhooks: { post } });
    for (let n = 0; n < 2; n++) {
      clock.advance(20_000);
      await alerts.round();
    }
    await waitFor(() => expect(post).toHaveBeenCalled());
    void alerts.stop();
    const up = store.db.selectFrom('alert_measures').select('subject').where('condition', '=', 'server_up');
    await waitFor(async () => expect(await up.execute()).toEqual([]));
  });
});
