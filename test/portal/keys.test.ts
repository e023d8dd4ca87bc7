import { beforeEach, describe, expect, it } from 'vitest';
import { createKey, createPassingKey, revokeKey } from '../../src/accounts/index.ts';
import { listAudit } from '../../src/audit/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const path = '/portal/api/keys';

describe('keys in the portal', () => {
  const clock = createManualClock();
  let customer: Customer;
  let member: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
    member = await memberOf(gateway, customer.accountId);
  });
  const make = async (body: unknown, by = member) => {
    const answer = await by.call('POST', path, { body });
    if (answer.status === 200) gateway.secrets.addKey(answer.body.data.key);
    return answer;
  };
  const list = async (by = member) => expectOk(await by.call('GET', path)).body.data.rows;
  const use = (key: string) => gateway.call('GET', '/v1/instances', { key });

  it('are made and told once, and work at once [key.portal]', async () => {
    const { data } = expectOk(await make({ label: '  shop ' })).body;
    expect(data).toEqual({
      key_id: expect.any(String),
      prefix: data.key.slice(0, 12),
      label: 'shop',
      created_at: new Date(clock.now()).toISOString(),
      last_used_at: null,
      revoked_at: null,
      key: expect.stringMatching(/^mgw_[a-z0-9]{8}_[a-z0-9]+$/),
    });
    expect(outcome(await use(data.key))).toBe('200');
    const { key: _, ...shown } = data;
    await waitFor(async () => expect((await list()).at(-1)).toEqual({ ...shown, last_used_at: new Date(clock.now()).toISOString() }));
    expect(JSON.stringify(await list())).not.toContain(data.key);
  });

  it('need no label, but none that is no label', async () => {
    for (const body of [undefined, {}, { label: null }]) expect(expectOk(await make(body)).body.data.label).toBeNull();
    for (const body of [{ label: ' ' }, { label: 'x'.repeat(61) }, { label: 'a\nb' }, { label: 7 }, []])
      expect(await make(body), JSON.stringify(body)).toMatchObject(
        refusal(400, 'invalid_request', Array.isArray(body) ? undefined : { field: 'label' }),
      );
    expect(await list()).toHaveLength(1 + 3);
  });

  it('are bounded in number', async () => {
    for (let i = 1; i < 100; i++) expectOk(await make({}));
    expect(await make({})).toMatchObject(refusal(409, 'conflict'));
    const [{ key_id }] = await list();
    expectOk(await member.call('DELETE', `${path}/${key_id}`));
    expectOk(await make({}));
  });

  it('are revoked from the next request on, once [key.portal]', async () => {
    const { data } = expectOk(await make({ label: 'old' })).body;
    const revoked = expectOk(await member.call('DELETE', `${path}/${data.key_id.toUpperCase()}`)).body.data;
    const { key, ...shown } = data;
    expect(revoked).toEqual({ ...shown, revoked_at: new Date(clock.now()).toISOString() });
    expect(outcome(await use(key))).toBe('401 invalid_api_key');
    clock.advance(1000);
    expect(expectOk(await member.call('DELETE', `${path}/${data.key_id}`)).body.data).toEqual(revoked);
    expect((await list()).at(-1)).toEqual(revoked);
  });

  it('are listed apart while in use and when revoked, the last revoked first', async () => {
    const { store } = gateway.app;
    const revoked: string[] = [];
    for (let i = 0; i < 3; i++) {
      clock.advance(1);
      const { id } = await createKey(store, customer.accountId, { label: null }, at(clock.now()));
      revoked.unshift((await revokeKey(store, id, at(clock.now()))).id);
    }
    const { data } = expectOk(await member.call('GET', `${path}?state=revoked&sort=-revoked&limit=2`)).body;
    expect(data.total).toBe(3);
    expect(data.rows.map(({ key_id }: { key_id: string }) => key_id)).toEqual(revoked.slice(0, 2));
    const inUse = expectOk(await member.call('GET', `${path}?state=in_use`)).body.data;
    expect([inUse.total, inUse.rows[0].revoked_at]).toEqual([1, null]);
  });

  it("leave another account's alone, and the command line's own unseen", async () => {
    const stranger = await gateway.customer();
    const { key } = await createPassingKey(gateway.app.store, customer.accountId, { ttlMs: 60_000, now: clock.now() });
    gateway.secrets.addKey(key);
    expect(await list()).toHaveLength(1);
    const foreign = await memberOf(gateway, stranger.accountId, 'owner');
    const [{ key_id }] = await list(foreign);
    for (const id of [key_id, 'no-such-key']) expect(await member.call('DELETE', `${path}/${id}`)).toMatchObject(refusal(404, 'not_found'));
    expect(outcome(await use(stranger.key))).toBe('200');
  });

  it('are changed in the name of the person, also of an operator who acts for the account', async () => {
    const admin = await operator(gateway);
    expect(await admin.call('GET', path)).toMatchObject(refusal(403, 'forbidden'));
    admin.account = customer.accountId;
    const { key_id, prefix } = expectOk(await make({}, admin)).body.data;
    expectOk(await member.call('DELETE', `${path}/${key_id}`));
    const entries = await listAudit(gateway.app.store, { accountId: customer.accountId, limit: 2 });
    expect(entries).toMatchObject([
      { action: 'key.revoke', actor_kind: 'user', actor_id: member.userId, actor_name: member.email, target_id: key_id },
      { action: 'key.create', actor_kind: 'user', actor_id: admin.userId, actor_name: admin.email, target_id: key_id },
    ]);
    expect(JSON.stringify(entries)).toContain(prefix);
  });
});
