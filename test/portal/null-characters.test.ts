import { beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

/** PostgreSQL keeps it in no text. */
const nul = 'a\u0000b';

describe.each(storeKinds)('the character U+0000 on %s', (kind) => {
  let owner: SignedIn;
  let boss: SignedIn;
  const { gateway, customer } = useGateway({ store: kind });
  beforeAll(async () => {
    [owner, boss] = [await memberOf(gateway, customer.accountId, 'owner'), await operator(gateway)];
  });

  it('is refused in every field of the portal, which is named', async () => {
    const password = 'a password of their own';
    const place = { role: 'member', providerId: null, accountId: customer.accountId } as const;
    const { token } = await invite(gateway.app.store, 'new@example.com', place, at(gateway.clock.now()));
    gateway.secrets.add('the token of a link', token);
    const accounts = '/portal/api/operator/accounts';
    for (const [by, method, path, body, field] of [
      [owner, 'POST', '/portal/auth/change-name', { name: nul }, 'name'],
      [owner, 'POST', '/portal/api/keys', { label: nul }, 'label'],
      [owner, 'POST', '/portal/api/members', { email: `${nul}@example.com`, role: 'member' }, 'email'],
      [openBrowser(gateway), 'POST', '/portal/auth/sign-in', { email: nul, password }, 'email'],
      [openBrowser(gateway), 'POST', `/portal/api/links/${token}`, { name: nul, password }, 'name'],
      [boss, 'POST', accounts, { name: nul }, 'name'],
      [boss, 'POST', accounts, { name: 'A', plan: nul }, 'plan'],
      [boss, 'POST', accounts, { name: 'A', provider_id: nul }, 'provider_id'],
      [boss, 'GET', `${accounts}?search=a%00b`, undefined, 'search'],
      [boss, 'GET', `${accounts}?provider_id=a%00b`, undefined, 'provider_id'],
    ] as const) {
      const answer = await by.call(method, path, body === undefined ? {} : { body });
      expect([path, field, answer]).toMatchObject([path, field, refusal(400, 'invalid_request', { field })]);
    }
  });

  it('is refused in the id of the account acted for, as everything that is no id', async () => {
    for (const id of ['%00', 'a%00b', '%20', 'a'.repeat(65), "'%20or%201=1"]) {
      for (const path of ['usage', 'usage.csv', 'events', 'sandbox/files/x']) {
        const answer = await owner.call('GET', `/portal/api/${path}?account_id=${id}`, { account: null });
        expect([path, answer]).toMatchObject([path, refusal(400, 'invalid_request', { field: 'account_id' })]);
      }
    }
    const answer = await owner.call('GET', '/portal/api/account', { account: "' or 1=1" });
    expect(answer).toMatchObject(refusal(400, 'invalid_request', { field: 'X-Account-Id' }));
  });

  it('in a path names nothing', async () => {
    for (const [by, path] of [
      [owner, '/portal/api/sandbox/files/%00'],
      [owner, '/portal/api/requests/%00'],
      [owner, '/portal/api/pairings/%00'],
      [boss, '/portal/api/operator/accounts/%00'],
    ] as const) {
      expect(outcome(await by.call('GET', path))).toMatch(/^404 /);
    }
  });

  it('is refused in what the API stores, and delivered in a message', async () => {
    const instance_id = await customer.linked();
    const to = '491701234567';
    expect(await customer.call('POST', '/v1/instances', { label: nul })).toMatchObject(refusal(400, 'invalid_request', { field: 'label' }));
    // A message is the customer's own text: it is sent as it is and not kept.
    expect(outcome(await customer.send('text', { instance_id, to, text: nul, more: nul }))).toBe('200');
    expect((await customer.received(to)).at(-1).content).toEqual({ text: nul });
  });
});
