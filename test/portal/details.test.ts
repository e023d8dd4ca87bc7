import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { newId } from '../../src/core/index.ts';
import { invite, removeRole, withdrawInvitation } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const dayMs = 24 * 60 * 60 * 1000;
const unknown = '0190a0a0-0000-7000-8000-000000000001';

describe('one person, key, provider, invitation', () => {
  const clock = createManualClock();
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let theirs: Customer;
  let foreign: Customer;
  let owner: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    theirs = await gateway.customer({ name: 'Theirs', providerId: admin.providerId });
    foreign = await gateway.customer({ name: 'Foreign' });
    owner = await memberOf(gateway, theirs.accountId, 'owner');
  });
  beforeEach(() => clock.advance(60_000));

  const now = () => new Date(clock.now()).toISOString();
  const get = async (by: SignedIn, path: string) => expectOk(await by.call('GET', path)).body.data;
  const act = (by = boss) => ({ actor: { kind: 'user', id: by.userId, name: by.email }, now: clock.now() }) as const;

  it('a person: their roles in reach, language, and in how many browsers they are signed in', async () => {
    const path = `/portal/api/operator/users/${owner.userId}`;
    expectOk(await owner.call('PUT', '/portal/api/language', { body: { language: 'es' } }));
    expect(await get(boss, `/portal/api/operator/users/${owner.userId.toUpperCase()}`)).toEqual({
      user_id: owner.userId,
      email: owner.email,
      email_verified: false,
      name: 'owner',
      two_factor: false,
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      language: 'es',
      browsers: 1,
      memberships: [{ role: 'owner', account_id: theirs.accountId, account_name: 'Theirs', provider_id: null, provider_name: null }],
    });
    const { store } = gateway.app;
    const elsewhere = { role: 'member', accountId: foreign.accountId, providerId: null } as const;
    const link = { role: 'member', provider_id: null, account_id: foreign.accountId } as const;
    await store.db
      .insertInto('memberships')
      .values({ ...link, id: newId(), user_id: owner.userId, created_at: clock.now() })
      .execute();
    expect((await get(boss, path)).memberships).toHaveLength(2);
    expect(await get(admin, path)).toMatchObject({ memberships: [{ account_name: 'Theirs' }] });
    await removeRole(store, owner.userId, elsewhere, { lastToo: true }, act());
    // Whoever has no role in reach is nobody.
    for (const id of [boss.userId, unknown, 'no id'])
      expect(await admin.call('GET', `/portal/api/operator/users/${encodeURIComponent(id)}`)).toMatchObject(refusal(404, 'not_found'));
    expect(await owner.call('GET', path)).toMatchObject(refusal(403, 'forbidden'));
  });

  it('a key: who made and who revoked it, for everybody of its account', async () => {
    const member = await memberOf(gateway, theirs.accountId);
    const { id, prefix } = await createKey(gateway.app.store, theirs.accountId, { label: 'till' }, at(clock.now()));
    const path = `/portal/api/keys/${id}`;
    const made = { key_id: id, prefix, label: 'till', created_at: now(), last_used_at: null };
    expect(await get(member, path)).toEqual({
      ...made,
      revoked_at: null,
      created_by: { kind: 'command_line', name: null },
      revoked_by: null,
    });
    clock.advance(1000);
    expectOk(await owner.call('DELETE', path));
    expect(await get(member, `/portal/api/keys/${id.toUpperCase()}`)).toEqual({
      ...made,
      revoked_at: now(),
      created_by: { kind: 'command_line', name: null },
      revoked_by: { kind: 'user', name: owner.email },
    });
    // Administrators name the account; everybody else has no such key.
    const { body } = expectOk(await boss.call('GET', path, { account: theirs.accountId }));
    expect(body.data.key_id).toBe(id);
    expect(await boss.call('GET', path, { account: foreign.accountId })).toMatchObject(refusal(404, 'not_found'));
    await gateway.app.store.db.deleteFrom('audit_log').where('target_id', '=', id).execute();
    expect(await get(member, path)).toMatchObject({ created_by: null, revoked_by: null });
  });

  it('a member of an account, to its owners, without where else they have a role', async () => {
    const member = await memberOf(gateway, theirs.accountId);
    await gateway.app.store.db
      .insertInto('memberships')
      .values({
        id: newId(),
        user_id: member.userId,
        role: 'owner',
        provider_id: null,
        account_id: foreign.accountId,
        created_at: clock.now(),
      })
      .execute();
    const path = `/portal/api/members/${member.userId}`;
    expect(await get(owner, `/portal/api/members/${member.userId.toUpperCase()}`)).toEqual({
      user_id: member.userId,
      email: member.email,
      name: 'member',
      role: 'member',
      two_factor: false,
      joined_at: now(),
      last_seen_at: expect.any(String),
    });
    await gateway.app.store.db.deleteFrom('user_sessions').where('user_id', '=', member.userId).execute();
    expect(expectOk(await admin.call('GET', path, { account: theirs.accountId })).body.data).toMatchObject({ last_seen_at: null });
    const plain = await memberOf(gateway, theirs.accountId);
    expect(await plain.call('GET', path)).toMatchObject(refusal(403, 'forbidden'));
    const stranger = await memberOf(gateway, foreign.accountId, 'owner');
    for (const [by, id] of [
      [owner, stranger.userId],
      [owner, boss.userId],
      [owner, unknown],
      [owner, 'no id'],
      [stranger, owner.userId],
    ] as const)
      expect(await by.call('GET', `/portal/api/members/${encodeURIComponent(id)}`)).toMatchObject(refusal(404, 'not_found'));
  });

  it('a provider with its admins', async () => {
    const found = await get(admin, `/portal/api/operator/providers/${admin.providerId}`);
    expect(found).toMatchObject({
      provider_id: admin.providerId,
      accounts: 1,
      admins: [{ user_id: admin.userId, role: 'provider_admin' }],
    });
    expect(await get(boss, `/portal/api/operator/providers/${admin.providerId}`)).toEqual(found);
  });

  it('an invitation: who made it, and what became of it', async () => {
    const { store } = gateway.app;
    const place = { role: 'member', accountId: theirs.accountId, providerId: null } as const;
    const stateOf = async (id: string, by: SignedIn = admin) => (await get(by, `/portal/api/operator/invitations/${id}`)).state;
    const made = await invite(store, 'ida@example.com', place, act(owner));
    expect(await get(admin, `/portal/api/operator/invitations/${made.id}`)).toEqual({
      invitation_id: made.id,
      email: 'ida@example.com',
      role: 'member',
      leads_to: 'Theirs',
      account_id: theirs.accountId,
      provider_id: null,
      created_at: now(),
      expires_at: new Date(clock.now() + 7 * dayMs).toISOString(),
      state: 'open',
      ended_at: null,
      made_by: owner.email,
    });
    // The owners of the account see the same of it; others do not.
    const own = `/portal/api/members/invitations/${made.id}`;
    expect(await get(owner, `/portal/api/members/invitations/${made.id.toUpperCase()}`)).toEqual(
      await get(admin, `/portal/api/operator/invitations/${made.id}`),
    );
    expect(await (await memberOf(gateway, theirs.accountId)).call('GET', own)).toMatchObject(refusal(403, 'forbidden'));
    const elsewhere = await invite(store, 'ida@example.com', { ...place, accountId: foreign.accountId }, act());
    const atProvider = await invite(
      store,
      'ida@example.com',
      { role: 'provider_admin', accountId: null, providerId: admin.providerId },
      act(),
    );
    for (const id of [elsewhere.id, atProvider.id, unknown, 'no id'])
      expect(await owner.call('GET', `/portal/api/members/invitations/${encodeURIComponent(id)}`)).toMatchObject(refusal(404, 'not_found'));
    clock.advance(1000);
    const again = await invite(store, 'ida@example.com', place, act());
    expect([await stateOf(made.id), await stateOf(again.id)]).toEqual(['replaced', 'open']);
    clock.advance(1000);
    await withdrawInvitation(store, again.id, () => true, act());
    expect(await get(boss, `/portal/api/operator/invitations/${again.id}`)).toMatchObject({ state: 'withdrawn', ended_at: now() });

    const used = await invite(store, 'kai@example.com', place, at(clock.now()));
    clock.advance(1000);
    const password = 'kais long password';
    expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${used.token}`, { body: { name: 'Kai', password } }));
    gateway.secrets.add('the token of a link', used.token);
    expect(await get(admin, `/portal/api/operator/invitations/${used.id}`)).toMatchObject({ state: 'accepted', made_by: null });

    const late = await invite(store, 'lea@example.com', place, act());
    clock.advance(7 * dayMs);
    const fresh = await operator(gateway);
    expect(await stateOf(late.id, fresh)).toBe('expired');
  });

  it('an invitation whose maker lost the right to make it has ended', async () => {
    const { store } = gateway.app;
    const fresh = await operator(gateway);
    const maker = await memberOf(gateway, foreign.accountId, 'owner');
    const place = { role: 'member', accountId: foreign.accountId, providerId: null } as const;
    const made = await invite(store, 'max@example.com', place, act(maker));
    await removeRole(store, maker.userId, { ...place, role: 'owner' }, { lastToo: true }, act());
    expect((await get(fresh, `/portal/api/operator/invitations/${made.id}`)).state).toBe('ended');
    const stranger = await providerAdmin(gateway);
    for (const id of [made.id, unknown, 'no id'])
      expect(await stranger.call('GET', `/portal/api/operator/invitations/${encodeURIComponent(id)}`)).toMatchObject(
        refusal(404, 'not_found'),
      );
  });
});
