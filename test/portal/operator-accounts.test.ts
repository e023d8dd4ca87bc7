import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, newProvider, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const path = '/portal/api/operator/accounts';

describe.each(storeKinds)('accounts in the hands of operators on %s', (kind) => {
  const clock = createManualClock();
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
  });
  beforeEach(() => clock.advance(60_000));

  const make = (body: object, by: SignedIn = boss) => by.call('POST', path, { body });
  const made = async (body: object, by?: SignedIn) => expectOk(await make(body, by)).body.data;
  const change = (id: string, body: object, by: SignedIn = boss) => by.call('PATCH', `${path}/${id}`, { body });
  const names = async (by: SignedIn, query = '') =>
    expectOk(await by.call('GET', `${path}${query}`)).body.data.rows.map(({ name }: { name: string }) => name);

  it('are made with everything they can have', async () => {
    const data = await made({
      name: ' Acme ',
      provider_id: admin.providerId,
      plan: 'business',
      plan_ends_at: '2027-01-01',
      access_ends_at: '2027-06-30T12:00:00+02:00',
      instance_limit: 7,
    });
    const { invitation, ...account } = data;
    expect(invitation).toBeNull();
    expect(account).toEqual({
      account_id: expect.any(String),
      name: 'Acme',
      provider_id: admin.providerId,
      provider_name: expect.any(String),
      status: 'active',
      suspended_by: null,
      provider_status: 'active',
      plan: {
        plan_id: expect.any(String),
        name: 'business',
        messages_per_minute: 300,
        instance_limit: 25,
        trial_message_limit: null,
        created_at: expect.any(String),
      },
      plan_starts_at: new Date(clock.now()).toISOString(),
      plan_ends_at: '2027-01-01T00:00:00.000Z',
      access_ends_at: '2027-06-30T10:00:00.000Z',
      instance_limit: 7,
      operator: false,
      free_slots: null,
      trial_used: 0,
      numbers: 0,
      live_keys: 0,
      created_at: new Date(clock.now()).toISOString(),
      reference: null,
      members: [],
    });
    expect(expectOk(await boss.call('GET', `${path}/${data.account_id.toUpperCase()}`)).body.data).toEqual(account);
  });

  it('are changed in part, which holds from the next request on and is audited', async () => {
    const customer = await gateway.customer({ name: 'Before' });
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    const entries = await auditOf(gateway.app.store, async () => {
      const data = expectOk(await change(customer.accountId, { name: 'After', status: 'suspended' })).body.data;
      expect(data).toMatchObject({ name: 'After', status: 'suspended', plan: { name: 'scale' } });
      expect(data.members).toMatchObject([{ user_id: owner.userId, role: 'owner' }]);
    });
    expect(entries).toMatchObject([
      { action: 'account.suspend', actor_kind: 'user', actor_id: boss.userId, actor_name: boss.email, account_id: customer.accountId },
    ]);
    expect(outcome(await customer.call('GET', '/v1/instances'))).toBe('403 account_suspended');
    expectOk(await change(customer.accountId, { status: 'active', plan: null }));
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('402 no_active_subscription');
    expectOk(await change(customer.accountId, { plan: 'trial', plan_ends_at: new Date(clock.now() - 1).toISOString() }));
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('402 subscription_expired');
    expectOk(await change(customer.accountId, { plan_ends_at: null, instance_limit: 0 }));
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('403 instance_limit_reached');
    expectOk(await change(customer.accountId, { operator: true, free_slots: 1, instance_limit: null }));
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('200');
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('403 admin_free_slot_limit_reached');
    expect(expectOk(await change(customer.accountId, { operator: false })).body.data).toMatchObject({ operator: false, free_slots: null });
    expect(await auditOf(gateway.app.store, async () => expectOk(await change(customer.accountId, { name: 'After' })))).toEqual([]);
  });

  it('are refused with the field that does not fit', async () => {
    const { account_id } = await made({ name: 'No plan' });
    const bad: [object, string][] = [
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ name: 7 }, 'name'],
      [{ plan: 'gold' }, 'plan'],
      [{ plan: 'a\u0000b' }, 'plan'],
      [{ plan: 7 }, 'plan'],
      [{ plan_ends_at: '2027-01-01' }, 'plan_ends_at'],
      [{ plan: 'trial', plan_ends_at: 'tomorrow' }, 'plan_ends_at'],
      [{ access_ends_at: '2027-02-30' }, 'access_ends_at'],
      [{ access_ends_at: 1 }, 'access_ends_at'],
      [{ provider_id: 'nobody' }, 'provider_id'],
      [{ provider_id: '\u0000' }, 'provider_id'],
      [{ status: 'closed' }, 'status'],
      [{ instance_limit: -1 }, 'instance_limit'],
      [{ instance_limit: 1.5 }, 'instance_limit'],
      [{ instance_limit: 1_000_001 }, 'instance_limit'],
      [{ operator: 'yes' }, 'operator'],
      [{ operator: true }, 'free_slots'],
      [{ operator: true, free_slots: null }, 'free_slots'],
      [{ free_slots: 3 }, 'free_slots'],
    ];
    for (const [body, field] of bad) {
      expect(await change(account_id, body), JSON.stringify(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
      expect(await make({ name: 'New', ...body }), JSON.stringify(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
    }
    expect(await make({})).toMatchObject(refusal(400, 'invalid_request', { field: 'name' }));
    expect(await names(boss, '?search=New')).toEqual([]);
    for (const id of ['nope', '%00', '0190a0a0-0000-7000-8000-000000000001', 'x'.repeat(300)]) {
      expect(outcome(await boss.call('GET', `${path}/${id}`))).toBe('404 not_found');
      expect(outcome(await change(id, { name: 'x' }))).toBe('404 not_found');
    }
  });

  it('are found by a part of the name in any case, by id and by provider', async () => {
    const { account_id } = await made({ name: '100% Größe_x' });
    await made({ name: 'Other' });
    expect(await names(boss, `?search=${encodeURIComponent('größe')}`)).toEqual(['100% Größe_x']);
    expect(await names(boss, '?search=0%25%20GR')).toEqual(['100% Größe_x']);
    expect(await names(boss, `?search=${account_id.toUpperCase()}`)).toEqual(['100% Größe_x']);
    // What a database takes for any text is itself here.
    expect(await names(boss, '?search=1_0')).toEqual([]);
    expect(await names(boss, '?search=%25%25')).toEqual([]);
    expect(await names(boss, '?search=%5C')).toEqual([]);
    expect((await names(boss, '?search=%20'))[0]).toBe('Other');
    expect(await names(boss, `?provider_id=${admin.providerId}`)).toEqual(['Acme']);
    for (const query of [`?search=${'x'.repeat(101)}`, '?search=a&search=b', '?search=%00', '?search=%0a'])
      expect(await boss.call('GET', path + query)).toMatchObject(refusal(400, 'invalid_request', { field: 'search' }));
  });

  it("of a provider are all that its admin sees, and other providers' are as if they were not there", async () => {
    const theirs = await made({ name: 'Theirs', plan: 'trial' }, admin);
    expect(theirs).toMatchObject({ provider_id: admin.providerId, plan: { name: 'trial' } });
    const foreign = await made({ name: 'Foreign' });
    const seen = expectOk(await admin.call('GET', path)).body.data;
    expect(seen.total).toBe(seen.rows.length);
    expect(new Set(seen.rows.map(({ provider_id }: { provider_id: string }) => provider_id))).toEqual(new Set([admin.providerId]));
    expect(await names(admin, '?search=Foreign')).toEqual([]);
    expect(outcome(await admin.call('GET', `${path}?provider_id=default`))).toBe('404 not_found');
    expect(expectOk(await change(theirs.account_id, { status: 'suspended', plan: 'starter' }, admin)).body.data.status).toBe('suspended');

    const unknown = '0190a0a0-0000-7000-8000-000000000001';
    const without = ({ status, body }: { status: number; body: { error: object } }) => ({ status, error: body.error });
    for (const ask of [(id: string) => admin.call('GET', `${path}/${id}`), (id: string) => change(id, { name: 'Mine now' }, admin)])
      expect(without(await ask(foreign.account_id))).toEqual(without(await ask(unknown)));
    expect((await boss.call('GET', `${path}/${foreign.account_id}`)).body.data.name).toBe('Foreign');

    for (const [field, value] of [
      ['provider_id', admin.providerId],
      ['operator', true],
      ['free_slots', 3],
    ] as const) {
      expect(await change(theirs.account_id, { [field]: value }, admin)).toMatchObject(refusal(403, 'forbidden', { field }));
      const making = { name: 'More', [field]: field === 'provider_id' ? 'default' : value };
      expect(await make(making, admin)).toMatchObject(refusal(403, 'forbidden', { field }));
    }
  });

  it('are made for the provider that the admin of several names, who has to name one', async () => {
    const [both, second] = [await providerAdmin(gateway), await newProvider(gateway)];
    const { db } = gateway.app.store;
    const membership = { id: `both-${kind}`, user_id: both.userId, role: 'provider_admin', account_id: null, created_at: 1 } as const;
    await db
      .insertInto('memberships')
      .values({ ...membership, provider_id: second })
      .execute();
    for (const provider_id of [both.providerId, second])
      expect(await made({ name: 'Chosen', provider_id }, both)).toMatchObject({ provider_id });
    expect(await make({ name: 'Unchosen' }, both)).toMatchObject(refusal(400, 'invalid_request', { field: 'provider_id' }));
    for (const provider_id of [admin.providerId, 'default', 'nobody'])
      expect(await make({ name: 'Foreign', provider_id }, both)).toMatchObject(refusal(403, 'forbidden', { field: 'provider_id' }));
    expect(await made({ name: 'The only one' }, admin)).toMatchObject({ provider_id: admin.providerId });
    expect(await made({ name: 'The only one', provider_id: admin.providerId }, admin)).toMatchObject({ provider_id: admin.providerId });
  });

  it('and plans and providers are made by operators; provider admins choose among the plans', async () => {
    const plans = '/portal/api/operator/plans';
    const plan = { name: 'pro', messages_per_minute: 600, instance_limit: 50 };
    const { data } = expectOk(await boss.call('POST', plans, { body: plan })).body;
    expect(data).toEqual({
      ...plan,
      plan_id: expect.any(String),
      trial_message_limit: null,
      is_default: false,
      created_at: new Date(clock.now()).toISOString(),
    });
    const changed = expectOk(
      await boss.call('PATCH', `${plans}/${data.plan_id}`, { body: { instance_limit: 60, trial_message_limit: 5 } }),
    );
    expect(changed.body.data).toEqual({ ...data, instance_limit: 60, trial_message_limit: 5 });
    expect(expectOk(await admin.call('GET', plans)).body.data.plans).toContainEqual(changed.body.data);
    for (const [body, field] of [
      [{ ...plan, name: 'trial' }, 'name'],
      [{ ...plan, name: 'none' }, 'name'],
      [{ ...plan, name: data.plan_id }, 'name'],
      [{ ...plan, name: 'more', messages_per_minute: 0 }, 'messages_per_minute'],
      [{ ...plan, name: 'more', instance_limit: '5' }, 'instance_limit'],
      [{ ...plan, name: 'more', trial_message_limit: 0 }, 'trial_message_limit'],
    ] as const)
      for (const answer of [await boss.call('POST', plans, { body }), await boss.call('PATCH', `${plans}/${data.plan_id}`, { body })])
        expect(answer, JSON.stringify(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
    expect(outcome(await boss.call('PATCH', `${plans}/nope`, { body: { name: 'x' } }))).toBe('404 not_found');

    const providers = '/portal/api/operator/providers';
    const north = expectOk(await boss.call('POST', providers, { body: { name: 'North', number_capacity: 5 } })).body.data;
    await made({ name: 'In the north', provider_id: north.provider_id });
    expect(expectOk(await boss.call('GET', `${providers}?limit=200`)).body.data.rows).toContainEqual({
      provider_id: north.provider_id,
      name: 'North',
      status: 'active',
      number_capacity: 5,
      default_plan_id: null,
      accounts: 1,
      numbers: 0,
      created_at: new Date(clock.now()).toISOString(),
    });
    const suspended = await boss.call('PATCH', `${providers}/${north.provider_id}`, {
      body: { status: 'suspended', number_capacity: null },
    });
    expect(expectOk(suspended).body.data).toMatchObject({ name: 'North', status: 'suspended', number_capacity: null, accounts: 1 });
    expect(await boss.call('POST', providers, { body: { name: '' } })).toMatchObject(refusal(400, 'invalid_request', { field: 'name' }));
    expect(outcome(await boss.call('PATCH', `${providers}/nope`, { body: {} }))).toBe('404 not_found');

    const owner = await memberOf(gateway, (await gateway.customer()).accountId, 'owner');
    for (const [person, endpoints] of [
      [admin, [`POST ${plans}`, `PATCH ${plans}/${data.plan_id}`, `POST ${providers}`]],
      [owner, [`GET ${plans}`, `GET ${providers}`, `GET ${path}`, `POST ${path}`]],
    ] as const)
      for (const endpoint of endpoints) {
        const [method = '', where = ''] = endpoint.split(' ');
        const body = method === 'GET' ? {} : { body: { ...plan, name: 'theirs' } };
        expect(outcome(await person.call(method, where, body)), endpoint).toBe('403 forbidden');
      }
  });

  it('are listed with their numbers that need a person and their sends of the last day', async () => {
    const busy = await gateway.customer({ name: 'Listed busy', providerId: admin.providerId });
    await gateway.customer({ name: 'Listed quiet', providerId: admin.providerId });
    for (const number of ['491710000301', '491710000302', '491710000303']) await busy.linked(number);
    await busy.call('POST', '/v1/instances', {});
    for (const phone_number of ['491710000301', '491710000302']) expectOk(await busy.call('POST', '/sandbox/unlink', { phone_number }));
    const hour = Math.floor(clock.now() / 3_600_000);
    const ends = [
      { hour, code: '', count: 5 },
      { hour: hour - 23, code: '', count: 7 },
      { hour: hour - 24, code: '', count: 100 },
      { hour, code: 'upstream_unavailable', count: 2 },
      { hour, code: 'invalid_recipient', count: 30 },
    ];
    await gateway.app.store.db
      .insertInto('send_outcomes')
      .values(ends.map((end) => ({ ...end, account_id: busy.accountId })))
      .execute();
    await waitFor(async () => {
      const rows = expectOk(await admin.call('GET', `${path}?search=Listed&sort=name`)).body.data.rows;
      expect(rows).toMatchObject([
        { name: 'Listed busy', numbers: 4, needs_person: 2, sends: { accepted: 12, failed: 2 } },
        { name: 'Listed quiet', numbers: 0, needs_person: 0, sends: { accepted: 0, failed: 0 } },
      ]);
    });
    expect(await names(admin, '?search=Listed&needs_person=1')).toEqual(['Listed busy']);
    const file = expectOk(await admin.call('GET', `${path}.csv?search=Listed&sort=name`)).body;
    expect(String(file)).toMatch(/Listed busy,.*,4,\d+,2,12,2,/);
  });

  // Transactions run side by side on PostgreSQL only.
  if (kind === 'postgres')
    it('are not changed by an admin of the provider that they leave at that moment', async () => {
      const { accountId, linked } = await gateway.customer({ name: 'Leaving', providerId: admin.providerId });
      const instanceId = await linked();
      // What a member may do is not what lets them in here.
      const membership = { role: 'member', provider_id: null, account_id: accountId, created_at: clock.now() } as const;
      await gateway.app.store.db
        .insertInto('memberships')
        .values({ id: newId(), user_id: admin.userId, ...membership })
        .execute();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: held, resolve: hasHeld } = Promise.withResolvers<void>();
      const { store } = gateway.app;
      const moving = store.transaction(async (trx) => {
        // The holder waits longer than the gateway may on a slow machine.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        await trx.updateTable('accounts').set({ provider_id: 'default' }).where('id', '=', accountId).execute();
        hasHeld();
        await released;
      });
      await held;
      const changes = [
        admin.call('PUT', `${path}/${accountId}/note`, { body: { text: 'Late' } }),
        admin.call('PATCH', `/v1/instances/${instanceId}`, { account: accountId, body: { label: 'Late' } }),
        change(accountId, { name: 'Leaving' }, admin),
      ];
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await waitFor(async () => expect((await waiting.execute(store.db)).rows.length).toBeGreaterThanOrEqual(changes.length));
      release();
      await moving;
      const refused = '409 conflict';
      expect((await Promise.all(changes)).map(outcome)).toEqual([refused, refused, refused]);
    });
});
