import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, createProvider, updateAccount } from '../../src/accounts/index.ts';
import {
  Alerts,
  confirmationOf,
  confirmTarget,
  createTarget,
  listDeliveries,
  listTargets,
  mailOwners,
  removeTarget,
  testTarget,
  updateTarget,
} from '../../src/alerts/index.ts';
import { type BrandedMail, Brands, updateBrand } from '../../src/branding/index.ts';
import { createVault, newId, type Vault } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import type { Store } from '../../src/store/index.ts';
import { endOtherKeys, openVault, replaceKey } from '../../src/vault/index.ts';
import { at } from '../support/act.ts';
import { wholeRound } from '../support/alert-rounds.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const vault = createVault(Buffer.alloc(32, 1));

describe.each(storeKinds)('mails of alerts, on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let clock: ManualClock;
  let mails: ({ to: string } & BrandedMail)[];
  /** The mail server says nothing any more. */
  let silent: boolean;
  let alerts: Alerts;
  let account: string;
  beforeEach(async () => {
    store = await openTestStore(kind);
    clock = createManualClock();
    mails = [];
    silent = false;
    alerts = server();
    account = (await createAccount(store, { name: 'Pills at pills.example', plan: 'trial' }, at(clock.now()))).id;
    const linked = { linked: 0, conflict: 0, phone_number: '491710000300', label: 'https://pills.example/now' };
    await store.db
      .insertInto('instances')
      .values({ id: newId(), account_id: account, network: 'sandbox', created_at: 0, ...linked })
      .execute();
  });
  afterEach(() => store.dispose());

  const server = () =>
    new Alerts({
      ...{ store, vault, clock },
      now: async () => clock.now(),
      webhooks: { post: async () => 200 },
      languages: createLanguages(),
      brands: new Brands({ store, clock }),
      publicUrl: 'https://gateway.example.com',
      async sendMail(to, mail) {
        mails.push({ to, ...mail });
        return silent ? new Promise<boolean>(() => undefined) : true;
      },
      random: () => 0.5,
      measuring: null,
      log: { warn: () => undefined, error: (fields) => expect(fields).toBeNull() },
    });
  const target = async (address: string, of: Parameters<typeof createTarget>[1]['of'] = { accountId: account }) =>
    (await createTarget({ store, vault }, { of, kind: 'mail', address }, at(clock.now()))).target;
  /** Lets everything be sent that is to be sent now. */
  async function sent(): Promise<void> {
    for (let n = 0; n < 3; n++) {
      clock.advance(20_000);
      await wholeRound(alerts);
    }
  }
  const tokenIn = (text: string | undefined) => /\/link\/(\S+)/.exec(text ?? '')?.[1] ?? '';
  const confirm = (token: string) => confirmTarget({ store, vault }, token, clock.now());

  it('go to a stranger only after the link that was mailed there was used [alerts.confirm]', async () => {
    const { id } = await target('stranger@example.com');
    await sent();
    expect(mails).toHaveLength(1);
    const [asked] = mails;
    expect(asked?.to).toBe('stranger@example.com');
    expect(asked?.text).toContain('"Pills at …"');
    expect(asked?.text.match(/https?:\S+/g)).toHaveLength(1);
    await expect(testTarget(store, id, clock.now())).rejects.toThrow('has not confirmed yet');

    const token = tokenIn(asked?.text);
    expect(await confirm(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
    expect(await confirm(token.replace(id, newId()))).toBeNull();
    expect(await confirmationOf({ store, vault }, token, clock.now())).toMatchObject({ address: 'stranger@example.com' });
    expect(await confirm(token)).toMatchObject({ address: 'stranger@example.com', confirmBy: null });
    await sent();
    expect(mails.slice(1)).toMatchObject([{ to: 'stranger@example.com', subject: expect.stringContaining('needs a person') }]);
    expect(mails[1]?.text).not.toContain('pills.example');
    // Once more changes nothing, and another address is another question.
    expect(await confirm(token)).not.toBeNull();
    await updateTarget(store, id, { address: 'other@example.com' }, at(clock.now()));
    expect(await confirm(token)).toBeNull();
    await sent();
    expect(mails.slice(2).map(({ to }) => to)).toEqual(['other@example.com']);
  });

  it('ask for a week, and then the target is removed [alerts.confirm]', async () => {
    await target('stranger@example.com');
    await sent();
    clock.advance(7 * dayMs);
    await sent();
    expect(await listTargets(store)).toEqual([]);
    expect(await confirm(tokenIn(mails[0]?.text))).toBeNull();
    expect(mails).toHaveLength(1);
  });

  it('go at once to people of the account, and where the installation’s own go [alerts.confirm]', async () => {
    const user = { id: newId(), name: 'Ada', email: 'ada@example.com', email_verified: kind === 'sqlite' ? 1 : true };
    const now = new Date(clock.now()).toISOString();
    await store.db
      .insertInto('users')
      .values({ ...user, created_at: now, updated_at: now } as never)
      .execute();
    await store.db
      .insertInto('memberships')
      .values({ id: newId(), user_id: user.id, role: 'member', provider_id: null, account_id: account, created_at: 0 })
      .execute();
    await target('ada@example.com');
    await target('ops@example.com', 'all');
    await sent();
    expect(mails.map(({ to, subject }) => [to, subject.includes('needs a person')]).sort()).toEqual([
      ['ada@example.com', true],
      ['ops@example.com', true],
    ]);
  });

  it('are under the brand of the provider that they concern, and lead to its address', async () => {
    const { id } = await createProvider(store, { name: 'Reseller' }, at(clock.now()));
    const brand = { name: 'North', reply_to: 'help@north.example', mail_intro: 'Good day,', mail_footer: 'North Ltd' };
    const address = { base_address: 'https://messages.north.example', base_confirmed: true };
    await updateBrand(store, id, { ...brand, ...address }, at(clock.now()));
    await updateAccount(store, account, { providerId: id }, at(clock.now()));
    await target('stranger@example.com');
    await target('admin@example.com', { providerId: id });
    await target('ops@example.com', 'all');
    await sent();
    const sentTo = (to: string) => mails.filter((mail) => mail.to === to);
    for (const to of ['stranger@example.com', 'admin@example.com']) {
      const [asked] = sentTo(to);
      expect(asked).toMatchObject({ senderName: 'North', replyTo: 'help@north.example' });
      expect(asked?.text).toMatch(/^Good day,\n\nHello,\n\n.* wants alerts of North .*\n\nNorth Ltd\n$/s);
      expect(asked?.text).toContain('\nhttps://messages.north.example/link/alerts-');
    }
    const [unbranded] = sentTo('ops@example.com');
    expect(unbranded?.subject).toContain('needs a person');
    expect(unbranded).not.toHaveProperty('senderName');
    expect(unbranded?.text).not.toContain('North');
    await confirm(tokenIn(sentTo('stranger@example.com')[0]?.text));
    await sent();
    expect(sentTo('stranger@example.com')[1]).toMatchObject({ senderName: 'North', subject: expect.stringContaining('needs a person') });
  });

  it('are cut off by a stop while the mail server is silent, and sent by the next process', async () => {
    silent = true;
    const { id } = await target('ops@example.com', 'all');
    for (let n = 0; n < 2; n++) {
      clock.advance(20_000);
      await alerts.round();
    }
    await waitFor(() => expect(mails).toHaveLength(1));
    await alerts.stop();
    expect(await listDeliveries(store, id)).toMatchObject([{ state: 'waiting', outcome: null }]);
    silent = false;
    clock.advance(60_000);
    await wholeRound(server());
    expect(mails).toHaveLength(2);
    expect(await listDeliveries(store, id)).toMatchObject([{ state: 'delivered' }]);
  });

  it('say nothing untrue of an account whose access ends when it is suspended', async () => {
    await target('ops@example.com', 'all');
    const soon = { plan: 'scale', planEndsAt: clock.now() + dayMs } as const;
    const { id } = await createAccount(store, { name: 'Ending', ...soon }, at(clock.now()));
    await sent();
    await updateAccount(store, id, { status: 'suspended' }, at(clock.now()));
    await sent();
    const subjects = mails.map(({ subject }) => subject).filter((subject) => subject.includes('Ending'));
    expect(subjects.at(-1)).toBe('The access of "Ending" was extended, or the account was suspended or has lost its plan');
  });

  it('lead to a confirmation with the present key, and until its replacement is finished with the one before it', async () => {
    const first = Buffer.alloc(32, 1);
    const secretKeys = [first, Buffer.alloc(32, 2)] as const;
    await target('stranger@example.com');
    await sent();
    const token = tokenIn(mails[0]?.text);
    const counts = async (by: Vault) => (await confirmationOf({ store, vault: by }, token, clock.now())) !== null;
    await replaceKey(store, ...secretKeys);
    const present = await openVault(store.db, secretKeys[1]);
    expect(await counts(present)).toBe(true);
    await endOtherKeys(store, secretKeys[1], 'new');
    expect(await counts(present)).toBe(false);
  });

  it('to the owners of an account end with two in a row that the mail server does not take', async () => {
    const asked: string[] = [];
    const owners = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`);
    const send = async (to: string) => asked.push(to) > 0 && ['b@example.com'].includes(to);
    const mailed = await mailOwners(
      { store, languages: createLanguages(), now: clock.now(), send },
      { accountId: account, owners, numbers: [], link: 'https://gateway.example.com/numbers' },
    );
    expect(mailed).toEqual(['b@example.com']);
    expect(asked).toEqual(owners.slice(0, 4));
    expect(await store.db.selectFrom('alert_mails').select('sent').execute()).toEqual([{ sent: 1 }]);
  });

  it('are bounded per account and hour, whatever becomes of its targets [alerts.mail-budget]', async () => {
    const { id } = await target('stranger@example.com');
    await sent();
    await confirm(tokenIn(mails[0]?.text));
    await sent();
    mails.length = 0;
    for (let n = 0; n < 100; n++) {
      await testTarget(store, id, clock.now());
      await wholeRound(alerts);
    }
    // One of this hour reported what lasts.
    expect(mails).toHaveLength(59);
    // Nobody else has fewer for it, and the next hour has its own.
    await target('ops@example.com', 'all');
    await sent();
    expect(mails.filter(({ to }) => to === 'ops@example.com')).toHaveLength(1);
    clock.advance(70 * minuteMs);
    for (let n = 0; n < 50; n++) await wholeRound(alerts);
    expect(mails.filter(({ to }) => to === 'stranger@example.com')).toHaveLength(100);
  });

  it('ask few strangers an hour, also when their targets are removed again [alerts.mail-budget]', async () => {
    for (let n = 0; n < 51; n++) {
      const { id } = await target(`stranger${n}@example.com`);
      await wholeRound(alerts);
      await removeTarget(store, id, at(clock.now()));
    }
    expect(mails).toHaveLength(10);
  });
});
