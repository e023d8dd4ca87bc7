import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { addNumberDay, addSends, type Store } from '../../src/store/index.ts';
import { openTerminal, type Terminal } from './world.ts';

describe("a reseller's customers on the command line", () => {
  let terminal: Terminal;
  let folder: string;
  beforeEach(async () => {
    terminal = await openTerminal();
    folder = await mkdtemp(join(tmpdir(), 'gateway-customers-'));
  });
  afterEach(async () => {
    await terminal.dispose();
    await rm(folder, { recursive: true });
  });

  test('account create takes the default plan only when it is asked to', async () => {
    const create = (...words: string[]) => terminal.json('account', 'create', '--name', 'Acme', ...words);
    const none = await terminal.run('account', 'create', '--name', 'Acme', '--default-plan');
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no default plan') });
    expect(await terminal.json('plan', 'update', 'starter', '--default')).toMatchObject({ name: 'starter', is_default: true });
    expect((await create()).plan).toBeNull();
    expect((await create('--default-plan', '--plan-ends', '2026-12-31')).plan).toBe('starter');
    const north = await terminal.json('provider', 'create', '--name', 'North', '--default-plan', 'trial');
    expect(north.default_plan_id).toEqual(expect.any(String));
    expect((await create('--default-plan', '--provider', north.provider_id)).plan).toBe('trial');
    await terminal.json('provider', 'update', north.provider_id, '--default-plan', 'none');
    expect((await create('--default-plan', '--provider', north.provider_id)).plan).toBe('starter');
    await terminal.json('plan', 'update', 'starter', '--no-default');
    expect((await terminal.json('plan', 'list')).filter(({ is_default }: { is_default: boolean }) => is_default)).toEqual([]);
    expect(await terminal.run('account', 'create', '--name', 'x', '--plan', 'trial', '--default-plan')).toMatchObject({ exitCode: 2 });
    expect(await terminal.run('provider', 'update', north.provider_id, '--default-plan', 'gold')).toMatchObject({ exitCode: 1 });
  });

  test('account note shows and writes', async () => {
    const { account_id: id } = await terminal.json('account', 'create', '--name', 'Acme', '--reference', 'C-9');
    expect((await terminal.json('account', 'show', id)).reference).toBe('C-9');
    expect(await terminal.json('account', 'note', id)).toEqual({ text: '', written_at: null, written_by: null });
    const written_at = new Date(terminal.now).toISOString();
    expect(await terminal.json('account', 'note', id, '--set', 'Two\nlines')).toEqual({ text: 'Two\nlines', written_at, written_by: null });
    expect((await terminal.run('account', 'note', id)).stdout).toBe('Two\nlines\n');
    expect((await terminal.json('account', 'note', id, '--clear')).text).toBe('');
    expect(await terminal.run('account', 'note', id, '--set', 'x'.repeat(4001))).toMatchObject({ exitCode: 2 });
    expect(await terminal.run('account', 'note', 'nobody')).toMatchObject({ exitCode: 1 });
    expect((await terminal.json('account', 'update', id, '--reference', 'none')).reference).toBeNull();
  });

  test('account import checks, then creates, and a second time finds everything there', async () => {
    const file = join(folder, 'customers.csv');
    await writeFile(file, 'reference,name,plan\nC-1,Alpha,starter\nC-2,,starter\n,Beta,\n');
    const read = async (...words: string[]) => {
      const { stdout, exitCode } = await terminal.run('account', 'import', file, '--json', ...words);
      const lines = JSON.parse(stdout) as { line: number; state: string; mistakes: string[] }[];
      return { exitCode, lines: lines.map(({ line, state, mistakes }) => [line, state, ...mistakes]) };
    };
    const mistaken = [3, 'mistaken', 'name: it is missing.'];
    expect(await read('--dry-run')).toEqual({ exitCode: 1, lines: [[2, 'ready'], mistaken, [4, 'ready']] });
    expect(await terminal.json('account', 'list')).toEqual([]);
    expect(await read()).toEqual({ exitCode: 1, lines: [[2, 'created'], mistaken, [4, 'created']] });
    expect(await read()).toEqual({ exitCode: 1, lines: [[2, 'exists'], mistaken, [4, 'exists']] });
    expect((await terminal.json('account', 'list')).map(({ name, plan }: { name: string; plan: string | null }) => [name, plan])).toEqual([
      ['Alpha', 'starter'],
      ['Beta', null],
    ]);
    await writeFile(file, 'name\nGamma\n');
    expect(await read()).toEqual({ exitCode: 0, lines: [[2, 'created']] });
    expect(await terminal.run('account', 'import', join(folder, 'nothing.csv'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot be read'),
    });
    expect(await terminal.run('account', 'import', file, '--provider', 'nobody')).toMatchObject({ exitCode: 1 });
  });

  test('account import invites to the address of the provider, and makes nothing where there is none to invite to', async () => {
    const file = join(folder, 'owners.csv');
    await writeFile(file, 'name,owner_email\nDelta,delta@example.com\n');
    const placeless = (...words: string[]) => terminal.runIn({ env: { PORT: '0' } }, 'account', 'import', ...words);
    expect(await placeless(file)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('PORT is 0') });
    expect(await placeless(file, '--dry-run')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await terminal.json('account', 'list')).toEqual([]);
    const { provider_id: north } = await terminal.json('provider', 'create', '--name', 'North');
    const address = 'https://messages.north.example';
    await terminal.json('provider', 'brand', north, '--base-address', address);
    await terminal.json('provider', 'brand', north, '--confirm-base-address');
    const [line] = await terminal.json('account', 'import', file, '--provider', north.toUpperCase());
    expect(line).toMatchObject({ state: 'created', link: expect.stringContaining(`${address}/link/`) });
  });

  test('account import names every line, also those after the one at which the database went away', async () => {
    const file = join(folder, 'away.csv');
    await writeFile(file, 'name\nOne\nTwo\nThree\n');
    const openStore = async (): Promise<Store> => {
      const store = await terminal.database.open();
      let begun = 0;
      const transaction: Store['transaction'] = (work) =>
        ++begun > 1 ? Promise.reject(new StoreUnavailable('the store is away')) : store.transaction(work);
      return { ...store, transaction };
    };
    const { exitCode, stdout } = await terminal.runIn({ openStore }, 'account', 'import', file, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'One', state: 'created' },
      { name: 'Two', state: 'failed', mistakes: ['the store is away.'] },
      { name: 'Three', state: 'failed', mistakes: ['It was not tried.'] },
    ]);
  });

  test('usage of a provider and of all accounts, by month', async () => {
    const north = await terminal.json('provider', 'create', '--name', 'North');
    const { account_id: first } = await terminal.json('account', 'create', '--name', 'First', '--plan', 'trial');
    const { account_id: second } = await terminal.json('account', 'create', '--name', 'Second', '--provider', north.provider_id);
    const sends = (accountId: string, day: string, count: number) => addSends(terminal.store.db, { accountId, day, type: 'text', count });
    await sends(first, '2026-02-28', 5);
    await sends(first, '2026-03-01', 7);
    await sends(second, '2026-02-01', 11);
    await addNumberDay(terminal.store.db, { accountId: first, day: '2026-02-02', phoneNumber: '1' });
    expect(await terminal.json('usage', '--all', '--month', '2026-02')).toMatchObject({
      from: '2026-02-01',
      to: '2026-02-28',
      total_sends: 16,
      number_days: 1,
      accounts: [
        { name: 'First', plan: 'trial', total_sends: 5, sends: { text: 5 }, number_days: 1, numbers_allowed: 1 },
        { name: 'Second', total_sends: 11, months: [{ month: '2026-02', total_sends: 11 }] },
      ],
    });
    expect(await terminal.json('usage', '--provider', north.provider_id, '--from', '2026-02-01', '--to', '2026-03-31')).toMatchObject({
      total_sends: 11,
      accounts: [{ account_id: second }],
    });
    expect((await terminal.run('usage', '--all', '--month', '2026-02')).stdout).toMatch(/total +16 +1/);
    for (const words of [
      [],
      ['--all', '--month', '2026-13'],
      ['--all', '--account', first],
      ['--all', '--month', '2026-02', '--to', '2026-02-03'],
    ])
      expect(await terminal.run('usage', ...words), words.join(' ')).toMatchObject({ exitCode: 2 });
    expect(await terminal.run('usage', '--provider', 'nobody')).toMatchObject({ exitCode: 1 });
  });
});
