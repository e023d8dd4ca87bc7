import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createProvider, updateAccount, updateProvider } from '../../src/accounts/index.ts';
import { newId, utcDay } from '../../src/core/index.ts';
import { invite } from '../../src/people/index.ts';
import type { AccountHome, AdministeredHome, HomeHour, HomeView } from '../../src/portal/wire/home.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe.each(storeKinds)('the home page on %s', (kind) => {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let alpha: Customer;
  let other: Customer;
  let owner: SignedIn;
  let member: SignedIn;
  let unlinked: string;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    alpha = await gateway.customer({ name: 'Alpha', providerId: admin.providerId });
    other = await gateway.customer({ name: 'Other' });
    owner = await memberOf(gateway, alpha.accountId, 'owner');
    member = await memberOf(gateway, alpha.accountId);
    unlinked = await alpha.linked('491710000100');
    await other.linked('491710000200');
  });

  const home = async (by: SignedIn, account = by.account): Promise<HomeView> =>
    expectOk(await by.call('GET', '/portal/api/home', { account })).body.data;
  const ofAccount = async (by: SignedIn, account = by.account): Promise<AccountHome> => {
    const view = await home(by, account);
    if (view.account === null) throw new Error('no account is acted for');
    return view.account;
  };
  const administered = async (by: SignedIn): Promise<AdministeredHome> => {
    // What was counted of all sends counts for ten seconds.
    clock.advance(10_000);
    const view = await home(by);
    if (view.administered === null) throw new Error('nothing is administered');
    return view.administered;
  };
  const listed = async (query: string): Promise<string[]> =>
    expectOk(await admin.call('GET', `/portal/api/operator/accounts?${query}`)).body.data.rows.map(({ name }: { name: string }) => name);
  const names = ({ items }: { readonly items: readonly { readonly name: string }[] }) => items.map(({ name }) => name);
  /** An account of the admin's provider. */
  const account = async (name: string, terms: object = {}): Promise<string> => {
    const { id } = await createAccount(gateway.app.store, { name, providerId: admin.providerId, plan: 'scale', ...terms }, at(clock.now()));
    return id;
  };
  const outcomes = (account_id: string, count: number, code = '', hoursAgo = 1) =>
    gateway.app.store.db
      .insertInto('send_outcomes')
      .values({ hour: Math.floor(clock.now() / hourMs) - hoursAgo, account_id, code, count })
      .execute();

  it('says nothing where nothing is wrong, to each of what is theirs', async () => {
    const nothing = { items: [], total: 0 };
    expect(await home(owner)).toMatchObject({
      account: {
        account: { account_id: alpha.accountId, name: 'Alpha' },
        numbers: nothing,
        failing_targets: nothing,
        sends: { accepted: 0, failed: 0, refused: 0 },
        busy: null,
      },
      administered: null,
    });
    expect(await home(admin)).toEqual({
      account: null,
      administered: {
        accounts: 1,
        numbers: nothing,
        reasons: [],
        failing_targets: nothing,
        health: null,
        suspended: nothing,
        ended: nothing,
        suspended_providers: nothing,
        ending: nothing,
        trials: nothing,
        sends: { accepted: 0, failed: 0, refused: 0 },
        hours: expect.arrayContaining([]),
        days: expect.arrayContaining([]),
        failing: nothing,
        busy: nothing,
      },
    });
    expect(await home(boss)).toMatchObject({ account: null, administered: { accounts: 2 } });
    expect(outcome(await owner.call('GET', '/portal/api/home', { account: other.accountId }))).toBe('403 forbidden');
    expect(outcome(await admin.call('GET', '/portal/api/home', { account: other.accountId }))).toBe('403 forbidden');
  });

  it('names the numbers that need a person, since when and why', async () => {
    expectOk(await alpha.call('POST', '/sandbox/unlink', { phone_number: '491710000100' }));
    expectOk(await other.call('POST', '/sandbox/unlink', { phone_number: '491710000200' }));
    // Its history is written half a second later.
    const number = await waitFor(async () => {
      clock.advance(1_000);
      const [first] = (await ofAccount(owner)).numbers.items;
      if (first?.since == null) throw new Error('not told yet');
      return first;
    });
    expect(number).toMatchObject({
      instance_id: unlinked,
      phone_number: '491710000100',
      account_id: alpha.accountId,
      account_name: 'Alpha',
    });
    expect(number.why).toMatch(/linked devices/);
    expect((await ofAccount(member)).numbers.total).toBe(1);
    expect((await administered(admin)).numbers).toMatchObject({ total: 1, items: [{ instance_id: unlinked }] });
    await waitFor(async () => expect((await administered(boss)).numbers.total).toBe(2));
    // An operator who acts for an account sees both.
    expect(await home(boss, alpha.accountId)).toMatchObject({
      account: { numbers: { total: 1 } },
      administered: { numbers: { total: 2 } },
    });
  });

  it('tells no more than five of a kind, and how many there are', async () => {
    const many = await account('Many');
    const rows = Array.from({ length: 7 }, (_, place) => ({
      id: newId(),
      account_id: many,
      network: 'sandbox',
      label: `number ${place}`,
      phone_number: `4917200000${place}`,
      linked: 0,
      conflict: 0,
      restriction_reason: null,
      restriction_until: null,
      new_chats_used: null,
      new_chats_quota: null,
      new_chats_cycle_ends_at: null,
      created_at: clock.now() + place,
    }));
    await gateway.app.store.db.insertInto('instances').values(rows).execute();
    const { items, total } = (await administered(admin)).numbers;
    expect([items.map(({ label }) => label), total]).toEqual([['number 6', 'number 5', 'number 4', 'number 3', 'number 2'], 8]);
    const list = async (query: string) =>
      expectOk(await admin.call('GET', `/portal/api/operator/numbers?standing=needs_person${query}`)).body.data;
    expect((await list('')).total).toBe(total);
    // Where they are more than are named, how many for each reason, and since when the first of them.
    const { reasons } = await administered(admin);
    expect(reasons.map(({ reason, count }) => [reason, count])).toEqual([
      [null, 7],
      ['unlinked', 1],
    ]);
    const unlinkedOnes = await list('&reason=unlinked');
    expect(unlinkedOnes.rows).toMatchObject([{ instance_id: unlinked, since: reasons[1]?.since }]);
    expect((await ofAccount(owner)).reasons).toEqual([]);
  });

  it('tells which alert targets nothing arrives at, to those who may see them', async () => {
    // Told of nothing that happens here, so that nothing but what follows is sent to it.
    const body = { kind: 'webhook', address: 'https://example.com/alerts', conditions: ['number_restricted'] };
    const target = async (by: SignedIn, path: string, more: object = {}): Promise<string> => {
      const { data } = expectOk(await by.call('POST', path, { body: { ...body, ...more } })).body;
      gateway.secrets.add('the secret of a webhook', data.secret);
      return data.target_id;
    };
    const own = await target(owner, '/portal/api/alerts');
    const provider = await target(admin, '/portal/api/operator/alerts', { provider_id: admin.providerId });
    const all = await target(boss, '/portal/api/operator/alerts');
    const sent = (target_id: string, state: 'waiting' | 'delivered' | 'given_up', attempts: number) =>
      gateway.app.store.db
        .insertInto('alert_deliveries')
        .values({
          id: newId(),
          target_id,
          body: '{"type":"test"}',
          at: clock.now(),
          attempts,
          // Not during this test.
          next_at: state === 'waiting' ? clock.now() + 12 * hourMs : null,
          state,
          outcome: state === 'delivered' ? 'answered 204' : 'answered 500',
          ended_at: state === 'waiting' ? null : clock.now(),
        })
        .execute();
    const failing = async () => [
      (await ofAccount(owner)).failing_targets.items.map(({ target_id }) => target_id),
      (await ofAccount(member)).failing_targets.items.map(({ target_id }) => target_id),
      (await administered(admin)).failing_targets.items.map(({ target_id }) => target_id),
      (await administered(boss)).failing_targets.items.map(({ target_id }) => target_id),
    ];
    expect(await failing()).toEqual([[], [], [], []]);
    await sent(own, 'given_up', 9);
    await sent(provider, 'delivered', 1);
    // Tried for the first time, as every delivery is.
    await sent(all, 'waiting', 1);
    expect(await failing()).toEqual([[own], [], [], []]);
    await sent(provider, 'waiting', 2);
    await sent(all, 'given_up', 9);
    expect(await failing()).toEqual([[own], [], [provider], [provider, all]]);
    expect((await ofAccount(boss, alpha.accountId)).failing_targets.items).toMatchObject([{ target_id: own, outcome: 'answered 500' }]);
    await sent(own, 'delivered', 1);
    expect((await failing())[0]).toEqual([]);
  });

  it('tells what ends soon, the next end first, and what has stopped', async () => {
    const { store } = gateway.app;
    const act = at(clock.now());
    await account('Ends in six days', { planEndsAt: clock.now() + 6 * dayMs });
    const nextEnd = clock.now() + 2 * dayMs;
    await account('Ends in two days', { accessEndsAt: nextEnd });
    await account('Ends in nine days', { planEndsAt: clock.now() + 9 * dayMs });
    const over = await account('Ended');
    await updateAccount(store, over, { planEndsAt: clock.now() - dayMs }, act);
    await updateAccount(store, await account('Stopped'), { status: 'suspended' }, act);
    for (const [name, used] of [
      ['Little of a trial', 79],
      ['Most of a trial', 80],
      ['All of a trial', 100],
    ] as const) {
      const id = await account(name, { plan: 'trial' });
      await store.db.updateTable('accounts').set({ trial_used: used }).where('id', '=', id).execute();
    }
    const told = await administered(admin);
    expect(names(told.ending)).toEqual(['Ends in two days', 'Ends in six days']);
    expect(told.ending.items[0]?.ends_at).toBe(new Date(nextEnd).toISOString());
    expect(told.trials).toMatchObject({ total: 1, items: [{ name: 'Most of a trial', used: 80, limit: 100 }] });
    expect([names(told.ended), names(told.suspended)]).toEqual([['Ended'], ['Stopped']]);
    // The lists that the page leads to say the same.
    expect(await listed('ends_within=7&sort=ends')).toEqual(names(told.ending));
    expect(await listed('state=trial_nearly_used')).toEqual(names(told.trials));
    expect(await listed('state=ended')).toEqual(names(told.ended));

    const provider = await createProvider(store, { name: 'Closed', numberCapacity: null }, act);
    await updateProvider(store, provider.id, { status: 'suspended' }, act);
    expect((await administered(boss)).suspended_providers).toEqual({ items: [{ provider_id: provider.id, name: 'Closed' }], total: 1 });
    expect((await administered(admin)).suspended_providers.total).toBe(0);
  });

  it('counts how the sends of the last day ended', async () => {
    const instance_id = await alpha.linked('491710000300');
    const send = async (to: string) => outcome(await alpha.send('text', { instance_id, to, text: 'Hello' }));
    expect(await send('15550123')).toBe('200');
    expect(await send('15550124')).toBe('200');
    // A network that cannot say, and a number that is not on it.
    expect(await send('15550001')).toBe('502 upstream_unavailable');
    expect(await send('15550000')).toBe('422 invalid_recipient');
    await outcomes(alpha.accountId, 10, '', 23);
    await outcomes(alpha.accountId, 1000, 'upstream_unavailable', 24);
    await outcomes(other.accountId, 7, 'internal_error');
    const sends = { accepted: 12, failed: 1, refused: 1 };
    const look = async () => {
      await waitFor(async () => expect((await ofAccount(member)).sends).toEqual(sends));
      const [theirs, everything] = [await administered(admin), await administered(boss)];
      expect(theirs.sends).toEqual(sends);
      expect(theirs.failing).toEqual({ items: [{ account_id: alpha.accountId, name: 'Alpha', failed: 1, sends: 14 }], total: 1 });
      expect(everything.sends).toEqual({ ...sends, failed: 8 });
      expect(names(everything.failing)).toEqual(['Other', 'Alpha']);
      expect(await listed('sends=failing')).toEqual(['Alpha']);
    };
    await look();
  });

  it('counts by the hour, beside the same hours of the week before, and leads to those sends', async () => {
    clock.advance(hourMs);
    const weekAgo = 7 * 24;
    await outcomes(alpha.accountId, 5, '', weekAgo);
    await outcomes(alpha.accountId, 6, 'rate_limit_exceeded', weekAgo + 23);
    await outcomes(alpha.accountId, 100, '', weekAgo + 24);
    await outcomes(other.accountId, 3, 'internal_error', weekAgo);
    await outcomes(other.accountId, 2, '', 9);
    const zero = { accepted: 0, failed: 0, refused: 0 };
    const { hours, sends } = await ofAccount(owner);
    expect(hours.map(({ at }) => Date.parse(at))).toEqual(
      Array.from({ length: 24 }, (_, place) => (Math.floor(clock.now() / hourMs) - 23 + place) * hourMs),
    );
    const hourOf = (of: readonly HomeHour[], hoursAgo: number) => of.at(-1 - hoursAgo);
    // What the test before this one sent.
    const sent = hours.find(({ sends }) => sends.failed > 0);
    expect(sent).toMatchObject({ sends: { accepted: 2, failed: 1, refused: 1 }, week_before: zero });
    expect(hourOf(hours, 0)).toMatchObject({ sends: zero, week_before: { ...zero, accepted: 5 } });
    expect(hourOf(hours, 23)).toMatchObject({ sends: zero, week_before: { ...zero, refused: 6 } });
    expect(sends).toEqual({ accepted: 2, failed: 1, refused: 1 });

    expect((await administered(admin)).hours).toEqual(hours);
    const everything = (await administered(boss)).hours;
    expect(hourOf(everything, 0)).toMatchObject({ week_before: { ...zero, accepted: 5, failed: 3 } });
    expect(hourOf(everything, 9)).toMatchObject({ sends: { ...zero, accepted: 2 } });

    const at = sent?.at ?? '';
    const activity = async (outcome: string) => {
      const to = new Date(Date.parse(at) + hourMs).toISOString();
      const { items } = expectOk(await owner.call('GET', `/portal/api/activity?from=${at}&to=${to}&outcome=${outcome}`)).body.data;
      return items.length;
    };
    expect([await activity('sent'), await activity('4xx'), await activity('5xx'), await activity('failed')]).toEqual([2, 1, 1, 2]);
    expect(await listed(`hour=${at}&outcome=5xx`)).toEqual(['Alpha']);
    expect(await listed(`hour=${hourOf(hours, 0)?.at}`)).toEqual([]);
  });

  it('counts the numbers that were connected on each of 30 days', async () => {
    const [today, before] = [utcDay(clock.now()), utcDay(clock.now() - 29 * dayMs)];
    await gateway.app.store.db
      .insertInto('usage_number_days')
      .values(['1', '2'].map((phone_number) => ({ account_id: alpha.accountId, day: before, phone_number })))
      .execute();
    clock.advance(10 * 60_000);
    const { days } = await ofAccount(owner);
    expect([days.length, days[0], days.at(-1)?.day]).toEqual([30, { day: before, numbers: 2 }, today]);
    // Its two numbers were connected today.
    expect(days.at(-1)?.numbers).toBe(2);
    expect((await administered(admin)).days).toEqual(days);
    expect((await administered(boss)).days.at(-1)).toEqual({ day: today, numbers: 3 });
  });

  it('tells who sends far more than usual', async () => {
    const usual = async (account_id: string, count: number) => {
      const days = Array.from({ length: 7 }, (_, place) => utcDay(clock.now() - (place + 2) * dayMs));
      await gateway.app.store.db
        .insertInto('usage_sends')
        .values(days.map((day) => ({ account_id, day, type: 'text', count })))
        .execute();
    };
    const [busy, steady, fresh, small] = [await account('Busy'), await account('Steady'), await account('Fresh'), await account('Small')];
    await usual(busy, 100);
    await usual(steady, 134);
    await outcomes(busy, 401);
    await outcomes(steady, 401);
    await outcomes(fresh, 100);
    await outcomes(small, 99);
    expect((await administered(admin)).busy).toEqual({
      items: [
        { account_id: busy, name: 'Busy', sends: 401, usual: 100 },
        { account_id: fresh, name: 'Fresh', sends: 100, usual: 0 },
      ],
      total: 2,
    });
    expect(await listed('sends=busy&sort=name')).toEqual(['Busy', 'Fresh']);
    expect((await ofAccount(boss, busy)).busy).toEqual({ sends: 401, usual: 100 });
    expect((await ofAccount(boss, steady)).busy).toBeNull();
  });

  it('tells operators alone what is wrong with the gateway', async () => {
    const checks = await waitFor(async () => {
      const found = (await administered(boss)).health?.checks;
      if (found == null) throw new Error('still being looked at');
      return found;
    });
    expect(checks.filter(({ state }) => state === 'ok')).toEqual([]);
    expect((await administered(admin)).health).toBeNull();
  });

  it('names nobody else’s objects, and to somebody with several roles both parts', async () => {
    const text = JSON.stringify([await home(admin), await home(owner), await home(member)]);
    for (const foreign of ['Other', other.accountId, '491710000200', 'Closed']) expect(text).not.toContain(foreign);
    const { token } = await invite(
      gateway.app.store,
      admin.email,
      { role: 'owner', accountId: other.accountId, providerId: null },
      at(clock.now()),
    );
    expectOk(await admin.call('POST', `/portal/api/links/${token}`, { body: { password: admin.password } }));
    expect(await home(admin, null)).toMatchObject({ account: { account: { name: 'Other' }, numbers: { total: 1 } }, administered: {} });
  });
});
