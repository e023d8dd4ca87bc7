import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey, updateAccount } from '../../src/accounts/index.ts';
import { listAudit } from '../../src/audit/index.ts';
import { endTwoFactor, invite } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import type { Customer } from '../support/gateway.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { authenticator, totpCode, wrongCode } from '../support/totp.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const own = '/portal/api/audit';
const all = '/portal/api/operator/audit';

describe.each(storeKinds)('the audit log in the portal on %s', (kind) => {
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let theirs: Customer;
  let foreign: Customer;
  let owner: SignedIn;
  const { gateway } = useGateway({ store: kind });
  beforeAll(async () => {
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    theirs = await gateway.customer({ name: 'Theirs', providerId: admin.providerId });
    foreign = await gateway.customer({ name: 'Foreign' });
    owner = await memberOf(gateway, theirs.accountId, 'owner');
  });
  const page = async (by: SignedIn, path: string) => expectOk(await by.call('GET', path)).body.data;
  const actions = ({ rows }: { rows: { action: string }[] }) => rows.map(({ action }) => action);

  it('is shown to the owners of an account, and to who acts for it', async () => {
    const expected = ['user.join', 'user.invite', 'key.create', 'account.create'];
    const data = await page(owner, own);
    expect(actions(data)).toEqual(expected);
    expect(data.next).toBeNull();
    expect(data.rows[0]).toEqual({
      audit_id: expect.stringMatching(/^[\w-]{22}$/),
      at: expect.stringMatching(/Z$/),
      actor_kind: 'user',
      actor_id: null,
      actor_name: owner.email,
      action: 'user.join',
      target_kind: 'user',
      target_id: owner.userId,
      target_name: owner.email,
      account_id: theirs.accountId,
      account_name: 'Theirs',
      details: { role: { from: null, to: 'owner' } },
    });
    for (const person of [boss, admin])
      expect(actions(expectOk(await person.call('GET', own, { account: theirs.accountId })).body.data)).toEqual(expected);
    const member = await memberOf(gateway, theirs.accountId);
    expect(outcome(await member.call('GET', own))).toBe('403 forbidden');
    expect(outcome(await admin.call('GET', own, { account: foreign.accountId }))).toBe('403 forbidden');
  });

  it('tells nobody how much happens elsewhere: neither its ids nor its cursors are numbers', async () => {
    const { rows } = await page(owner, own);
    const first = await page(owner, `${own}?limit=1`);
    expect(JSON.parse(Buffer.from(first.next, 'base64url').toString())).toEqual(['-at', expect.stringMatching(/^[\w-]{60}$/), '']);
    const second = await page(owner, `${own}?limit=1&after=${first.next}`);
    expect([...first.rows, ...second.rows]).toEqual(rows.slice(0, 2));
    const { ids } = await page(owner, '/portal/api/audit/ids');
    expect(ids).toEqual(rows.map(({ audit_id }: { audit_id: string }) => audit_id));
    const elsewhere = await boss.call('GET', `${own}?after=${first.next}`, { account: foreign.accountId });
    expect(outcome(elsewhere)).toBe('400 invalid_request');
  });

  it('of everything is shown to operators, and of the own provider to its admin', async () => {
    const everything = await page(boss, `${all}?limit=200`);
    const accountIds = new Set(everything.rows.map(({ account_id }: { account_id: string | null }) => account_id));
    expect(accountIds).toEqual(new Set([null, theirs.accountId, foreign.accountId]));
    const seen = await page(admin, `${all}?limit=200`);
    expect(new Set(seen.rows.map(({ account_id }: { account_id: string | null }) => account_id))).toEqual(
      new Set([null, theirs.accountId]),
    );
    expect(JSON.stringify(seen)).not.toContain('Foreign');
    // Who acted may be somebody that only operators can look at.
    expect(JSON.stringify(everything)).toContain(`"actor_id":"${owner.userId}"`);
    expect(JSON.stringify(seen)).not.toContain('"actor_id":"');
    expect(actions(seen)).toContain('provider.create');
    expect(actions(seen)).not.toContain('plan.create');
    expect(await page(boss, `${all}?account_id=${foreign.accountId.toUpperCase()}`)).toMatchObject({
      rows: [{ account_name: 'Foreign' }, { account_name: 'Foreign' }],
    });
    expect(outcome(await admin.call('GET', `${all}?account_id=${foreign.accountId}`))).toBe('404 not_found');
    expect(outcome(await boss.call('GET', `${all}?account_id=nope`))).toBe('404 not_found');
    expect(outcome(await owner.call('GET', all))).toBe('403 forbidden');
  });

  it('tells the old provider nothing of an account that left', async () => {
    const moving = await gateway.customer({ name: 'Moving', providerId: admin.providerId });
    await updateAccount(gateway.app.store, moving.accountId, { providerId: 'default', name: 'Moved' }, at(Date.now()));
    await createKey(gateway.app.store, moving.accountId, { label: 'new' }, at(Date.now()));
    const seen = (await page(admin, `${all}?limit=200`)).rows.filter(
      ({ account_id }: { account_id: string }) => account_id === moving.accountId,
    );
    expect(seen).toMatchObject([
      { action: 'key.create', account_name: null },
      { action: 'account.create', account_name: null, target_name: null },
    ]);
  });

  it('is narrowed by what was done, and by what the object was called', async () => {
    const { instance_id } = expectOk(await theirs.call('POST', '/v1/instances', { label: 'Branch Office' })).body.data;
    expectOk(await theirs.call('DELETE', `/v1/instances/${instance_id}`));
    for (const [person, path] of [
      [owner, own],
      [admin, all],
      [boss, all],
    ] as const) {
      expect(actions(await page(person, `${path}?name=office`))).toEqual(['number.delete', 'number.create']);
      expect(actions(await page(person, `${path}?name=BRANCH%20o&action=number.delete`))).toEqual(['number.delete']);
    }
    const elsewhere = await memberOf(gateway, foreign.accountId, 'owner');
    expect(await page(elsewhere, `${own}?name=office`)).toMatchObject({ rows: [] });
  });

  it('comes in pages that hold everything once', async () => {
    const whole = (await page(boss, `${all}?limit=200`)).rows;
    const paged: unknown[] = [];
    let after: string | null = '';
    while (after !== null) {
      const data: { rows: unknown[]; next: string | null } = await page(boss, `${all}?limit=3${after === '' ? '' : `&after=${after}`}`);
      paged.push(...data.rows);
      after = data.next;
    }
    expect(paged).toEqual(whole);
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['limit=many', 'limit'],
      ['before=!', 'before'],
      ['after=WyJhdCIsMV0', 'after'],
      ['account_id=%00', 'account_id'],
    ])
      expect(await boss.call('GET', `${all}?${query}`)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });

  it('holds what people do with their own password and two-factor, and only what succeeded', async () => {
    const person = await memberOf(gateway, theirs.accountId);
    const { password } = person;
    const does = (path: string, body: object) => person.call('POST', `/portal/auth/${path}`, { body });
    const noted = async (work: () => Promise<unknown>) =>
      (await auditOf(gateway.app.store, work)).map(({ action, actor_id, target_id, details }) => {
        expect([actor_id, target_id]).toEqual([person.userId, person.userId]);
        return [action, details];
      });
    const newCodes = () => noted(() => does('two-factor/backup-codes', { password }));
    expect(await newCodes()).toEqual([]);
    let uri = '';
    expect(
      await noted(async () => {
        const { totp_uri } = expectOk(await does('two-factor/enable', { password })).body.data;
        uri = totp_uri;
        expect((await does('two-factor/verify-totp', { code: wrongCode(uri) })).status).not.toBe(200);
      }),
    ).toEqual([]);
    gateway.secrets.add('a two-factor secret', new URL(uri).searchParams.get('secret') ?? '');
    expect(await noted(async () => expectOk(await does('two-factor/verify-totp', { code: totpCode(uri) })))).toEqual([
      ['user.two_factor', { two_factor: { from: false, to: true } }],
    ]);
    expect(await newCodes()).toEqual([['user.backup_codes', {}]]);
    const elsewhere = () => openBrowser(gateway).signIn(person.email, password);
    expect(expectOk(await elsewhere()).body.data.two_factor).toBe(true);
    // From the command line, for who lost the authenticator.
    expect(await auditOf(gateway.app.store, () => endTwoFactor(gateway.app.store, person.email, at(Date.now())))).toMatchObject([
      { action: 'user.two_factor', actor_kind: 'command_line', details: { two_factor: { from: true, to: false } } },
    ]);
    expect(await auditOf(gateway.app.store, () => endTwoFactor(gateway.app.store, person.email, at(Date.now())))).toEqual([]);
    expect(expectOk(await elsewhere()).body.data.two_factor).toBe(false);
    const again = expectOk(await does('two-factor/enable', { password })).body.data.totp_uri;
    gateway.secrets.add('a two-factor secret', new URL(again).searchParams.get('secret') ?? '');
    expectOk(await does('two-factor/verify-totp', { code: totpCode(again) }));
    expect(await noted(async () => expectOk(await does('two-factor/disable', { password })))).toEqual([
      ['user.two_factor', { two_factor: { from: true, to: false } }],
    ]);
    const newPassword = 'quite another password';
    gateway.secrets.add('a password', newPassword);
    expect(
      await noted(async () => {
        expect((await does('change-password', { currentPassword: 'not the right one', newPassword })).status).not.toBe(200);
        expectOk(await does('change-password', { currentPassword: password, newPassword }));
      }),
    ).toEqual([['user.password', {}]]);
  });

  describe('of sign-ins', () => {
    let person: SignedIn;
    beforeEach(async () => {
      person = await memberOf(gateway, theirs.accountId);
    });
    const visitor = () => openBrowser(gateway);
    const code = (browser: Browser, name: string, body: object) => browser.call('POST', `/portal/auth/two-factor/${name}`, { body });
    const noted = async (work: () => Promise<unknown>) =>
      (await auditOf(gateway.app.store, work)).map(({ action, actor_kind, actor_name, target_id, details }) => {
        expect(target_id).toBe(person.userId);
        return [action, actor_kind, actor_name, Object.fromEntries(Object.entries(details).map(([field, { to }]) => [field, to]))];
      });
    /** Failures are noted a moment later. */
    const failures = async (work: () => Promise<unknown>, attempts: number) => {
      const before = new Set((await failed()).map(({ id }) => id));
      await work();
      return waitFor(async () => {
        const rows = (await failed()).filter(({ id }) => !before.has(id));
        expect(rows.at(0)?.details.attempts?.to).toBe(attempts);
        return rows.map(({ actor_kind, details }) => [actor_kind, details.factor?.to, details.address?.to]);
      });
    };
    const failed = async () =>
      (await listAudit(gateway.app.store, { actions: ['user.sign_in_failed'], limit: 1000 })).filter(
        ({ target_id }) => target_id === person.userId,
      );

    it('names who signed in, by what and from where', async () => {
      const browser = visitor();
      expect(await noted(() => browser.signIn(` ${person.email.toUpperCase()}`, person.password))).toEqual([
        ['user.sign_in', 'user', person.email, { factor: 'password', address: browser.from }],
      ]);
      const other = await gateway.customer();
      const place = { role: 'member', providerId: null, accountId: other.accountId } as const;
      const { token } = await invite(gateway.app.store, person.email, place, at(Date.now()));
      gateway.secrets.add('the token of a link', token);
      const body = { password: person.password };
      expect((await noted(() => visitor().call('POST', `/portal/api/links/${token}`, { body }))).map(([action]) => action)).toEqual([
        'user.sign_in',
        'user.join',
      ]);
    });

    it('counts as one only what led to a session, with the factor that did', async () => {
      const { data } = expectOk(await code(person, 'enable', { password: person.password })).body;
      gateway.secrets.add('a two-factor secret', new URL(data.totp_uri).searchParams.get('secret') ?? '');
      for (const backupCode of data.backup_codes) gateway.secrets.add('a backup code', backupCode);
      const nextCode = authenticator(data.totp_uri);
      expectOk(await code(person, 'verify-totp', { code: nextCode() }));
      const browser = visitor();
      expect(await noted(() => browser.signIn(person.email, person.password))).toEqual([]);
      expect((await noted(() => code(browser, 'verify-totp', { code: nextCode() }))).map(([, , , details]) => details)).toEqual([
        { factor: 'totp', address: browser.from },
      ]);
      const second = visitor();
      await second.signIn(person.email, person.password);
      expect(
        (await noted(() => code(second, 'verify-backup-code', { code: data.backup_codes[0] }))).map(([, , , details]) => details),
      ).toEqual([{ factor: 'backup_code', address: second.from }]);
      const thief = visitor();
      await thief.signIn(person.email, person.password);
      const wrong = () => code(thief, 'verify-totp', { code: wrongCode(data.totp_uri) });
      expect(await failures(wrong, 1)).toEqual([['system', 'totp', thief.from]]);
    });

    it('that fail are one row a minute for each person, with their number, and none for nobody', async () => {
      const guess = (browser: Browser) => browser.signIn(person.email, 'not the password');
      const [first, second] = [visitor(), visitor()];
      const guessed = async () => {
        for (let i = 0; i < 5; i++) await guess(first);
        await Promise.all([guess(second), guess(second), guess(second)]);
      };
      expect(await failures(guessed, 8)).toEqual([['system', 'password', second.from]]);
      expect(await auditOf(gateway.app.store, () => visitor().signIn('nobody@example.com', 'not the password'))).toEqual([]);
    });
  });
});
