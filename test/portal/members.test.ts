import { beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/members';
const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('members of an account on %s', (kind) => {
  const clock = createManualClock();
  let customer: Customer;
  let owner: SignedIn;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeEach(async () => {
    // Everybody comes from the same store, so budgets per minute go with the clock.
    clock.advance(60_000);
    customer = await gateway.customer({ name: 'Acme' });
    owner = await memberOf(gateway, customer.accountId, 'owner');
  });

  const list = async (by = owner) => expectOk(await by.call('GET', path)).body.data;
  const roles = async () => (await list()).members.map(({ email, role }: { email: string; role: string }) => [email, role]);
  const tokenOf = (link: string): string => {
    const token = link.split('/').at(-1) ?? '';
    gateway.secrets.add('the token of a link', token);
    return token;
  };
  async function invite(email: string, role = 'member', by = owner) {
    const answer = await by.call('POST', path, { body: { email, role } });
    if (answer.status === 200) tokenOf(answer.body.data.link);
    return answer;
  }
  const accept = (link: string, body: object = { name: 'Bob', password: 'a password of mine' }) =>
    openBrowser(gateway).call('POST', `/portal/api/links/${tokenOf(link)}`, { body });
  const audited = async (work: () => Promise<unknown>) =>
    (await auditOf(gateway.app.store, work)).map(({ action, actor_name, account_id, details }) => ({
      action,
      actor_name,
      account_id,
      details,
    }));

  it('are listed with those who are invited', async () => {
    const member = await memberOf(gateway, customer.accountId);
    const invited = expectOk(await invite(' Bob@Example.com ')).body.data;
    expect(await list()).toEqual({
      members: [
        {
          user_id: owner.userId,
          email: owner.email,
          name: 'owner',
          role: 'owner',
          two_factor: false,
          joined_at: new Date(clock.now()).toISOString(),
        },
        {
          user_id: member.userId,
          email: member.email,
          name: 'member',
          role: 'member',
          two_factor: false,
          joined_at: new Date(clock.now()).toISOString(),
        },
      ],
      invitations: [
        {
          invitation_id: invited.invitation_id,
          email: 'bob@example.com',
          role: 'member',
          leads_to: 'Acme',
          created_at: new Date(clock.now()).toISOString(),
          expires_at: new Date(clock.now() + 7 * dayMs).toISOString(),
        },
      ],
    });
    clock.advance(7 * dayMs);
    expect(outcome(await owner.call('GET', path))).toBe('200');
    expect((await list()).invitations).toEqual([]);
  });

  it('join by an invitation, which is audited', async () => {
    let link = '';
    expect(
      await audited(async () => {
        const { data } = expectOk(await invite('joins@example.com', 'owner')).body;
        expect(data).toMatchObject({ email: 'joins@example.com', role: 'owner', leads_to: 'Acme', mailed: false });
        link = data.link;
      }),
    ).toEqual([
      {
        action: 'user.invite',
        actor_name: owner.email,
        account_id: customer.accountId,
        details: { email: { from: null, to: 'joins@example.com' }, role: { from: null, to: 'owner' } },
      },
    ]);
    expect(link).toMatch(new RegExp(`^${gateway.address}/link/[\\w-]{43}$`));
    expect(await audited(async () => expectOk(await accept(link)))).toEqual([
      {
        action: 'user.join',
        actor_name: 'joins@example.com',
        account_id: customer.accountId,
        details: { role: { from: null, to: 'owner' } },
      },
      {
        action: 'user.sign_in',
        actor_name: 'joins@example.com',
        account_id: null,
        details: { factor: { from: null, to: 'password' }, address: { from: null, to: expect.stringMatching(/^127\./) } },
      },
    ]);
    expect(await roles()).toContainEqual(['joins@example.com', 'owner']);
  });

  it('are invited once: again ends the link before, and whoever is a member already is refused', async () => {
    const first = expectOk(await invite('twice@example.com')).body.data.link;
    const second = expectOk(await invite('TWICE@example.com', 'owner')).body.data.link;
    expect((await list()).invitations).toHaveLength(1);
    expect(outcome(await accept(first))).toBe('410 link_expired');
    expectOk(await accept(second));
    expect(await invite('twice@example.com')).toMatchObject(refusal(409, 'conflict'));
  });

  it('cannot use an invitation that was withdrawn', async () => {
    const { invitation_id, link } = expectOk(await invite('late@example.com')).body.data;
    const entries = await audited(async () => expectOk(await owner.call('DELETE', `${path}/invitations/${invitation_id}`)));
    expect(entries.map(({ action }) => action)).toEqual(['user.withdraw']);
    expect(outcome(await accept(link))).toBe('410 link_expired');
    expect((await list()).invitations).toEqual([]);
    expect(outcome(await owner.call('DELETE', `${path}/invitations/${invitation_id}`))).toBe('404 not_found');
  });

  it('get another role, but one owner stays', async () => {
    const member = await memberOf(gateway, customer.accountId);
    const change = (userId: string, role: unknown) => owner.call('PATCH', `${path}/${userId}`, { body: { role } });
    expect(await change(owner.userId, 'member')).toMatchObject(refusal(409, 'conflict'));
    expect(await audited(async () => expectOk(await change(member.userId, 'owner')))).toMatchObject([
      { action: 'user.role', details: { role: { from: 'member', to: 'owner' } } },
    ]);
    expect(await audited(async () => expectOk(await change(member.userId.toUpperCase(), 'owner')))).toEqual([]);
    expect(expectOk(await change(owner.userId, 'member')).body.data).toMatchObject({ user_id: owner.userId, role: 'member' });
    // Who is no owner any more may not look after members.
    expect(outcome(await change(member.userId, 'member'))).toBe('403 forbidden');
    expect(await member.call('PATCH', `${path}/${member.userId}`, { body: { role: 'member' } })).toMatchObject(refusal(409, 'conflict'));
    for (const role of [undefined, 'operator', 'provider_admin', '', 7])
      expect(await member.call('PATCH', `${path}/${owner.userId}`, { body: { role } })).toMatchObject(
        refusal(400, 'invalid_request', { field: 'role' }),
      );
  });

  it('keep one owner when two owners demote each other at once', async () => {
    const other = await memberOf(gateway, customer.accountId, 'owner');
    const outcomes = await Promise.all([
      owner.call('PATCH', `${path}/${other.userId}`, { body: { role: 'member' } }),
      other.call('PATCH', `${path}/${owner.userId}`, { body: { role: 'member' } }),
    ]);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    const boss = await operator(gateway);
    boss.account = customer.accountId;
    expect((await list(boss)).members.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
  });

  it('are removed at once, but one owner stays', async () => {
    const member = await memberOf(gateway, customer.accountId);
    expect(outcome(await member.call('GET', '/portal/api/account'))).toBe('200');
    expect(await audited(async () => expectOk(await owner.call('DELETE', `${path}/${member.userId}`)))).toMatchObject([
      { action: 'user.remove', details: { email: { from: member.email, to: null }, role: { from: 'member', to: null } } },
    ]);
    expect(outcome(await member.call('GET', '/portal/api/account'))).toBe('403 forbidden');
    expect(outcome(await owner.call('DELETE', `${path}/${member.userId}`))).toBe('404 not_found');
    expect(await owner.call('DELETE', `${path}/${owner.userId}`)).toMatchObject(refusal(409, 'conflict'));
  });

  it('who are removed come back by no old invitation, and may go elsewhere', async () => {
    const boss = await operator(gateway);
    const elsewhere = await gateway.customer();
    const { link } = expectOk(await invite('again@example.com')).body.data;
    const body = { email: 'again@example.com', role: 'member', account_id: elsewhere.accountId };
    const other = expectOk(await boss.call('POST', '/portal/api/operator/invitations', { body })).body.data;
    expectOk(await accept(link));
    const { members } = await list();
    const joined = members.find(({ email }: { email: string }) => email === 'again@example.com');
    expectOk(await owner.call('DELETE', `${path}/${joined.user_id}`));
    expect(outcome(await accept(link))).toBe('410 link_expired');
    // One to another account is another matter.
    expectOk(await accept(other.link, { password: 'a password of mine' }));
    expect((await list()).members).toHaveLength(1);
  });

  it('are looked after by owners, and by an operator or provider admin who acts for the account', async () => {
    const member = await memberOf(gateway, customer.accountId);
    const stranger = await memberOf(gateway, (await gateway.customer()).accountId, 'owner');
    const boss = await operator(gateway);
    const admin = await providerAdmin(gateway, 'default');
    const foreign = await providerAdmin(gateway);
    for (const person of [boss, admin, foreign]) person.account = customer.accountId;
    for (const [person, expected] of [
      [member, '403 forbidden'],
      [foreign, '403 forbidden'],
      [boss, '200'],
      [admin, '200'],
    ] as const) {
      expect(outcome(await person.call('GET', path))).toBe(expected);
      expect(outcome(await person.call('PATCH', `${path}/${member.userId}`, { body: { role: 'member' } }))).toBe(expected);
      expect(outcome(await invite(`by-${person.userId}@example.com`, 'member', person))).toBe(expected);
    }
    // Another account's owner reaches nobody here, whoever they know by id.
    const { invitation_id } = expectOk(await invite('mine@example.com')).body.data;
    expect(outcome(await stranger.call('PATCH', `${path}/${member.userId}`, { body: { role: 'owner' } }))).toBe('404 not_found');
    expect(outcome(await stranger.call('DELETE', `${path}/${member.userId}`))).toBe('404 not_found');
    expect(outcome(await stranger.call('DELETE', `${path}/invitations/${invitation_id}`))).toBe('404 not_found');
    expect((await list(stranger)).members).toHaveLength(1);
  });

  it('are invited at an address, to a role of the account', async () => {
    for (const [body, field] of [
      [{ role: 'member' }, 'email'],
      [{ email: 'nobody', role: 'member' }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com`, role: 'member' }, 'email'],
      [{ email: 'a@example.com\nBcc: b@example.com', role: 'member' }, 'email'],
      [{ email: 7, role: 'member' }, 'email'],
      [{ email: 'a@example.com' }, 'role'],
      [{ email: 'a@example.com', role: 'operator' }, 'role'],
    ] as const)
      expect(await owner.call('POST', path, { body })).toMatchObject(refusal(400, 'invalid_request', { field }));
    for (const id of ['nope', '%00', 'x'.repeat(200)]) {
      expect(outcome(await owner.call('DELETE', `${path}/${id}`))).toBe('404 not_found');
      expect(outcome(await owner.call('DELETE', `${path}/invitations/${id}`))).toBe('404 not_found');
    }
  });

  it('are not invited faster than a person types', async () => {
    const outcomes: string[] = [];
    for (let i = 0; i < 21; i++) outcomes.push(outcome(await invite(`many-${i}@example.com`)));
    expect(outcomes).toEqual([...Array<string>(20).fill('200'), '429 rate_limit_exceeded']);
    clock.advance(60_000);
    expectOk(await invite('after@example.com'));
  });
});
