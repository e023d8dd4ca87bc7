import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../src/audit/index.ts';
import { newId, StoreUnavailable } from '../../src/core/index.ts';
import { join, type MailText, takeLink, usableLink } from '../../src/people/index.ts';
import type { Store } from '../../src/store/index.ts';
import { storeKinds } from '../support/stores.ts';
import { openTerminal, type Terminal } from './world.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('gateway user on %s', (kind) => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await openTerminal(kind);
  });
  afterEach(() => terminal.dispose());

  const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';
  const account = async (name = 'Acme'): Promise<string> => (await terminal.json('account', 'create', '--name', name)).account_id;
  const invite = (email: string, role: string, ...place: string[]) =>
    terminal.json('user', 'invite', '--email', email, '--role', role, ...place);
  const audited = async () =>
    (await listAudit(terminal.store, { limit: 100 }))
      .filter(({ target_kind }) => target_kind === 'user')
      .map(({ actor_kind, action, account_id, details }) => ({ actor_kind, action, account_id, details }));

  /** Somebody who uses the invitation; the sign-in itself is the portal's. */
  async function accepts(link: string, known?: string): Promise<string> {
    const { store, now } = terminal;
    const found = await usableLink(store, tokenOf(link), now);
    const id = known ?? newId();
    await store.transaction(async (trx) => {
      if (known === undefined) {
        const user = { id, name: 'Somebody', email: found.email ?? '', two_factor_enabled: null, created_at: new Date(now).toISOString() };
        const rest = { email_verified: kind === 'sqlite' ? 1 : true, updated_at: user.created_at };
        await trx
          .insertInto('users')
          .values({ ...user, ...rest })
          .execute();
      }
      await takeLink(trx, found.id, now);
      if (found.role === null) throw new Error('not an invitation');
      const act = { actor: { kind: 'user', id, name: found.email ?? '' }, now } as const;
      await join(trx, { ...found, role: found.role }, { id, email: found.email ?? '' }, act);
    });
    return id;
  }

  test('invites to every role, with a link to where the settings say', async () => {
    const account_id = await account();
    for (const [role, stored, place, ids] of [
      ['operator', 'operator', [], { account_id: null, provider_id: null }],
      ['provider-admin', 'provider_admin', ['--provider', 'default'], { account_id: null, provider_id: 'default' }],
      ['owner', 'owner', ['--account', account_id.toUpperCase()], { account_id, provider_id: null }],
      ['member', 'member', ['--account', account_id], { account_id, provider_id: null }],
    ] as const) {
      const email = `${role}@example.com`;
      const told = await invite(` ${email.toUpperCase()} `, role, ...place);
      expect(told).toEqual({
        invitation_id: expect.any(String),
        email,
        role: stored,
        ...ids,
        expires_at: new Date(terminal.now + 7 * dayMs).toISOString(),
        link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/link\/[\w-]{43}$/),
        mailed: false,
      });
      expect(await usableLink(terminal.store, tokenOf(told.link), terminal.now)).toMatchObject({ email, role: stored, ...ids });
    }
    expect(await audited()).toHaveLength(4);
    expect((await audited())[0]).toEqual({
      actor_kind: 'command_line',
      action: 'user.invite',
      account_id,
      details: { email: { from: null, to: 'member@example.com' }, role: { from: null, to: 'member' } },
    });
    for (const [env, address] of [
      [{ PUBLIC_URL: 'https://gateway.example.com/' }, 'https://gateway.example.com'],
      [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://127.0.0.1:8080'],
      [{ TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem', HOST: '::' }, 'https://[::1]:3000'],
    ] as const) {
      const { stdout } = await terminal.runIn({ env }, 'user', 'invite', '--email', 'a@example.com', '--role', 'operator');
      expect(stdout).toMatch(new RegExp(`^link +${address.replaceAll('[', '\\[')}/link/[\\w-]{43}\\nworks once, until +2026-`));
    }
    const { exitCode, stderr } = await terminal.runIn(
      { env: { PORT: '0' } },
      'user',
      'invite',
      '--email',
      'a@example.com',
      '--role',
      'operator',
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('PORT is 0')]);
  });

  test('mails what the settings have a mail server for', async () => {
    const account_id = await account('Söhne');
    await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    const mails: { to: string; mail: MailText }[] = [];
    const openMail = (taken: boolean) => () => ({
      verify: async () => null,
      async send(to: string, mail: MailText) {
        mails.push({ to, mail });
        return taken;
      },
    });
    for (const [taken, words] of [
      [true, ['invite', '--email', 'bob@example.com', '--role', 'member', '--account', account_id]],
      [true, ['reset-password', '--email', 'ada@example.com']],
      [false, ['reset-password', '--email', 'ada@example.com']],
    ] as const) {
      const { exitCode, stdout } = await terminal.runIn({ openMail: openMail(taken) }, 'user', ...words, '--json');
      const told = JSON.parse(stdout);
      expect([exitCode, told.mailed]).toEqual([0, taken]);
      const { to, mail } = mails.at(-1) ?? { to: '', mail: { subject: '', text: '' } };
      expect(to).toBe(told.email);
      expect(mail.text).toContain(told.link);
      expect(mail.text).not.toContain('null');
    }
    expect(mails[0]?.mail.text).toContain('a member of the account "Söhne"');
  });

  test('lists people with their roles', async () => {
    expect((await terminal.run('user', 'list')).stdout).toMatch(/^Nobody yet/);
    const account_id = await account();
    const id = await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    await accepts((await invite('ada@example.com', 'operator')).link, id);
    await accepts((await invite('bob@example.com', 'provider-admin', '--provider', 'default')).link);
    const people = await terminal.json('user', 'list', '--search', 'ADA');
    expect(people).toEqual([
      {
        user_id: id,
        email: 'ada@example.com',
        name: 'Somebody',
        two_factor: false,
        created_at: new Date(terminal.now).toISOString(),
        last_seen_at: null,
        memberships: expect.arrayContaining([
          { role: 'owner', account_id, account_name: 'Acme', provider_id: null, provider_name: null },
          { role: 'operator', account_id: null, account_name: null, provider_id: null, provider_name: null },
        ]),
      },
    ]);
    const lines = (await terminal.run('user', 'list')).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^USER ID +EMAIL +NAME +TWO-FACTOR +ROLES$/);
    expect(lines.find((line) => line.includes('bob@'))).toMatch(/provider admin of default$/);
  });

  test('gives a link to a new password, and ends those before', async () => {
    const account_id = await account();
    const id = await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    const first = await terminal.json('user', 'reset-password', '--email', 'Ada@example.com');
    expect(first).toEqual({
      email: 'ada@example.com',
      expires_at: new Date(terminal.now + 2 * 60 * 60 * 1000).toISOString(),
      link: expect.stringContaining('/link/'),
      mailed: false,
    });
    const second = await terminal.json('user', 'reset-password', '--email', 'ada@example.com');
    await expect(usableLink(terminal.store, tokenOf(first.link), terminal.now)).rejects.toMatchObject({ code: 'link_expired' });
    expect(await usableLink(terminal.store, tokenOf(second.link), terminal.now)).toMatchObject({ purpose: 'password_reset' });
    const [entry] = await listAudit(terminal.store, { limit: 1 });
    expect(entry).toMatchObject({ actor_kind: 'command_line', action: 'user.password_reset', target_id: id, details: {} });
    await terminal.store.db
      .updateTable('users')
      .set({ two_factor_enabled: kind === 'sqlite' ? 1 : true })
      .execute();
    expect((await terminal.json('user', 'list'))[0].two_factor).toBe(true);
    const openStore = async (): Promise<Store> => {
      const store = await terminal.database.open();
      let begun = 0;
      const transaction: Store['transaction'] = (work) =>
        ++begun > 1 ? Promise.reject(new StoreUnavailable('the store is away')) : store.transaction(work);
      return { ...store, transaction };
    };
    const words = ['user', 'reset-password', '--email', 'ada@example.com', '--two-factor-off'];
    expect(await terminal.runIn({ openStore }, ...words)).toMatchObject({ exitCode: 1, stdout: '' });
    // What is not shown has ended nothing.
    expect(await usableLink(terminal.store, tokenOf(second.link), terminal.now)).toMatchObject({ purpose: 'password_reset' });
    await terminal.json(...words);
    expect((await terminal.json('user', 'list'))[0].two_factor).toBe(false);
    const { exitCode, stderr } = await terminal.run('user', 'reset-password', '--email', 'nobody@example.com');
    expect([exitCode, stderr]).toEqual([1, 'gateway: nobody signs in as "nobody@example.com"\n']);
  });

  test('takes one role away', async () => {
    const [account_id, other] = [await account(), await account('Other')];
    const id = await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    await accepts((await invite('ada@example.com', 'member', '--account', other)).link, id);
    await accepts((await invite('ada@example.com', 'provider-admin', '--provider', 'default')).link, id);
    const removed = await terminal.json('user', 'remove', '--email', 'ada@example.com', '--account', other.toUpperCase());
    expect(removed).toEqual({
      user_id: id,
      email: 'ada@example.com',
      removed: [{ role: 'member', account_id: other, provider_id: null }],
    });
    expect((await terminal.run('user', 'remove', '--email', 'ada@example.com', '--provider', 'default')).stdout).toBe(
      'Removed the role of ada@example.com.\n',
    );
    const again = await terminal.run('user', 'remove', '--email', 'ada@example.com', '--provider', 'default');
    expect([again.exitCode, again.stderr]).toEqual([1, 'gateway: ada@example.com has no role at this provider\n']);
    const [{ memberships }] = await terminal.json('user', 'list');
    expect(memberships).toMatchObject([{ role: 'owner', account_id }]);
    // Whoever has the machine may take the last owner, and is told.
    expect((await terminal.run('user', 'remove', '--email', 'ada@example.com', '--account', account_id)).stdout).toContain(
      'has no owner now',
    );
    expect(
      (await audited()).filter(({ action }) => action === 'user.remove').map(({ account_id, details }) => [account_id, details]),
    ).toEqual([
      [account_id, { email: { from: 'ada@example.com', to: null }, role: { from: 'owner', to: null } }],
      [null, { email: { from: 'ada@example.com', to: null }, role: { from: 'provider_admin', to: null } }],
      [other, { email: { from: 'ada@example.com', to: null }, role: { from: 'member', to: null } }],
    ]);
  });

  test('removes a person altogether, with every invitation', async () => {
    const account_id = await account();
    const id = await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    await accepts((await invite('ada@example.com', 'operator')).link, id);
    const waiting = await invite('ada@example.com', 'provider-admin', '--provider', 'default');
    const { stdout } = await terminal.run('user', 'remove', '--email', 'ada@example.com');
    expect(stdout).toContain('Removed ada@example.com.\n');
    expect(stdout).toContain('There is no operator now');
    expect(stdout).toContain('has no owner now');
    expect(await terminal.json('user', 'list')).toEqual([]);
    await expect(usableLink(terminal.store, tokenOf(waiting.link), terminal.now)).rejects.toMatchObject({ code: 'link_expired' });
    expect((await terminal.dump()).memberships).toEqual([]);
    expect((await audited()).filter(({ action }) => action === 'user.remove')).toHaveLength(2);
    // Somebody without any role is removed, and noted, too.
    const bob = await accepts((await invite('bob@example.com', 'member', '--account', account_id)).link);
    await terminal.json('user', 'remove', '--email', 'bob@example.com', '--account', account_id);
    expect(await terminal.json('user', 'remove', '--email', 'bob@example.com')).toMatchObject({ user_id: bob, removed: [] });
    expect((await audited())[0]).toMatchObject({ action: 'user.remove', account_id: null });
  });

  test.each([
    [2, ['invite', '--role', 'operator']],
    [2, ['invite', '--email', 'nobody', '--role', 'operator']],
    [2, ['invite', '--email', 'a@example.com']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'provider_admin']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'owner']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'provider-admin']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'provider-admin', '--account', 'x']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'operator', '--account', 'x']],
    [2, ['invite', '--email', 'a@example.com', '--role', 'owner', '--account', 'x', '--provider', 'default']],
    [1, ['invite', '--email', 'a@example.com', '--role', 'owner', '--account', 'x']],
    [1, ['invite', '--email', 'a@example.com', '--role', 'provider-admin', '--provider', 'x']],
    [1, ['remove', '--email', 'a@example.com']],
    [2, ['remove', '--email', 'a@example.com', '--account', 'x', '--provider', 'y']],
  ])('exits with %i and one line for %j', async (expected, words) => {
    const before = await terminal.dump();
    const { exitCode, stdout, stderr } = await terminal.run('user', ...words);
    expect([exitCode, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/^gateway: [^\n]+\n$/);
    expect(await terminal.dump()).toEqual(before);
  });

  test('refuses to invite who has the role already', async () => {
    const account_id = await account();
    await accepts((await invite('ada@example.com', 'owner', '--account', account_id)).link);
    const words = ['user', 'invite', '--email', 'ada@example.com', '--role', 'member', '--account', account_id];
    const { exitCode, stderr } = await terminal.run(...words);
    expect([exitCode, stderr]).toEqual([1, 'gateway: "ada@example.com" has a role there already\n']);
  });
});
