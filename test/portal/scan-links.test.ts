import { beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import type { AuditEntry } from '../../src/portal/wire/operator.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, newProvider, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const hourMs = 60 * 60 * 1000;

describe.each(storeKinds)('a scan link on %s', (kind) => {
  const clock = createManualClock();
  let customer: Customer;
  let owner: SignedIn;
  let holder: Browser;
  let id: string;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeEach(async () => {
    // Budgets per minute go with the clock.
    clock.advance(60_000);
    customer = await gateway.customer({ name: 'Bakery' });
    owner = await memberOf(gateway, customer.accountId, 'owner');
    holder = openBrowser(gateway);
    id = (await customer.call('POST', '/v1/instances', { label: 'Shop' })).body.data.instance_id;
  });

  const make = (by: Browser, account = customer.accountId, number = id) =>
    by.call('POST', `/portal/api/numbers/${number}/scan-link`, { account });
  const tokenOf = ({ body }: Answer): string => {
    const token = body.data.link.split('/link/').at(-1) ?? '';
    gateway.secrets.add('the token of a link', token);
    return token;
  };
  const made = async () => tokenOf(expectOk(await make(owner)));
  const look = (token: string) => holder.call('GET', `/portal/api/links/${token}`);
  const ask = (token: string, rest: string, number = id) => holder.call('GET', `/portal/api/links/${token}/instances/${number}/${rest}`);
  const scan = (code: string, phone_number: string) => customer.call('POST', '/sandbox/scan', { code, phone_number });
  /** What the look, the code and the progress are answered, when it is the same. */
  const refusedWith = async (token: string) => {
    const answers = [await look(token), await ask(token, 'qr'), await ask(token, 'qr-status')];
    const [one, ...others] = new Set(answers.map((answer) => `${outcome(answer)} ${answer.body.error.details?.reason ?? ''}`.trim()));
    expect(others).toEqual([]);
    return one;
  };
  const audited = async () => {
    const { rows }: { rows: AuditEntry[] } = expectOk(await owner.call('GET', '/portal/api/audit')).body.data;
    return rows.filter(({ target_id }) => target_id === id).map(({ action, actor_name }) => [action, actor_name]);
  };

  it('shows the codes of its number without a sign-in, and is used up when a phone has linked it', async () => {
    const answer = expectOk(await make(owner));
    expect(answer.body.data).toEqual({
      instance_id: id,
      link: expect.stringMatching(/\/link\/[A-Za-z0-9_-]{43}$/),
      expires_at: new Date(clock.now() + hourMs).toISOString(),
    });
    const token = tokenOf(answer);
    expect((await look(token)).body.data).toMatchObject({
      purpose: 'scan',
      leads_to: 'Bakery',
      expires_at: answer.body.data.expires_at,
      scan: { instance_id: id, label: 'Shop', network: 'sandbox', brand: null },
    });

    const { qrcode } = expectOk(await ask(token, 'qr?phone_number=491710002100')).body.data;
    expect(qrcode).toMatchObject({ code: expect.any(String), pairingCode: expect.stringMatching(/^[A-Z0-9]{8}$/) });
    const progress = expectOk(await ask(token, 'qr-status'));
    expect(progress.headers.get('cache-control')).toBe('no-store');
    expect(progress.body.data).toMatchObject({ qrcode: { code: qrcode.code }, rotation_count: 1, exhausted: false });

    expectOk(await scan(qrcode.code, '491710002100'));
    await customer.reaches(id, 'open');
    expect(await refusedWith(token)).toBe('410 link_expired used');
    expect(await audited()).toEqual([
      ['number.scan_link_used', owner.email],
      ['number.link', expect.anything()],
      ['number.scan_link', owner.email],
      ['number.create', expect.anything()],
    ]);
  });

  it('begins the attempt in the name of its maker, and shows nothing of the number but its codes', async () => {
    id = await customer.linked('491710002101');
    expectOk(await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`));
    const token = await made();
    const { code } = expectOk(await ask(token, 'qr')).body.data.qrcode;
    expect((await ask(token, 'qr-status')).body.data).toMatchObject({ instance_id: id, label: null, phone_number: null });
    expectOk(await scan(code, '491710002101'));
    await customer.reaches(id, 'open');
    expect((await audited())[1]).toEqual(['number.link', owner.email]);
  });

  it('says so when the number is connected already', async () => {
    id = await customer.linked('491710002102');
    const token = await made();
    expect((await ask(token, 'qr')).body.data).toMatchObject({ already_connected: true, qrcode: null });
    expect((await ask(token, 'qr-status')).body.data).toMatchObject({ connected: true, phone_number: null });
  });

  it('ends after an hour, with its number, and when another one is made', async () => {
    const first = await made();
    const second = await made();
    expect(await refusedWith(first)).toBe('410 link_expired');
    clock.advance(hourMs - 1);
    expect(outcome(await look(second))).toBe('200');
    clock.advance(1);
    expect(await refusedWith(second)).toBe('410 link_expired expired');
    const third = await made();
    expectOk(await customer.call('DELETE', `/v1/instances/${id}`));
    expect(await refusedWith(third)).toBe('410 link_expired number_deleted');
  });

  it('ends with the right of its maker', async () => {
    const boss = await operator(gateway);
    const [byOwner, other] = [await made(), await memberOf(gateway, customer.accountId, 'owner')];
    expectOk(await other.call('PATCH', `/portal/api/members/${owner.userId}`, { body: { role: 'member' } }));
    expect(await refusedWith(byOwner)).toBe('410 link_expired');
    const byOperator = tokenOf(expectOk(await make(boss)));
    await updateAccount(gateway.app.store, customer.accountId, { providerId: await newProvider(gateway) }, at(clock.now()));
    expect(outcome(await ask(byOperator, 'qr'))).toBe('200');
  });

  it('waits while the account is suspended', async () => {
    const token = await made();
    await updateAccount(gateway.app.store, customer.accountId, { status: 'suspended' }, at(clock.now()));
    for (const rest of ['qr', 'qr-status']) expect(outcome(await ask(token, rest))).toBe('403 account_suspended');
    expect(outcome(await make(owner))).toBe('403 account_suspended');
    await updateAccount(gateway.app.store, customer.accountId, { status: 'active' }, at(clock.now()));
    expect(outcome(await ask(token, 'qr'))).toBe('200');
  });

  it('is for its number alone, and for nothing but linking it', async () => {
    const token = await made();
    const other = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    expect(outcome(await ask(token, 'qr', other))).toBe('410 link_expired');
    expect(outcome(await ask('A'.repeat(43), 'qr'))).toBe('410 link_expired');
    expect(await refusedWith(token.toLowerCase())).toBe('410 link_expired');
    // It is no way to a sign-in.
    const body = { email: 'me@example.com', name: 'Me', password: 'a password of mine' };
    expect(outcome(await holder.call('POST', `/portal/api/links/${token}`, { body }))).toBe('410 link_expired');
    expect(await gateway.app.store.db.selectFrom('users').select('id').where('email', '=', body.email).execute()).toEqual([]);
    for (const [method, path] of [
      ['GET', 'status'],
      ['GET', 'passkey'],
      ['DELETE', ''],
      ['PATCH', ''],
    ] as const) {
      const under = `/portal/api/links/${token}/instances/${id}/${path}`.replace(/\/$/, '');
      expect(outcome(await holder.call(method, under, { body: method === 'PATCH' ? { label: 'x' } : undefined }))).toBe('404 not_found');
    }
    expect(outcome(await holder.call('GET', `/portal/api/numbers/${id}`, { account: customer.accountId }))).toBe('401 missing_session');
    const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect(outcome(await holder.call('GET', `/portal/api/links/${token}/instances/${id}/qr`, elsewhere))).toBe('403 forbidden');
  });

  it('is made by those who manage the account alone', async () => {
    const stranger = await gateway.customer();
    const theirs = (await stranger.call('POST', '/v1/instances', {})).body.data.instance_id;
    expect(outcome(await make(await memberOf(gateway, customer.accountId)))).toBe('403 forbidden');
    for (const number of [theirs, 'none']) expect(outcome(await make(owner, customer.accountId, number))).toBe('404 instance_not_found');
    expect(outcome(await make(owner, stranger.accountId, theirs))).toBe('403 forbidden');
  });

  const all = async (asked: Promise<Answer>[]) => [...new Set((await Promise.all(asked)).map(outcome))];

  it('is counted, whoever asks', async () => {
    const token = await made();
    expect(await all(Array.from({ length: 300 }, () => ask(token, 'qr-status')))).toEqual(['200']);
    expect(outcome(await ask(token, 'qr-status'))).toBe('429 rate_limit_exceeded');
    holder = openBrowser(gateway);
    expect(outcome(await ask(token, 'qr-status'))).toBe('429 rate_limit_exceeded');
  });

  it('lets nobody guess', async () => {
    expect(await all(Array.from({ length: 600 }, (_, i) => ask(`guess-${i}`, 'qr')))).toEqual(['410 link_expired']);
    const refused = await ask('guess', 'qr');
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
