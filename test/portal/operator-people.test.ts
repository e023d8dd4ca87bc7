import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, personAt, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const users = '/portal/api/operator/users';
const invitations = '/portal/api/operator/invitations';
const unknown = '0190a0a0-0000-7000-8000-000000000001';

describe('people in the hands of operators', () => {
  const clock = createManualClock();
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let theirs: Customer;
  let foreign: Customer;
  let member: SignedIn;
  let stranger: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    theirs = await gateway.customer({ name: 'Theirs', providerId: admin.providerId });
    foreign = await gateway.customer({ name: 'Foreign' });
    member = await memberOf(gateway, theirs.accountId, 'owner');
    stranger = await memberOf(gateway, foreign.accountId, 'owner');
  });
  beforeEach(() => clock.advance(60_000));

  const list = async (by: SignedIn, query = '') => expectOk(await by.call('GET', users + query)).body.data;
  const invited = async (by: SignedIn, query = '') => expectOk(await by.call('GET', invitations + query)).body.data.rows;
  const emails = async (by: SignedIn, query = '') => (await list(by, query)).rows.map(({ email }: { email: string }) => email);
  const token = (link: string): string => {
    const text = link.split('/').at(-1) ?? '';
    gateway.secrets.add('the token of a link', text);
    return text;
  };
  async function invite(by: SignedIn, body: object) {
    const answer = await by.call('POST', invitations, { body });
    if (answer.status === 200) token(answer.body.data.link);
    return answer;
  }
  const without = ({ status, body }: { status: number; body: { error: object } }) => ({ status, error: body.error });

  it('are listed newest first with what they may do; a provider admin sees the own provider alone', async () => {
    const all = await list(boss);
    expect(all.total).toBe(all.rows.length);
    expect(all.rows.map(({ email }: { email: string }) => email).slice(0, 4)).toEqual(
      [stranger, member, admin, boss].map(({ email }) => email),
    );
    expect(all.rows[1]).toEqual({
      user_id: member.userId,
      email: member.email,
      email_verified: false,
      name: 'owner',
      two_factor: false,
      created_at: expect.stringMatching(/Z$/),
      last_seen_at: expect.stringMatching(/Z$/),
      memberships: [{ role: 'owner', account_id: theirs.accountId, account_name: 'Theirs', provider_id: null, provider_name: null }],
    });
    expect(all.rows[3].memberships).toEqual([
      { role: 'operator', account_id: null, account_name: null, provider_id: null, provider_name: null },
    ]);
    expect(await emails(admin)).toEqual([member.email, admin.email]);
    expect(await emails(boss, `?search=${stranger.email.slice(2, -6).toUpperCase()}`)).toEqual([stranger.email]);
    expect(await emails(admin, `?search=${stranger.email}`)).toEqual([]);
  });

  it('with roles here and elsewhere show a provider admin only those here', async () => {
    const both = await memberOf(gateway, theirs.accountId);
    const invited = expectOk(await invite(boss, { email: both.email, role: 'member', account_id: foreign.accountId })).body.data;
    const body = { password: both.password };
    expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${token(invited.link)}`, { body }));
    const [seen] = (await list(admin, `?search=${both.email}`)).rows;
    expect(seen.memberships.map(({ account_name }: { account_name: string }) => account_name)).toEqual(['Theirs']);
    expect((await list(boss, `?search=${both.email}`)).rows[0].memberships).toHaveLength(2);

    // Nor may the admin become somebody who has more than the provider has to give.
    expect(await admin.call('POST', `${users}/${both.userId}/password-reset`)).toMatchObject(refusal(403, 'forbidden'));
    const elsewhere = { role: 'member', account_id: foreign.accountId };
    expect(outcome(await admin.call('DELETE', `${users}/${both.userId}/memberships`, { body: elsewhere }))).toBe('404 not_found');
    const here = { role: 'member', account_id: theirs.accountId };
    expectOk(await admin.call('DELETE', `${users}/${both.userId}/memberships`, { body: here }));
    expect((await list(boss, `?search=${both.email}`)).rows[0].memberships).toMatchObject([{ account_name: 'Foreign' }]);
    expect(await emails(admin, `?search=${both.email}`)).toEqual([]);
  });

  it('are invited to any role by an operator', async () => {
    for (const [role, place, leads_to] of [
      ['operator', {}, null],
      ['provider_admin', { provider_id: admin.providerId }, expect.stringMatching(/^provider /)],
      ['owner', { account_id: foreign.accountId }, 'Foreign'],
      ['member', { account_id: theirs.accountId }, 'Theirs'],
    ] as const) {
      const body = { email: `${role}@example.com`, role, ...place };
      const { data } = expectOk(await invite(boss, body)).body;
      expect(data).toMatchObject({ email: body.email, role, leads_to, mailed: false });
      const password = 'a password of mine';
      expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${token(data.link)}`, { body: { name: role, password } }));
      expect((await list(boss, `?search=${body.email}`)).rows[0].memberships).toMatchObject([{ role, ...place }]);
    }
  });

  it('are invited by a provider admin to the own provider and its accounts alone', async () => {
    const email = 'invited@example.com';
    expect(outcome(await invite(admin, { email, role: 'member', account_id: theirs.accountId }))).toBe('200');
    expect(outcome(await invite(admin, { email, role: 'provider_admin', provider_id: admin.providerId }))).toBe('200');
    expect(await invite(admin, { email, role: 'operator' })).toMatchObject(refusal(403, 'forbidden', { field: 'role' }));
    for (const [role, field, id] of [
      ['owner', 'account_id', foreign.accountId],
      ['provider_admin', 'provider_id', 'default'],
    ] as const) {
      const refused = without(await invite(admin, { email, role, [field]: id }));
      expect(refused).toMatchObject({ status: 404, error: { code: 'not_found' } });
      expect(refused).toEqual(without(await invite(admin, { email, role, [field]: unknown })));
    }
    const seen = await invited(admin);
    expect(seen.map(({ role }: { role: string }) => role)).toEqual(['provider_admin', 'member']);
    const foreignOne = expectOk(await invite(boss, { email, role: 'member', account_id: foreign.accountId })).body.data;
    expect(await invited(admin)).toEqual(seen);
    expect(await invited(boss, '?search=INVITED')).toHaveLength(3);

    expect(outcome(await admin.call('DELETE', `${invitations}/${foreignOne.invitation_id}`))).toBe('404 not_found');
    for (const { invitation_id } of seen) expectOk(await admin.call('DELETE', `${invitations}/${invitation_id}`));
    expectOk(await boss.call('DELETE', `${invitations}/${foreignOne.invitation_id}`));
    expect(await invited(boss, '?search=invited')).toEqual([]);
  });

  it('are invited to a role that has its place', async () => {
    const email = 'a@example.com';
    for (const [body, field] of [
      [{ role: 'operator' }, 'email'],
      [{ email, role: 'king' }, 'role'],
      [{ email, role: 'operator', account_id: theirs.accountId }, 'account_id'],
      [{ email, role: 'operator', provider_id: 'default' }, 'provider_id'],
      [{ email, role: 'owner' }, 'account_id'],
      [{ email, role: 'owner', account_id: theirs.accountId, provider_id: 'default' }, 'provider_id'],
      [{ email, role: 'provider_admin' }, 'provider_id'],
      [{ email, role: 'provider_admin', provider_id: 'default', account_id: theirs.accountId }, 'account_id'],
      [{ email, role: 'member', account_id: '\u0000' }, 'account_id'],
      [{ email, role: 'member', account_id: 7 }, 'account_id'],
    ] as const)
      expect(await invite(boss, body), JSON.stringify(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
    expect(outcome(await invite(boss, { email: member.email, role: 'member', account_id: theirs.accountId }))).toBe('409 conflict');
  });

  it('get a link to a new password, which is audited and signs them out', async () => {
    const forgetful = await memberOf(gateway, theirs.accountId);
    let link = '';
    const entries = await auditOf(gateway.app.store, async () => {
      const answer = expectOk(await admin.call('POST', `${users}/${forgetful.userId}/password-reset`));
      expect(answer.body.data).toEqual({
        link: expect.stringMatching(/\/link\/[\w-]{43}$/),
        expires_at: new Date(clock.now() + 2 * 60 * 60 * 1000).toISOString(),
        mailed: false,
      });
      link = answer.body.data.link;
    });
    expect(entries).toMatchObject([
      { action: 'user.password_reset', target_id: forgetful.userId, actor_name: admin.email, provider_id: admin.providerId },
    ]);
    const body = { password: 'an entirely new one' };
    const used = await auditOf(gateway.app.store, async () =>
      expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${token(link)}`, { body })),
    );
    expect(used.filter(({ action }) => action !== 'user.sign_in')).toMatchObject([
      { action: 'user.password', actor_name: forgetful.email, target_id: forgetful.userId },
    ]);
    expect(outcome(await forgetful.call('GET', '/portal/api/session'))).toBe('401 invalid_session');
    expectOk(await openBrowser(gateway).signIn(forgetful.email, body.password));
    for (const [by, id] of [
      [admin, stranger.userId],
      [admin, boss.userId],
      [admin, unknown],
      [boss, unknown],
      [boss, '%00'],
    ] as const)
      expect(outcome(await by.call('POST', `${users}/${id}/password-reset`))).toBe('404 not_found');
  });

  it('get one in the log of their own provider from an admin of several', async () => {
    const several = await providerAdmin(gateway);
    const also = { email: several.email, role: 'provider_admin', provider_id: admin.providerId };
    const { link } = expectOk(await invite(boss, also)).body.data;
    const body = { password: several.password };
    expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${token(link)}`, { body }));
    const other = await gateway.customer({ name: 'Other', providerId: several.providerId });
    for (const [accountId, provider_id] of [
      [theirs.accountId, admin.providerId],
      [other.accountId, several.providerId],
    ] as const) {
      const forgetful = await memberOf(gateway, accountId);
      const entries = await auditOf(gateway.app.store, async () => {
        token(expectOk(await several.call('POST', `${users}/${forgetful.userId}/password-reset`)).body.data.link);
      });
      expect(entries).toMatchObject([{ action: 'user.password_reset', target_id: forgetful.userId, provider_id }]);
    }
  });

  it('lose a role at once; the last owner and the last operator stay', async () => {
    const remove = (id: string, body: object, by: SignedIn = boss) => by.call('DELETE', `${users}/${id}/memberships`, { body });
    const second = await memberOf(gateway, theirs.accountId, 'owner');
    const place = { role: 'owner', account_id: theirs.accountId };
    const entries = await auditOf(gateway.app.store, async () => expectOk(await remove(second.userId, place)));
    expect(entries).toMatchObject([{ action: 'user.remove', target_id: second.userId, account_id: theirs.accountId }]);
    expect(outcome(await second.call('GET', '/portal/api/account'))).toBe('403 forbidden');
    for (const [id, body] of [
      [second.userId, place],
      [member.userId, { ...place, role: 'member' }],
      [member.userId, { role: 'owner', account_id: foreign.accountId }],
      [member.userId, { role: 'owner' }],
      [unknown, place],
    ] as const)
      expect(outcome(await remove(id, body))).toBe('404 not_found');
    expect(outcome(await remove(stranger.userId, { role: 'owner', account_id: foreign.accountId }, admin))).toBe('404 not_found');
    expect(outcome(await remove(boss.userId, { role: 'operator' }, admin))).toBe('404 not_found');
    expect(await remove(member.userId, place)).toMatchObject(refusal(409, 'conflict'));
    expect(await remove(member.userId, {})).toMatchObject(refusal(400, 'invalid_request', { field: 'role' }));

    const others = (await list(boss)).rows.filter(
      (user: { user_id: string; memberships: { role: string }[] }) =>
        user.user_id !== boss.userId && user.memberships.some(({ role }) => role === 'operator'),
    );
    for (const { user_id } of others) expectOk(await remove(user_id, { role: 'operator' }));
    expect(await remove(boss.userId, { role: 'operator' })).toMatchObject(refusal(409, 'conflict'));
    const deputy = await personAt(gateway, { role: 'operator' });
    expectOk(await remove(boss.userId, { role: 'operator' }, deputy));
    expect(outcome(await boss.call('GET', users))).toBe('403 forbidden');
    boss = deputy;
  });
});
