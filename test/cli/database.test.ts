import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { lockDataFolder } from '../../src/store/sqlite/server-lock.ts';
import { builtFile } from '../faults/server-process.ts';
import { madeBefore, nextChange, nextRelease } from '../store/other-releases.ts';
import { createTestDatabase, storeKinds } from '../support/stores.ts';
import { type Outcome, openTerminal, type Terminal } from './world.ts';

/** Commands that need a database, one of each group. */
const commands = [
  ['account', 'list'],
  ['key', 'list', '--account', 'x'],
  ['plan', 'list'],
  ['provider', 'create', '--name', 'P'],
  ['number', 'list', '--account', 'x'],
  ['user', 'list'],
  ['usage', '--account', 'x'],
  ['audit'],
  ['request', 'show', '0198c5e4-0000-7000-8000-000000000000'],
];

let terminal: Terminal;
let folder: string;
afterEach(() => terminal.dispose());

const run = (...words: string[]): Promise<Outcome> => terminal.runIn({ env: { DATA_DIR: folder }, openStore }, ...words);

describe('a data folder without a database', () => {
  beforeEach(async () => {
    terminal = await openTerminal();
    folder = join(mkdtempSync(join(tmpdir(), 'gateway-cli-')), 'data');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  test.each(commands.map((words) => ({ words })))('is named by $words, and nothing is made', async ({ words }) => {
    const { exitCode, stdout, stderr } = await run(...words);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^gateway: there is no database at ${folder}/gateway.db; set DATA_DIR [^\\n]*\\n$`));
    expect(existsSync(folder)).toBe(false);
  });

  test('gets one by account create, on which the others then work', async () => {
    expect(await run('account', 'create', '--name', 'Acme', '--plan', 'trial')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(folder)).toContain('gateway.db');
    expect(readdirSync(folder)).not.toContain('server.pid');
    expect(await run('account', 'list')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Acme') });
    expect(await run('account', 'create', '--name', 'Bemi')).toMatchObject({ exitCode: 0 });
  });

  test('gets none by account create while a server is about to make it', async () => {
    const config = readConfig({ NETWORKS: 'sandbox', DATA_DIR: folder });
    await (await openStore(config, { create: true })).close();
    const lock = lockDataFolder(folder);
    expect(await run('account', 'create', '--name', 'Acme')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^gateway: another gateway server/),
    });
    lock.release();
    expect(await run('account', 'list')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the database is empty') });
  });

  test('is not kept from its folder by the process id that an ended process left there and that cannot be written to', async () => {
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(folder, 'gone', 'server.pid'), join(folder, 'server.pid'));
    lockDataFolder(folder).release();
    expect(readdirSync(folder)).not.toContain('server.pid');
  });
});

describe.each(storeKinds)('a database of another version on %s', (kind) => {
  let store: Store;
  beforeEach(async () => {
    terminal = await openTerminal(kind);
    ({ store } = terminal);
  });

  const migrations = async () => (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(store.db)).rows;

  test('that is older is left as it is, and the line says what to do', async () => {
    const before = await migrations();
    const newer = { openStore: () => terminal.database.open({ changes: nextRelease(kind, { additive: true }) }) };
    for (const words of [...commands, ['account', 'create', '--name', 'Acme']]) {
      expect(await terminal.runIn(newer, ...words)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^gateway: the database was last used by an older version [^\n]* start the server of this version [^\n]*\n$/,
        ),
      });
    }
    expect(await migrations()).toEqual(before);
    const { checks } = JSON.parse((await terminal.runIn({ ...newer, env: { PORT: '1' } }, 'doctor', '--json')).stdout);
    expect(checks).toContainEqual({
      check: 'database',
      state: 'warn',
      message: expect.stringContaining(`pending: ${nextChange}`),
      mend: expect.stringContaining('start the server of this version'),
    });
    expect(await migrations()).toEqual(before);
  });

  test('that was made before the first schema is refused with one line that names the commit', async () => {
    const database = await createTestDatabase(kind, { empty: true });
    try {
      await madeBefore(database);
      const world = { openStore: () => database.open() };
      for (const words of [...commands, ['account', 'create', '--name', 'Acme']]) {
        expect(await terminal.runIn(world, ...words)).toEqual({
          exitCode: 1,
          stdout: '',
          stderr: expect.stringMatching(
            /^gateway: the database was made before version 0\.1\.0; the last commit that can use it is 8fa7a2e: [^\n]+\n$/,
          ),
        });
      }
      const { checks } = JSON.parse((await terminal.runIn({ ...world, env: { PORT: '1' } }, 'doctor', '--json')).stdout);
      expect(checks).toContainEqual(expect.objectContaining({ check: 'database', message: expect.stringContaining('8fa7a2e') }));
    } finally {
      await database.dispose();
    }
  });

  test('that is newer is refused', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', 'now')`.execute(store.db);
    await sql`update meta set value = '9999-future' where name = 'schema_floor'`.execute(store.db);
    for (const words of commands) {
      expect(await terminal.run(...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('made by a newer version') });
    }
  });
});

describe('commands beside a server', () => {
  test('take no lock and leave nothing behind', async () => {
    terminal = await openTerminal();
    folder = terminal.database.location;
    await terminal.store.becomeServer();
    const pid = readFileSync(join(folder, 'server.pid'), 'utf8');
    const before = readdirSync(folder);
    expect(await run('plan', 'list')).toMatchObject({ exitCode: 0 });
    expect(await run('account', 'create', '--name', 'Acme')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, 'server.pid'), 'utf8')).toBe(pid);
  });

  test('wait for another program that writes', async () => {
    terminal = await openTerminal();
    folder = terminal.database.location;
    const other = new Sqlite(join(folder, 'gateway.db'));
    other.exec('begin immediate');
    const made = run('account', 'create', '--name', 'Acme');
    expect(await run('plan', 'list')).toMatchObject({ exitCode: 0 });
    other.exec('commit');
    other.close();
    expect(await made).toMatchObject({ exitCode: 0 });
  });
});

test('a data folder where none can be made ends in one line', async () => {
  terminal = await openTerminal();
  for (const words of [['serve'], ['account', 'create', '--name', 'Acme']]) {
    const env = { PATH: process.env.PATH, DATA_DIR: '/proc/nowhere/data', NODE_NO_WARNINGS: '1', PORT: '0' };
    const ended = promisify(execFile)(process.execPath, [builtFile, ...words], { env });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gateway: cannot use the data folder \/proc\/nowhere\/data: [^\n]*\n$/),
    });
  }
});
