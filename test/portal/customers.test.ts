import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/operator';

describe.each(storeKinds)("a reseller's customers on %s", (kind) => {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
  });
  beforeEach(() => clock.advance(60_000));

  const tokenOf = (link: string) => link.split('/').at(-1) ?? '';
  /** The answer's data; links in it are secrets. */
  const asked = async (by: SignedIn, method: string, what: string, body?: object) => {
    const { data } = expectOk(await by.call(method, `${path}/${what}`, body === undefined ? {} : { body })).body;
    for (const link of [data.link, data.invitation?.link, ...(data.lines ?? []).map((line: { link: string | null }) => line.link)])
      if (typeof link === 'string') gateway.secrets.add('the token of a link', tokenOf(link));
    return data;
  };
  const opens = async (link: string) => outcome(await openBrowser(gateway).call('GET', `/portal/api/links/${tokenOf(link)}`));

  it('come with their first owner, both or neither', async () => {
    const made = await asked(admin, 'POST', 'accounts', { name: 'Corner Shop', plan: 'starter', owner_email: 'Ann@Example.com' });
    expect(made).toMatchObject({ name: 'Corner Shop', plan: { name: 'starter' }, members: [], reference: null });
    expect(made.invitation).toMatchObject({ email: 'ann@example.com', role: 'owner', leads_to: 'Corner Shop', mailed: false });
    const browser = openBrowser(gateway);
    const body = { name: 'Ann', password: 'a password of mine' };
    expectOk(await browser.call('POST', `/portal/api/links/${tokenOf(made.invitation.link)}`, { body }));
    const { members } = await asked(admin, 'GET', `accounts/${made.account_id}`);
    expect(members).toMatchObject([{ email: 'ann@example.com', role: 'owner' }]);

    const before = (await asked(boss, 'GET', 'accounts')).total;
    for (const owner_email of ['nobody', '', 'a@b@c'])
      expect(await admin.call('POST', `${path}/accounts`, { body: { name: 'Half', owner_email } })).toMatchObject(
        refusal(400, 'invalid_request', { field: 'owner_email' }),
      );
    expect((await asked(boss, 'GET', 'accounts')).total).toBe(before);
    expect((await asked(admin, 'POST', 'accounts', { name: 'No owner yet' })).invitation).toBeNull();
  });

  it('have a reference of their provider, which no two share and their own people never see', async () => {
    const first = await asked(admin, 'POST', 'accounts', { name: 'First', reference: ' C-1 ' });
    expect(first.reference).toBe('C-1');
    expect(outcome(await admin.call('POST', `${path}/accounts`, { body: { name: 'Second', reference: 'C-1' } }))).toBe('409 conflict');
    expect((await asked(boss, 'POST', 'accounts', { name: 'Elsewhere', reference: 'C-1' })).reference).toBe('C-1');
    const entries = await auditOf(gateway.app.store, () => asked(admin, 'PATCH', `accounts/${first.account_id}`, { reference: 'C-2' }));
    expect(entries).toMatchObject([{ action: 'account.update', account_id: null, provider_id: admin.providerId }]);
    const owner = await memberOf(gateway, first.account_id, 'owner');
    for (const page of ['account', 'audit', 'session', 'members'])
      expect(JSON.stringify(expectOk(await owner.call('GET', `/portal/api/${page}`)).body)).not.toMatch(/C-[12]/);
    // What one provider calls it is nothing to the next.
    expect((await asked(boss, 'PATCH', `accounts/${first.account_id}`, { provider_id: 'default' })).reference).toBeNull();
    expect((await asked(admin, 'POST', 'accounts', { name: 'Third', reference: 'C-2' })).reference).toBe('C-2');
    expect((await asked(admin, 'POST', 'accounts', { name: 'Fourth' })).reference).toBeNull();
    for (const reference of ['', ' ', 'x'.repeat(101), 'a\u0000b', 7])
      expect(await admin.call('POST', `${path}/accounts`, { body: { name: 'x', reference } })).toMatchObject(
        refusal(400, 'invalid_request', { field: 'reference' }),
      );
  });

  it('have notes for those who administer them, and nobody else', async () => {
    const { account_id } = await asked(admin, 'POST', 'accounts', { name: 'Noted' });
    const note = `accounts/${account_id}/note`;
    expect(await asked(admin, 'GET', note)).toEqual({ text: '', written_at: null, written_by: null });
    const text = 'Pays late.\nCall <b>Ann</b> first.';
    const entries = await auditOf(gateway.app.store, async () => {
      const written = { text, written_at: new Date(clock.now()).toISOString(), written_by: admin.email };
      expect(await asked(admin, 'PUT', note, { text: ` ${text.replace('\n', '\r\n')}\n` })).toEqual(written);
      expect(await asked(boss, 'GET', note)).toEqual(written);
      // The same again is no change.
      expect(await asked(boss, 'PUT', note, { text })).toEqual(written);
    });
    expect(entries).toMatchObject([{ action: 'account.note', target_id: account_id, account_id: null, details: {} }]);
    expect(JSON.stringify(entries)).not.toContain('Pays late');
    const owner = await memberOf(gateway, account_id, 'owner');
    expect(outcome(await owner.call('GET', `${path}/${note}`))).toBe('403 forbidden');
    for (const page of ['account', 'audit', 'session', 'members'])
      expect(JSON.stringify(expectOk(await owner.call('GET', `/portal/api/${page}`)).body)).not.toMatch(/Pays late|account\.note/);
    const stranger = await providerAdmin(gateway);
    expect(outcome(await stranger.call('GET', `${path}/${note}`))).toBe('404 not_found');
    expect(outcome(await stranger.call('PUT', `${path}/${note}`, { body: { text: 'mine' } }))).toBe('404 not_found');
    for (const bad of ['x'.repeat(4001), 'a\u0000b', 7, undefined])
      expect(await admin.call('PUT', `${path}/${note}`, { body: { text: bad } })).toMatchObject(
        refusal(400, 'invalid_request', { field: 'text' }),
      );
    expect((await asked(admin, 'PUT', note, { text: '😀'.repeat(4000) })).text).toBe('😀'.repeat(4000));
    expect(await asked(boss, 'PUT', note, { text: '' })).toMatchObject({ text: '', written_by: boss.email });
  });

  it('get the default plan proposed: the provider’s, else the installation’s', async () => {
    const plans = (await asked(boss, 'GET', 'plans')).plans;
    expect(plans.map(({ is_default }: { is_default: boolean }) => is_default)).not.toContain(true);
    const id = (name: string): string => plans.find((plan: { name: string }) => plan.name === name).plan_id;
    const entries = await auditOf(gateway.app.store, () => asked(boss, 'PATCH', `plans/${id('starter')}`, { is_default: true }));
    expect(entries).toMatchObject([{ action: 'plan.update', target_id: id('starter'), details: { default: { from: false, to: true } } }]);
    const defaults = async () =>
      (await asked(admin, 'GET', 'plans')).plans
        .filter(({ is_default }: { is_default: boolean }) => is_default)
        .map(({ name }: { name: string }) => name);
    expect(await defaults()).toEqual(['starter']);
    await asked(boss, 'PATCH', `plans/${id('business')}`, { is_default: true });
    expect(await defaults()).toEqual(['business']);

    // An admin chooses that of the own provider, and nothing else of it.
    const own = `providers/${admin.providerId}`;
    expect(await asked(admin, 'PATCH', own, { default_plan: 'trial' })).toMatchObject({ default_plan_id: id('trial') });
    expect(await admin.call('PATCH', `${path}/${own}`, { body: { default_plan: 'gold' } })).toMatchObject(
      refusal(400, 'invalid_request', { field: 'default_plan' }),
    );
    for (const [field, value] of [
      ['name', 'Mine'],
      ['status', 'active'],
      ['number_capacity', null],
    ] as const)
      expect(await admin.call('PATCH', `${path}/${own}`, { body: { [field]: value } })).toMatchObject(refusal(403, 'forbidden', { field }));
    expect(outcome(await admin.call('PATCH', `${path}/providers/default`, { body: { default_plan: null } }))).toBe('404 not_found');
    // It is proposed, not given: who asks for no plan gets none.
    expect((await asked(admin, 'POST', 'accounts', { name: 'Without' })).plan).toBeNull();
    await asked(boss, 'PATCH', `plans/${id('business')}`, { is_default: false });
    expect(await defaults()).toEqual([]);
  });

  it('count against the limit of their provider, which its admins see', async () => {
    await asked(boss, 'PATCH', `providers/${admin.providerId}`, { number_capacity: 3 });
    const { account_id } = await asked(admin, 'POST', 'accounts', { name: 'Linked', plan: 'starter' });
    expectOk(await admin.call('POST', '/v1/instances', { account: account_id, body: {} }));
    expect((await asked(admin, 'GET', 'providers')).rows).toMatchObject([
      { provider_id: admin.providerId, number_capacity: 3, numbers: 1 },
    ]);
    expect((await asked(boss, 'GET', 'providers')).total).toBeGreaterThan(1);
  });

  it('get a link again, and the old one ends', async () => {
    const { account_id, invitation } = await asked(admin, 'POST', 'accounts', { name: 'Forgetful', owner_email: 'late@example.com' });
    const again = await asked(admin, 'POST', `invitations/${invitation.invitation_id}/resend`, {});
    expect(again).toMatchObject({ email: 'late@example.com', role: 'owner', leads_to: 'Forgetful' });
    expect(await opens(invitation.link)).toBe('410 link_expired');
    expect(await opens(again.link)).toBe('200');
    expect(outcome(await admin.call('POST', `${path}/invitations/${invitation.invitation_id}/resend`, { body: {} }))).toBe('404 not_found');
    const stranger = await providerAdmin(gateway);
    expect(outcome(await stranger.call('POST', `${path}/invitations/${again.invitation_id}/resend`, { body: {} }))).toBe('404 not_found');

    const owner = await memberOf(gateway, account_id, 'owner');
    const third = expectOk(await owner.call('POST', `/portal/api/members/invitations/${again.invitation_id}/resend`, { body: {} })).body
      .data;
    gateway.secrets.add('the token of a link', tokenOf(third.link));
    expect([await opens(again.link), await opens(third.link)]).toEqual(['410 link_expired', '200']);
    const { invitations } = expectOk(await owner.call('GET', '/portal/api/members')).body.data;
    expect(invitations).toMatchObject([{ invitation_id: third.invitation_id, email: 'late@example.com', role: 'owner' }]);
  });
});
