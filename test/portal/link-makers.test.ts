import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { invite, removeUser } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, newProvider, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

const gone = '410 link_expired';

describe('a link and who made it', () => {
  const clock = createManualClock();
  let customer: Customer;
  let boss: SignedIn;
  let emails = 0;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
  });
  beforeEach(async () => {
    // Budgets per minute go with the clock.
    clock.advance(60_000);
    customer = await gateway.customer();
  });

  const newEmail = () => `guest-${++emails}@example.com`;
  const tokenOf = ({ body }: { body: { data: { link: string } } }): string => {
    const token = body.data.link.split('/').at(-1) ?? '';
    gateway.secrets.add('the token of a link', token);
    return token;
  };
  const invitedBy = async (by: Browser, role: 'owner' | 'member', email = newEmail()) =>
    tokenOf(expectOk(await by.call('POST', '/portal/api/members', { body: { email, role } })));
  const invitedFromAbove = async (by: Browser, body: object) =>
    tokenOf(expectOk(await by.call('POST', '/portal/api/operator/invitations', { body: { email: newEmail(), ...body } })));
  const resetBy = async (by: Browser, { userId }: SignedIn) =>
    tokenOf(expectOk(await by.call('POST', `/portal/api/operator/users/${userId}/password-reset`, { body: {} })));
  const look = async (token: string) => outcome(await openBrowser(gateway).call('GET', `/portal/api/links/${token}`));
  const use = async (token: string, body: object = { name: 'Guest', password: 'a password of mine' }, browser = openBrowser(gateway)) =>
    outcome(await browser.call('POST', `/portal/api/links/${token}`, { body }));
  /** It neither shows nor gives anything, and does so again when the row says that it is unused. */
  async function expectGone(token: string, body?: object): Promise<void> {
    expect([await look(token), await use(token, body)]).toEqual([gone, gone]);
    // Ended when the maker lost the role; and looked at when it is used, whatever ended it or did not.
    await gateway.app.store.db.updateTable('one_time_links').set({ used_at: null }).where('expires_at', '>', clock.now()).execute();
    expect([await look(token), await use(token, body)]).toEqual([gone, gone]);
  }
  const remove = (by: Browser, { userId }: SignedIn) => by.call('DELETE', `/portal/api/members/${userId}`);
  const move = (providerId: string) => updateAccount(gateway.app.store, customer.accountId, { providerId }, at(clock.now()));

  it('of an owner who was removed is gone, also for that owner [links.role]', async () => {
    const [owner, other] = [await memberOf(gateway, customer.accountId, 'owner'), await memberOf(gateway, customer.accountId, 'owner')];
    // Whoever has a sign-in redeems with its password. The second address is the owner's own, which was invited again in advance.
    const [forGuest, forAnother] = [await invitedBy(owner, 'owner'), await invitedBy(owner, 'member', boss.email)];
    expectOk(await remove(other, owner));
    await expectGone(forGuest);
    await expectGone(forAnother, { password: boss.password });
    expect((await other.call('GET', '/portal/api/members')).body.data.invitations).not.toEqual([]);
  });

  it('of an owner who is a member now is gone', async () => {
    const [owner, other] = [await memberOf(gateway, customer.accountId, 'owner'), await memberOf(gateway, customer.accountId, 'owner')];
    const token = await invitedBy(owner, 'owner');
    expectOk(await other.call('PATCH', `/portal/api/members/${owner.userId}`, { body: { role: 'member' } }));
    await expectGone(token);
  });

  it('is in no list any more once its maker is out', async () => {
    const [owner, other] = [await memberOf(gateway, customer.accountId, 'owner'), await memberOf(gateway, customer.accountId, 'owner')];
    await invitedBy(owner, 'owner');
    const kept = await invitedBy(other, 'member');
    expectOk(await remove(other, owner));
    expect((await other.call('GET', '/portal/api/members')).body.data.invitations).toHaveLength(1);
    expect(await use(kept)).toBe('200');
  });

  it('of somebody who was removed altogether is gone with them', async () => {
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    const token = await invitedBy(owner, 'owner');
    await removeUser(gateway.app.store, owner.email, at(clock.now()));
    expect([await look(token), await use(token)]).toEqual([gone, gone]);
    const links = await gateway.app.store.db
      .selectFrom('one_time_links')
      .select('id')
      .where('account_id', '=', customer.accountId)
      .execute();
    // The one that brought the owner in is the command line's.
    expect(links).toHaveLength(1);
  });

  it('of an operator who is none any more is gone: invitations to anything, and new passwords [links.role]', async () => {
    const other = await operator(gateway);
    const person = await memberOf(gateway, customer.accountId);
    const tokens = [
      await invitedFromAbove(other, { role: 'operator' }),
      await invitedFromAbove(other, { role: 'provider_admin', provider_id: await newProvider(gateway) }),
      await invitedFromAbove(other, { role: 'owner', account_id: customer.accountId }),
      await resetBy(other, person),
    ];
    expectOk(await boss.call('DELETE', `/portal/api/operator/users/${other.userId}/memberships`, { body: { role: 'operator' } }));
    for (const token of tokens) await expectGone(token);
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');
  });

  it("of a provider's admin is gone when the account has moved to another provider [links.moved]", async () => {
    const [admin, keeper] = [await providerAdmin(gateway), await providerAdmin(gateway)];
    await move(admin.providerId);
    const [owner, person] = [await memberOf(gateway, customer.accountId, 'owner'), await memberOf(gateway, customer.accountId)];
    const fromAbove = await invitedFromAbove(admin, { role: 'owner', account_id: customer.accountId });
    const acting = await invitedBy(Object.assign(admin, { account: customer.accountId }), 'member');
    const reset = await resetBy(admin, person);
    const ownersOwn = await invitedBy(owner, 'member');
    const elsewhere = await invitedFromAbove(admin, { role: 'provider_admin', provider_id: admin.providerId });
    await move(keeper.providerId);
    for (const token of [fromAbove, acting, reset]) expect([await look(token), await use(token)]).toEqual([gone, gone]);
    // What the account's own people and the provider's own affairs are about has not moved.
    expect([await use(ownersOwn), await use(elsewhere)]).toEqual(['200', '200']);
    for (const token of [fromAbove, acting, reset]) await expectGone(token);
  });

  it("of a provider's admin who is none any more is gone", async () => {
    const admin = await providerAdmin(gateway);
    await move(admin.providerId);
    const token = await invitedFromAbove(admin, { role: 'owner', account_id: customer.accountId });
    const place = { role: 'provider_admin', provider_id: admin.providerId };
    expectOk(await boss.call('DELETE', `/portal/api/operator/users/${admin.userId}/memberships`, { body: place }));
    await expectGone(token);
  });

  it('stays while its maker keeps the role, and for ever that of the command line', async () => {
    const [owner, other] = [await memberOf(gateway, customer.accountId, 'owner'), await memberOf(gateway, customer.accountId, 'owner')];
    const token = await invitedBy(owner, 'owner');
    const place = { role: 'owner', providerId: null, accountId: customer.accountId } as const;
    const byCommand = (await invite(gateway.app.store, newEmail(), place, at(clock.now()))).token;
    gateway.secrets.add('the token of a link', byCommand);
    await move(await newProvider(gateway));
    expectOk(await remove(owner, other));
    expect([await use(token), await use(byCommand)]).toEqual(['200', '200']);
  });

  it('to a new password ends with every change of the password', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const [first, password] = [await resetBy(boss, person), 'a password chosen since'];
    gateway.secrets.add('a password', password);
    const body = { currentPassword: person.password, newPassword: password };
    expectOk(await person.call('POST', '/portal/auth/change-password', { body }));
    expect([await look(first), await use(first, { password: 'a password of a thief' })]).toEqual([gone, gone]);
    const [second, third] = [await resetBy(boss, person), await resetBy(boss, person)];
    expect([await use(third, { password: 'yet another password' }), await use(second, { password: 'a password of a thief' })]).toEqual([
      '200',
      gone,
    ]);
    expect(outcome(await openBrowser(gateway).signIn(person.email, 'yet another password'))).toBe('200');
  });
});
