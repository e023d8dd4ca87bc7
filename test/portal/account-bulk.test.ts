import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/operator/accounts';
const dayMs = 24 * 60 * 60 * 1000;

describe('plans and ends of many accounts', () => {
  const clock = createManualClock();
  let boss: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
  });
  beforeEach(() => clock.advance(60_000));

  const inDays = (days: number) => new Date(clock.now() + days * dayMs).toISOString();
  const bulk = (ids: readonly string[], body: object) => boss.call('POST', `${path}/bulk`, { body: { ids, ...body } });
  const results = async (ids: readonly string[], body: object) => expectOk(await bulk(ids, body)).body.data.results;
  const termsOf = async (id: string) => {
    const { plan, plan_starts_at, plan_ends_at, access_ends_at } = expectOk(await boss.call('GET', `${path}/${id}`)).body.data;
    return { plan: plan?.name ?? null, plan_starts_at, plan_ends_at, access_ends_at };
  };
  async function account(terms: object): Promise<string> {
    return expectOk(await boss.call('POST', path, { body: { name: 'Corner Books', ...terms } })).body.data.account_id;
  }

  it('a change of plan says of each account from what to what, and that access ends as before', async () => {
    const [planEnd, accessEnd] = [inDays(3), inDays(5)];
    const id = await account({ plan: 'starter', plan_ends_at: planEnd, access_ends_at: accessEnd });
    const [shown] = await results([id], { action: 'plan', plan: 'business', preview: true });
    expect(shown).toMatchObject({
      outcome: 'possible',
      before: { plan_name: 'starter', plan_ends_at: planEnd, access_ends_at: accessEnd },
      after: { plan_name: 'business', plan_ends_at: null, access_ends_at: accessEnd },
    });
    expect(await termsOf(id)).toMatchObject({ plan: 'starter', plan_ends_at: planEnd });
    expect(await results([id], { action: 'plan', plan: 'business' })).toEqual([{ ...shown, outcome: 'done' }]);
    expect(await termsOf(id)).toMatchObject({ plan: 'business', plan_ends_at: null, access_ends_at: accessEnd });
  });

  it('are extended to a day with the plan they have: both ends, each as it was announced and audited as a change of one', async () => {
    const id = await account({ plan: 'starter', plan_ends_at: inDays(3), access_ends_at: inDays(5) });
    const { plan_starts_at } = await termsOf(id);
    const until = inDays(90);
    const [shown] = await results([id], { action: 'extend', until, preview: true });
    expect(shown).toMatchObject({ outcome: 'possible', after: { plan_name: 'starter', plan_ends_at: until, access_ends_at: until } });
    const entries = await auditOf(gateway.app.store, async () => {
      expect(await results([id], { action: 'extend', until })).toEqual([{ ...shown, outcome: 'done' }]);
    });
    const { plan_ends_at, access_ends_at } = shown.before;
    const details = { plan_ends_at: { from: plan_ends_at, to: until }, access_ends_at: { from: access_ends_at, to: until } };
    expect(entries).toMatchObject([{ action: 'account.update', actor_id: boss.userId, account_id: id, details }]);
    expect(await termsOf(id)).toEqual({ plan: 'starter', plan_starts_at, plan_ends_at: until, access_ends_at: until });
  });

  it('are extended by days: what is left is kept, and what is over can be used again', async () => {
    const running = await account({ plan: 'starter', plan_ends_at: inDays(3), access_ends_at: inDays(5) });
    const customer = await gateway.customer({ name: 'Old Mill', plan: 'starter' });
    expectOk(
      await boss.call('PATCH', `${path}/${customer.accountId}`, { body: { plan_ends_at: inDays(-10), access_ends_at: inDays(-10) } }),
    );
    expect(outcome(await customer.call('GET', '/v1/instances'))).toBe('403 access_expired');
    await results([running, customer.accountId], { action: 'extend', days: 30 });
    expect(await termsOf(running)).toMatchObject({ plan_ends_at: inDays(33), access_ends_at: inDays(35) });
    expect(await termsOf(customer.accountId)).toMatchObject({ plan_ends_at: inDays(30), access_ends_at: inDays(30) });
    expect(outcome(await customer.call('POST', '/v1/instances', {}))).toBe('200');
  });

  it('never end earlier by it: what ends later or has no end stays', async () => {
    const until = inDays(30);
    const never = await account({ plan: 'starter' });
    const later = await account({ plan: 'starter', plan_ends_at: inDays(60), access_ends_at: inDays(30) });
    const half = await account({ plan: 'starter', plan_ends_at: inDays(60), access_ends_at: inDays(2) });
    const planless = await account({ access_ends_at: inDays(2) });
    expect(await results([never, later, half, planless], { action: 'extend', until })).toMatchObject([
      { outcome: 'skipped', reason: { code: 'nothing_to_do', message: 'It has no end.' }, after: null },
      { outcome: 'skipped', reason: { code: 'nothing_to_do', message: 'It does not end before that day.' } },
      { outcome: 'done', after: { plan_ends_at: inDays(60), access_ends_at: until } },
      { outcome: 'done', after: { plan: null, plan_ends_at: null, access_ends_at: until } },
    ]);
    expect(await termsOf(never)).toMatchObject({ plan_ends_at: null, access_ends_at: null });
  });

  it('are restored to what each was before, whatever was done to them', async () => {
    const ids = [
      await account({ plan: 'starter', plan_ends_at: inDays(3), access_ends_at: inDays(5) }),
      await account({ plan: 'business', access_ends_at: inDays(7) }),
      await account({ access_ends_at: inDays(9) }),
    ];
    const were = await Promise.all(ids.map(termsOf));
    const extended = await results(ids, { action: 'extend', days: 30 });
    const terms = Object.fromEntries(extended.map(({ id, before }: { id: string; before: object }) => [id, before]));
    expect(await results(ids, { action: 'restore', terms })).toMatchObject(ids.map((id) => ({ id, outcome: 'done' })));
    expect(await Promise.all(ids.map(termsOf))).toEqual(were);
    await results(ids, { action: 'plan', plan: 'scale' });
    await results(ids, { action: 'restore', terms });
    const ended = (await Promise.all(ids.map(termsOf))).map(({ plan_starts_at, ...others }) => others);
    expect(ended).toEqual(were.map(({ plan_starts_at, ...others }) => others));
    expect(await results(ids.slice(0, 1), { action: 'restore', terms: {} })).toMatchObject([{ outcome: 'skipped' }]);
  });

  it('are in doubt where the server failed on one: repeated, it could be extended twice', async () => {
    const id = await account({ access_ends_at: inDays(3) });
    const spy = vi.spyOn(gateway.app.store, 'transaction').mockRejectedValue(new StoreUnavailable('the disk is full'));
    try {
      const doubt = { outcome: 'unknown', reason: { code: 'upstream_unavailable' } };
      expect(await results([id], { action: 'extend', days: 30 })).toMatchObject([doubt]);
    } finally {
      spy.mockRestore();
    }
  });

  it('say whose word a suspension was before', async () => {
    const admin = await providerAdmin(gateway, 'default');
    const [theirs, own, active] = [await account({}), await account({}), await account({})];
    for (const [by, id] of [
      [admin, theirs],
      [boss, own],
    ] as const)
      expectOk(await by.call('PATCH', `${path}/${id}`, { body: { status: 'suspended' } }));
    expect(await results([theirs, own, active], { action: 'resume', preview: true })).toMatchObject([
      { before: { status: 'suspended', suspended_by: 'provider' } },
      { before: { status: 'suspended', suspended_by: 'operator' } },
      { before: { status: 'active', suspended_by: null } },
    ]);
  });

  it('are refused with the field that does not fit', async () => {
    const id = await account({ plan: 'starter' });
    const bad: [object, string][] = [
      [{ action: 'extend' }, 'until'],
      [{ action: 'extend', until: inDays(1), days: 1 }, 'until'],
      [{ action: 'extend', until: inDays(-1) }, 'until'],
      [{ action: 'extend', until: 'tomorrow' }, 'until'],
      [{ action: 'extend', days: 0 }, 'days'],
      [{ action: 'extend', days: 1.5 }, 'days'],
      [{ action: 'plan', plan: null, plan_ends_at: inDays(1) }, 'plan_ends_at'],
    ];
    for (const [body, field] of bad)
      expect(await bulk([id], body), JSON.stringify(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });
});
