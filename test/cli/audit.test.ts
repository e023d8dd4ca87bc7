import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import type { Actor } from '../../src/audit/index.ts';
import { openTerminal, type Terminal } from './world.ts';

describe('gateway audit', () => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await openTerminal();
  });
  afterEach(() => terminal.dispose());

  const text = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await terminal.run('audit', ...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout.trimEnd().split('\n');
  };

  test('tells what commands changed, newest first, and never a key', async () => {
    const { account_id } = await terminal.json('account', 'create', '--name', 'Acme', '--plan', 'trial');
    const { plan_id } = await terminal.json('plan', 'create', '--name', 'pro', '--messages-per-minute', '600', '--instance-limit', '50');
    await terminal.json('plan', 'update', 'pro', '--instance-limit', '60');
    const { provider_id } = await terminal.json('provider', 'create', '--name', 'north');
    await terminal.json('provider', 'update', provider_id, '--suspend');
    await terminal.json('account', 'update', account_id, '--suspend');
    const { key_id, key, prefix } = await terminal.json('key', 'create', '--account', account_id, '--label', 'shop');
    await terminal.json('key', 'revoke', key_id);
    await terminal.json('key', 'revoke', key_id);
    const entries = await terminal.json('audit');
    expect(entries.map(({ action, target_id }: { action: string; target_id: string }) => [action, target_id])).toEqual([
      ['key.revoke', key_id],
      ['key.create', key_id],
      ['account.suspend', account_id],
      ['provider.suspend', provider_id],
      ['provider.create', provider_id],
      ['plan.update', plan_id],
      ['plan.create', plan_id],
      ['account.create', account_id],
    ]);
    expect(entries[0]).toEqual({
      audit_id: expect.any(Number),
      at: new Date(terminal.now).toISOString(),
      actor_kind: 'command_line',
      actor_id: null,
      actor_name: null,
      action: 'key.revoke',
      target_kind: 'key',
      target_id: key_id,
      target_name: prefix,
      account_id,
      account_name: 'Acme',
      provider_id: 'default',
      details: { prefix: { from: prefix, to: null }, label: { from: 'shop', to: null } },
    });
    expect(entries[5].details).toEqual({ instance_limit: { from: 50, to: 60 } });
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  test('of what was called so', async () => {
    await terminal.json('account', 'create', '--name', 'Acme Bakery');
    await terminal.json('account', 'create', '--name', 'Other');
    expect(await terminal.json('audit', '--name', 'bakery')).toMatchObject([{ target_name: 'Acme Bakery' }]);
  });

  test('of one account, and no more than asked for', async () => {
    const { account_id } = await terminal.json('account', 'create', '--name', 'Acme');
    const { account_id: other } = await terminal.json('account', 'create', '--name', 'Other');
    await terminal.json('account', 'update', account_id, '--name', 'Acme Ltd');
    const actions = async (...words: string[]) =>
      (await terminal.json('audit', ...words)).map((entry: { action: string; account_id: string }) => [entry.action, entry.account_id]);
    expect(await actions('--account', account_id)).toEqual([
      ['account.update', account_id],
      ['account.create', account_id],
    ]);
    expect(await actions('--limit', '2')).toEqual([
      ['account.update', account_id],
      ['account.create', other],
    ]);
    expect(await actions('--account', account_id, '--limit', '1')).toEqual([['account.update', account_id]]);
    for (let i = 0; i < 50; i++) await terminal.json('account', 'update', account_id, '--name', `name ${i}`);
    expect(await actions()).toHaveLength(50);
  });

  test('for people', async () => {
    expect(await text()).toEqual(['No changes yet.']);
    const { account_id } = await terminal.json('account', 'create', '--name', 'Acme');
    const { key_id, prefix } = await terminal.json('key', 'create', '--account', account_id);
    const actors: Actor[] = [{ kind: 'user', id: 'u', name: 'ada@example.com' }, { kind: 'key', id: key_id }, { kind: 'system' }];
    for (const [i, actor] of actors.entries()) {
      await updateAccount(terminal.store, account_id, { name: `name ${i}`, instanceLimit: i }, { actor, now: terminal.now });
    }
    const [header, ...lines] = await text();
    const time = new Date(terminal.now).toISOString();
    const on = `${account_id} (name 2)`;
    expect(header).toMatch(/^AT +WHO +ACTION +ON WHAT +CHANGES$/);
    expect(lines.map((line) => line.split(/ {2,}/)).slice(0, 4)).toEqual([
      [time, 'system', 'account.update', on, 'name: name 1 → name 2, instance_limit: 1 → 2'],
      [time, `key ${prefix}`, 'account.update', on, 'name: name 0 → name 1, instance_limit: 0 → 1'],
      [time, 'ada@example.com', 'account.update', on, 'name: Acme → name 0, instance_limit: none → 0'],
      [time, 'command line', 'key.create', `${key_id} (${prefix}) of name 2`, `prefix: none → ${prefix}`],
    ]);
  });
});
