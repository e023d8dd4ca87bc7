import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { newId } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, operator, personAt, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

type Row = Record<string, unknown>;
interface Page {
  readonly rows: Row[];
  readonly total: number | null;
  readonly next: string | null;
  readonly previous: string | null;
}

const day = 24 * 60 * 60 * 1000;
/** Names that sort differently by letter case, and several that are alike. */
const names = ['alpha', 'Alpha', 'beta', 'Beta', 'beta', 'gamma', 'Gamma', 'zeta', 'x'];

describe.each(storeKinds)('lists on %s', (kind) => {
  const clock = createManualClock();
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let accountId: string;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    for (const [place, name] of names.entries()) {
      // Two of each second have the same time.
      if (place % 2 === 0) clock.advance(1000);
      const { accountId: id } = await gateway.customer({
        name,
        accessEndsAt: place % 3 === 0 ? null : clock.now() + (place % 2) * 40 * day + day,
        ...(place < 3 ? { providerId: admin.providerId } : {}),
      });
      if (place === 0) accountId = id;
      for (let number = 0; number < place % 4; number++) await addNumber(id, number % 2 === 0 ? `Desk ${number}` : null);
      await personAt(gateway, { role: place % 2 === 0 ? 'owner' : 'member', accountId: id }, `${name.toLowerCase()}${place}@example.com`);
    }
    for (const [place, name] of names.entries()) {
      const { db } = gateway.app.store;
      const status = place === 8 ? 'suspended' : 'active';
      const providerId = newId();
      await db
        .insertInto('providers')
        .values({ id: providerId, name, status, number_capacity: null, created_at: clock.now() - (place % 3) * 1000 })
        .execute();
      for (let account = 0; account < place % 3; account++) await gateway.customer({ name: 'customer', providerId });
      const link = { id: newId(), token_hash: newId(), purpose: 'invitation', maker_id: null, shown: 1, used_at: null } as const;
      const to = { account_id: accountId, provider_id: null, role: place % 2 === 0 ? 'owner' : 'member' } as const;
      const times = { created_at: clock.now() - (place % 3) * 1000, expires_at: clock.now() + day * 3000 + (place % 4) * 1000 };
      await db
        .insertInto('one_time_links')
        .values({ ...link, ...to, ...times, email: `${name.toLowerCase()}@example.com` })
        .execute();
    }
    for (let place = 0; place < 5; place++) await createKey(gateway.app.store, accountId, { label: names[place] ?? null }, at(clock.now()));
  });
  beforeEach(() => clock.advance(60_000));

  async function addNumber(account: string, label: string | null): Promise<void> {
    const row = { id: newId(), account_id: account, network: 'whatsapp', label, phone_number: null, linked: 0, conflict: 0 };
    const state_at = label === null ? null : clock.now() - 30_000;
    await gateway.app.store.db
      .insertInto('instances')
      .values({ ...row, state_at, restriction_reason: null, restriction_until: null, created_at: clock.now() })
      .execute();
  }

  async function page(path: string, by: SignedIn = boss): Promise<Page> {
    // No list is asked for so often by one person in one minute.
    clock.advance(200);
    return expectOk(await by.call('GET', path)).body.data;
  }
  const lists = [
    { path: '/portal/api/operator/accounts', id: 'account_id', sorts: ['created', 'name', 'ends', 'numbers'] },
    { path: '/portal/api/operator/numbers', id: 'instance_id', sorts: ['created', 'label', 'number', 'account', 'since'] },
    { path: '/portal/api/operator/users', id: 'user_id', sorts: ['created', 'name', 'email'] },
    { path: '/portal/api/operator/invitations', id: 'invitation_id', sorts: ['created', 'email', 'expires'] },
    { path: '/portal/api/operator/providers', id: 'provider_id', sorts: ['created', 'name', 'accounts', 'numbers'] },
    { path: '/portal/api/operator/audit', id: 'audit_id', sorts: ['at'] },
    { path: '/portal/api/keys', id: 'key_id', sorts: ['created', 'label', 'used', 'revoked'] },
  ] as const;
  const wholeOf = async (path: string, sort: string) => (await page(`${path}?sort=${sort}&limit=200`)).rows;

  /** Walks from the first page on; `between` does something between two pages. */
  async function walk(path: string, id: string, sort: string, limit: number, between: () => Promise<void> = async () => undefined) {
    const ids: unknown[] = [];
    let last: Page | null = null;
    for (let after = ''; ; ) {
      last = await page(`${path}?sort=${sort}&limit=${limit}${after}`);
      ids.push(...last.rows.map((row) => row[id]));
      if (last.next === null) return { ids, last };
      after = `&after=${last.next}`;
      await between();
    }
  }

  it.each(lists)('$path: walking its pages, there and back, gives every row once and in order', async ({ path, id, sorts }) => {
    boss.account = accountId;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.boolean(), fc.integer({ min: 1, max: 9 }), async (name, falling, limit) => {
        const sort = falling ? `-${name}` : name;
        const whole = (await wholeOf(path, sort)).map((row) => row[id]);
        expect(new Set(whole).size).toBe(whole.length);
        const { ids, last } = await walk(path, id, sort, limit);
        expect(ids).toEqual(whole);
        const back: unknown[] = last.rows.map((row) => row[id]);
        for (let before = last.previous; before !== null; ) {
          const earlier: Page = await page(`${path}?sort=${sort}&limit=${limit}&before=${before}`);
          back.unshift(...earlier.rows.map((row) => row[id]));
          before = earlier.previous;
        }
        expect(back).toEqual(whole);
        // The other way round it is the same list.
        expect((await wholeOf(path, falling ? name : `-${name}`)).map((row) => row[id])).toEqual(whole.toReversed());
      }),
      { numRuns: sorts.length * 3 },
    );
  });

  it('a cursor that somebody has changed is refused, or leads somewhere', async () => {
    boss.account = accountId;
    const value = fc.constantFrom<unknown[]>('a text', '', '7', 7, -1, 0.5, Number.MAX_SAFE_INTEGER, 1e300, null, true, ['7'], {}, 'x\0');
    const order = fc.constantFrom(...lists.flatMap(({ path, sorts }) => sorts.map((sort) => ({ path, sort }))));
    const direction = fc.constantFrom('after', 'before');
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), direction, value, value, async ({ path, sort: name }, falling, direction, key, id) => {
        const sort = falling ? `-${name}` : name;
        const cursor = Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
        clock.advance(200);
        const answer = await boss.call('GET', `${path}?sort=${sort}&${direction}=${cursor}`);
        if (answer.status !== 200) expect(answer).toMatchObject(refusal(400, 'invalid_request', { field: direction }));
      }),
      { numRuns: 100 },
    );
  });

  it('rows that come while somebody walks move no other row', async () => {
    for (const sort of ['created', '-created', 'label', '-label', 'account']) {
      const before = (await wholeOf('/portal/api/operator/numbers', sort)).map((row) => row.instance_id);
      let added = 0;
      const { ids } = await walk('/portal/api/operator/numbers', 'instance_id', sort, 2, async () => {
        clock.advance(1);
        await addNumber(accountId, `${'Aaz'[added++ % 3]} added`);
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((one) => before.includes(one as string))).toEqual(before);
    }
  });

  it('sorts names without regard to letter case, and what has no end last', async () => {
    const told = async (sort: string, field: string) => (await wholeOf('/portal/api/operator/accounts', sort)).map((row) => row[field]);
    const sorted = (await told('name', 'name')) as string[];
    expect(sorted.map((name) => name.toLowerCase())).toEqual(sorted.map((name) => name.toLowerCase()).toSorted());
    const ends = await told('ends', 'access_ends_at');
    expect(ends.slice(ends.indexOf(null)).every((end) => end === null)).toBe(true);
    const given = ends.slice(0, ends.indexOf(null)) as string[];
    expect(given).toEqual(given.toSorted());
    expect(given.length).toBeGreaterThan(2);
  });

  it.each([
    ['order by coalesce(state_at, instances.created_at), instances.id limit 51', /instances_since/],
    ["where restriction_reason = 'lost' or (state_event = 'lost' and restriction_reason is null)", /instances_restricted.*instances_state/],
  ])('numbers are in order since when they stand so, and found by reason, by an index: %s', async (clause, index) => {
    const query = `select instances.id from instances join accounts on accounts.id = instances.account_id ${clause}`;
    const plan = await gateway.app.store.transaction(async (trx) => {
      if (kind === 'sqlite') return sql.raw(`explain query plan ${query}`).execute(trx);
      // A small table is read whole whatever its indexes are.
      await sql`set local enable_seqscan = off`.execute(trx);
      return sql.raw(`explain ${query}`).execute(trx);
    });
    expect(JSON.stringify(plan.rows)).toMatch(index);
  });

  it('accounts are found by state, plan, end and numbers that need a person', async () => {
    // By name: several may be made in one millisecond, and then the time says nothing of their order.
    const found = async (query: string) =>
      (await page(`/portal/api/operator/accounts?${query}&limit=200&sort=name`)).rows.map(({ name }) => name);
    const made = async (name: string, terms: object, change?: object) => {
      const { accountId: id } = await gateway.customer({ name, ...terms });
      if (change !== undefined) expectOk(await boss.call('PATCH', `/portal/api/operator/accounts/${id}`, { body: change }));
      return id;
    };
    const trial = await gateway.plan({ trialMessages: 1 });
    await made('f suspended', {}, { status: 'suspended' });
    await made('f ended', { accessEndsAt: clock.now() - 1 });
    await made('f plan ended', { planEndsAt: clock.now() - 1 });
    await made('f no plan', {}, { plan: null });
    const used = await made('f trial', { plan: trial });
    await gateway.app.store.db.updateTable('accounts').set({ trial_used: 1 }).where('id', '=', used).execute();
    await made('f soon', { planEndsAt: clock.now() + 5 * day, accessEndsAt: clock.now() + 90 * day });
    const waiting = await made('f waiting', {});
    const customer = gateway.existing({
      accountId: waiting,
      key: (await createKey(gateway.app.store, waiting, { label: null }, at(clock.now()))).key,
    });
    const linked = await customer.linked('491700000077');
    expect(await found('search=f%20&needs_person=1')).toEqual([]);
    await customer.call('DELETE', `/v1/instances/${linked}?logout_only=true`);

    expect(await found('search=f%20&state=suspended')).toEqual(['f suspended']);
    expect(await found('search=f%20&state=ended')).toEqual(['f ended', 'f plan ended']);
    expect(await found('search=f%20&state=no_plan')).toEqual(['f no plan']);
    expect(await found('search=f%20&state=trial_used_up')).toEqual(['f trial']);
    expect(await found('search=f%20&state=active')).toEqual(['f soon', 'f waiting']);
    expect(await found('search=f%20&ends_within=7')).toEqual(['f soon']);
    expect(await found('search=f%20&ends_within=4')).toEqual([]);
    expect(await found('search=f%20&plan=none')).toEqual(['f no plan']);
    expect(await found('search=f%20&needs_person=1')).toEqual(['f waiting']);
    for (const [query, field] of [
      ['state=odd', 'state'],
      ['ends_within=0', 'ends_within'],
      ['needs_person=yes', 'needs_person'],
      ['sort=odd', 'sort'],
      ['after=WyJuYW1lIiwxLDJd', 'after'],
    ])
      expect(await boss.call('GET', `/portal/api/operator/accounts?${query}`)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });

  it('numbers are found by how they stand right now, people by role, changes by action, actor and time', async () => {
    const customer = await gateway.customer({ name: 'Stands' });
    const open = await customer.linked('491700000081');
    const lost = await customer.linked('491700000082');
    await customer.call('DELETE', `/v1/instances/${lost}?logout_only=true`);
    const pairing = expectOk(await customer.call('POST', '/v1/instances', { label: 'pairing' })).body.data.instance_id;
    const parked = await customer.linked('491700000083');
    await customer.call('DELETE', `/v1/instances/${parked}?logout_only=true`);
    await gateway.app.store.db.updateTable('instances').set({ restriction_reason: 'replaced' }).where('id', '=', parked).execute();
    const stand = async (query: string) =>
      (await page(`/portal/api/operator/numbers?account_id=${customer.accountId}&sort=created&${query}`)).rows.map(
        (row) => row.instance_id,
      );
    // With several servers, up to a second late.
    await expect.poll(() => stand('standing=connected')).toEqual([open]);
    await expect.poll(() => stand('standing=needs_person')).toEqual([lost, parked]);
    await expect.poll(() => stand('standing=pairing')).toEqual([pairing]);
    expect(await stand('standing=reconnecting')).toEqual([]);
    expect(await stand('standing=never_linked')).toEqual([]);
    expect(await stand('reason=replaced')).toEqual([parked]);
    expect(await stand('reason=restricted')).toEqual([parked]);
    expect(await stand('reason=version_refused')).toEqual([]);
    // A moment after it has happened.
    await expect.poll(() => stand('reason=disconnected')).toEqual([lost]);
    expect(await boss.call('GET', '/portal/api/operator/numbers?reason=odd')).toMatchObject(
      refusal(400, 'invalid_request', { field: 'reason' }),
    );
    const all = await page(`/portal/api/operator/numbers?account_id=${customer.accountId}&sort=created`);
    expect(all.rows.map(({ standing }) => standing)).toEqual(['connected', 'needs_person', 'pairing', 'needs_person']);

    const people = await page('/portal/api/operator/users?role=operator');
    expect(people.rows.map(({ email }) => email)).toEqual([boss.email]);
    const actions = async (query: string) => (await page(`/portal/api/operator/audit?limit=200&${query}`)).rows.map(({ action }) => action);
    expect(new Set(await actions('action=key.create'))).toEqual(new Set(['key.create']));
    expect((await actions('action=account')).every((action) => String(action).startsWith('account.'))).toBe(true);
    expect(await actions(`actor=${encodeURIComponent(boss.email.toUpperCase())}&action=account.suspend`)).toEqual(['account.suspend']);
    expect(await actions('actor=nobody@example.com')).toEqual([]);
    const before = new Date(clock.now() - 100 * day).toISOString();
    expect(await actions(`to=${before}&action=account`)).toEqual([]);
    expect((await actions(`from=${before}&action=account`)).length).toBeGreaterThan(5);
  });

  it('invitations are found by address and role, providers by name, id and state; their files hold what the lists hold', async () => {
    const invited = async (query: string, by = boss) =>
      (await page(`/portal/api/operator/invitations?sort=email&${query}`, by)).rows.map(({ email }) => email);
    expect(await invited('search=BETA')).toEqual(Array(3).fill('beta@example.com'));
    expect(await invited('role=member&search=a@')).toEqual([
      'alpha@example.com',
      'beta@example.com',
      'gamma@example.com',
      'zeta@example.com',
    ]);
    expect(await invited('role=operator')).toEqual([]);
    // The account is one of the admin's.
    expect(await invited('', admin)).toHaveLength(names.length);
    const foreign = await gateway.customer();
    const body = { email: 'elsewhere@example.com', role: 'owner', account_id: foreign.accountId };
    gateway.secrets.add(
      'the token of a link',
      expectOk(await boss.call('POST', '/portal/api/operator/invitations', { body }))
        .body.data.link.split('/')
        .at(-1),
    );
    expect(await invited('search=elsewhere')).toEqual(['elsewhere@example.com']);
    expect(await invited('search=elsewhere', admin)).toEqual([]);

    const providers = async (query: string, by = boss) => (await page(`/portal/api/operator/providers?${query}`, by)).rows;
    expect((await providers('search=ALPHA&sort=created')).map(({ name }) => name).toSorted()).toEqual(['Alpha', 'alpha']);
    expect((await providers('state=suspended')).map(({ name }) => name)).toEqual(['x']);
    const [x] = await providers('search=x');
    expect(await providers(`search=${x?.provider_id}`)).toEqual([x]);
    const counts = (await providers('sort=-accounts&limit=200')).map(({ accounts }) => Number(accounts));
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect((await providers('', admin)).map(({ provider_id }) => provider_id)).toEqual([admin.providerId]);
    expect(expectOk(await boss.call('GET', `/portal/api/operator/providers/${x?.provider_id}`)).body.data).toEqual({ ...x, admins: [] });
    expect(await admin.call('GET', `/portal/api/operator/providers/${x?.provider_id}`)).toMatchObject(refusal(404, 'not_found'));

    for (const [path, head, id] of [
      ['invitations', 'invitation_id,email,role,leads_to,created_at,expires_at', 'invitation_id'],
      ['providers', 'provider_id,name,status,accounts,numbers,number_capacity,default_plan_id,created_at', 'provider_id'],
    ] as const) {
      const lines = String(expectOk(await boss.call('GET', `/portal/api/operator/${path}.csv?sort=created`)).body)
        .replace(/^\uFEFF/, '')
        .trimEnd()
        .split('\r\n');
      expect(lines[0]).toBe(head);
      const { rows } = await page(`/portal/api/operator/${path}?sort=created&limit=200`);
      expect(lines.slice(1).map((line) => line.slice(0, line.indexOf(',')))).toEqual(rows.map((row) => row[id]));
    }
  });

  it('the ids of all that fits are those of its pages', async () => {
    const query = 'search=beta&sort=name';
    const { rows, total } = await page(`/portal/api/operator/accounts?${query}`);
    const { data } = expectOk(await boss.call('GET', `/portal/api/operator/accounts/ids?${query}`)).body;
    expect(data).toEqual({ ids: rows.map(({ account_id }) => account_id), total });
    expect(total).toBe(3);
  });

  it('a file holds what the list holds, and nothing that a spreadsheet would run', async () => {
    for (const [place, name] of ['=1+1', '+44', '-2', '@SUM(A1)', '  plain', 'with, comma "and" quotes'].entries()) {
      await gateway.customer({ name: name.trim() === name ? name : `csv ${place}`, providerId: admin.providerId });
    }
    const answer = expectOk(await admin.call('GET', '/portal/api/operator/accounts.csv?sort=created'));
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="accounts-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = String(answer.body).replace(/^﻿/, '').trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'account_id,name,provider,status,plan,plan_ends_at,access_ends_at,numbers,number_limit,needs_person,sends_of_last_day,failed_of_last_day,keys_in_use,trial_used,created_at',
    );
    const { rows } = await page('/portal/api/operator/accounts?sort=created&limit=200', admin);
    expect(lines.slice(1).map((line) => line.slice(0, line.indexOf(',')))).toEqual(rows.map(({ account_id }) => account_id));
    const text = lines.join('\n');
    for (const harmless of [",'=1+1,", ",'+44,", ",'-2,", ",'@SUM(A1),", '"with, comma ""and"" quotes"']) expect(text).toContain(harmless);
    expect(text).not.toMatch(/,"?[=+@-][^,]/);
    // It is bounded by the minute.
    const answers = [];
    for (let count = 0; count < 20; count++) answers.push((await admin.call('GET', '/portal/api/operator/numbers.csv')).status);
    expect(answers).toEqual([...Array(19).fill(200), 429]);
  });
});
