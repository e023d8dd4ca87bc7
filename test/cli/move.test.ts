import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createVault } from '../../src/core/index.ts';
import { moveToPostgres } from '../../src/store/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { markMoved } from '../../src/store/sqlite/moved.ts';
import { lockDataFolder } from '../../src/store/sqlite/server-lock.ts';
import { openVault } from '../../src/vault/keys.ts';
import { chosenSeed, createSeeded } from '../faults/seeded.ts';
import { type ColumnTypes, dumpPostgres, dumpSqlite, fillTables, readColumnTypes, rowsOf } from '../support/full-tables.ts';
import { startMoving } from '../support/moving.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { openTerminal, type Terminal } from './world.ts';

const secretKey = 'ab'.repeat(32);

// It needs both databases, so it runs where PostgreSQL is tested.
describe('gateway move', () => {
  let types: ColumnTypes;
  let terminal: Terminal;
  let folder: string;
  let target: TestDatabase;
  beforeAll(async () => {
    const migrated = await createTestDatabase('postgres');
    types = await readColumnTypes(migrated.location);
    await migrated.dispose();
  });
  beforeEach(async () => {
    terminal = await openTerminal();
    folder = terminal.database.location;
    target = await createTestDatabase('postgres', { empty: true });
  });
  afterEach(async () => {
    await target?.dispose();
    await terminal?.dispose();
  });

  const move = (...words: string[]) => moveFrom(folder, {}, ...words);
  const moveFrom = (from: string, env: Record<string, string>, ...words: string[]) =>
    terminal.runIn({ env: { DATA_DIR: from, SECRET_KEY: secretKey, ...env }, openStore }, 'move', '--to', target.location, ...words);
  const said = (message: string | RegExp) => ({
    exitCode: 1,
    stdout: '',
    stderr: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  });
  const fill = (rows: (table: string) => number) => {
    fillTables(folder, types, rows);
    // Credentials and the message kept of a send are not sealed here; `check` would take them for those of another key.
    const database = new Sqlite(join(folder, 'gateway.db'));
    const { instance_id, name } = database.prepare('select instance_id, name from credentials limit 1').get() as Record<string, string>;
    database.exec('delete from credentials');
    const sealed = createVault(Buffer.from(secretKey, 'hex')).seal(Buffer.from('secret'), `credentials ${instance_id} ${name}`);
    database.prepare('insert into credentials (instance_id, name, sealed) values (?, ?, ?)').run(instance_id, name, sealed);
    database.close();
  };
  const tablesThere = () => rowsOf(target.location, `select tablename from pg_tables where schemaname = 'public'`);
  const hashOf = () =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'gateway.db')))
      .digest('hex');

  /** The target holds what the source does, besides the check of the secret key, and is as good as any other. */
  async function expectMoved(expected: ReadonlyMap<string, readonly string[]>) {
    const found = await dumpPostgres(target.location, types);
    const check = found.get('meta')?.filter((row) => row.includes('secret_key_check')) ?? [];
    expect(check).toHaveLength(1);
    expect(found).toEqual(new Map([...expected, ['meta', [...(expected.get('meta') ?? []), ...check].toSorted()]]));
    const tables = await rowsOf(
      target.location,
      `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    expect(tables.map(({ tablename }) => tablename).toSorted()).toEqual([...types.keys()].toSorted());
    const identities = await rowsOf(
      target.location,
      `select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid where attidentity <> ''`,
    );
    expect(identities.length).toBeGreaterThan(3);
    for (const { table, column } of identities) {
      const [row] = await rowsOf(
        target.location,
        `select nextval(pg_get_serial_sequence('${table}', '${column}'))::text as next, coalesce(max("${column}"), 0)::text as last from "${table}"`,
      );
      expect(Number(row?.next), `${table}.${column}`).toBeGreaterThan(Number(row?.last));
    }
  }

  it('copies every row of every table, tells so, and only reads the source', async () => {
    fill(() => 40);
    const before = dumpSqlite(folder, types);
    for (const [table, rows] of before) expect(rows.length, `${table} has no rows, so nobody knows whether it is moved`).toBeGreaterThan(0);
    const hashBefore = hashOf();
    const { exitCode, stdout, stderr } = await move();
    expect([exitCode, stderr]).toEqual([0, '']);
    const rows = [...before.values()].reduce((sum, all) => sum + all.length, 0);
    expect(stdout).toMatch(/^TABLE +ROWS$/m);
    expect(stdout).toMatch(new RegExp(`^requests +${before.get('requests')?.length}$`, 'm'));
    expect(stdout).toContain(`Moved ${rows} rows to `);
    expect(stdout).toContain('Next: set DATABASE_URL');
    await expectMoved(before);
    expect(dumpSqlite(folder, types)).toEqual(before);
    expect(hashOf()).toBe(hashBefore);
    const { db, close } = await openPostgresStore(target.location);
    await expect(openVault(db, Buffer.from('cd'.repeat(32), 'hex'))).rejects.toThrow('is not the secret key of the installation');
    expect(await openVault(db, Buffer.from(secretKey, 'hex'))).toMatchObject({ current: 1 });
    await close();
  });

  it('afterwards neither database can be used by mistake', async () => {
    expect(JSON.parse((await move('--json')).stdout)).toEqual({
      from: join(folder, 'gateway.db'),
      to: expect.stringMatching(/^127\.0\.0\.1:\d+\/gateway_test_/),
      rows: 6,
      tables: expect.objectContaining({ plans: 4, providers: 1, meta: 1, credentials: 0 }),
    });
    const old = { env: { DATA_DIR: folder }, openStore };
    const line =
      /^gateway: the installation in \S+ was moved to PostgreSQL \(127\.0\.0\.1:\d+\/gateway_test_\w+\): set DATABASE_URL; to go back [^\n]+\n$/;
    expect(await terminal.runIn(old, 'account', 'list')).toEqual(said(line));
    expect(await move()).toEqual(said(line));
    const elsewhere = await createTestDatabase('postgres', { empty: true });
    expect(await terminal.runIn(old, 'move', '--to', elsewhere.location)).toEqual(said(line));
    expect(await rowsOf(elsewhere.location, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
    await elsewhere.dispose();
    await expect(openStore(readConfig({ DATA_DIR: folder }), { create: true })).rejects.toThrow('was moved to PostgreSQL');
    rmSync(join(folder, 'moved.txt'));
    expect(await terminal.runIn(old, 'account', 'list')).toMatchObject({ exitCode: 0 });
    expect(await move()).toEqual(said(/^gateway: the database \S+ is not empty; give the address of an empty one\n$/));
    const there = { env: { DATABASE_URL: target.location }, openStore };
    expect(await terminal.runIn(there, 'plan', 'list')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('business') });
  });

  it('refuses a source that cannot be moved', async () => {
    const nowhere = join(folder, 'nowhere');
    expect(await moveFrom(nowhere, {})).toEqual(said(`there is no database at ${nowhere}/gateway.db`));
    expect(existsSync(nowhere)).toBe(false);
    expect(await moveFrom(folder, { DATABASE_URL: target.location })).toEqual(said('DATABASE_URL is set'));
    expect(await terminal.run('move', '--to', 'mysql://x')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('PostgreSQL URL'),
    });

    const lock = lockDataFolder(folder);
    expect(await move()).toEqual(said(/^gateway: another gateway server \(process \d+\) uses the data folder [^\n]+\n$/));
    lock.release();

    fill(() => 1);
    expect(await moveFrom(folder, { SECRET_KEY: 'cd'.repeat(32) })).toEqual(said('encrypted with a different key from SECRET_KEY'));
    expect(await moveFrom(folder, { SECRET_KEY: '' })).toEqual(said('the linked numbers need their secret key'));

    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', 'now')`.execute(terminal.store.db);
    expect(await move()).toEqual(said('was last used by another version of the gateway; move it with that version'));
    await sql`update kysely_migration set name = '0001-initial' where name = '0001-first-schema'`.execute(terminal.store.db);
    expect(await move()).toEqual(said('made before version 0.1.0; the last commit that can use it is'));
    expect(await tablesThere()).toEqual([]);
  });

  it('refuses a target that is in use, holds anything, or cannot be reached', async () => {
    const other = await openPostgresStore(target.location);
    await other.becomeServer();
    expect(await move()).toEqual(said(/^gateway: a gateway server, or another move, uses the database \S+; stop it first\n$/));
    await other.close();
    expect(await move()).toEqual(said('is not empty'));
    await rowsOf(target.location, 'drop schema public cascade; create schema public; create table notes (id integer)');
    expect(await move()).toEqual(said('is not empty'));
    expect(await tablesThere()).toEqual([{ tablename: 'notes' }]);
    const away = new URL(target.location);
    away.port = '1';
    const words = ['move', '--to', away.href];
    expect(await terminal.runIn({ env: { DATA_DIR: folder } }, ...words)).toEqual(
      said(/^gateway: cannot use the PostgreSQL database [^\n]+\n$/),
    );
  });

  it('a command that changes the source meanwhile ends the move, which then leaves nothing and can be run again', async () => {
    const options = { check: async () => ({}), onProgress: () => undefined };
    const changed = moveToPostgres(folder, target.location, {
      ...options,
      onCopied: () => {
        const database = new Sqlite(join(folder, 'gateway.db'));
        database.exec(`insert into meta values ('late', 'by a command')`);
        database.close();
      },
    });
    await expect(changed).rejects.toThrow('a command has changed');
    expect(existsSync(join(folder, 'moved.txt'))).toBe(false);
    expect(await tablesThere()).toEqual([]);
    await moveToPostgres(folder, target.location, { ...options, onCopied: () => undefined });
    expect((await dumpPostgres(target.location, types)).get('meta')).toEqual(dumpSqlite(folder, types).get('meta'));
  });

  describe('interrupted', () => {
    let whole: number;
    const seeded = createSeeded(chosenSeed());
    const sizes = (table: string) => (table === 'requests' ? 2500 : 30);
    const opened: { close(): Promise<void> }[] = [];
    beforeEach(async () => {
      fill(sizes);
      writeFileSync(join(folder, 'secret.key'), `${secretKey}\n`);
      whole ??= await bytesOfWhole();
    });
    afterAll(async () => {
      for (const one of opened) await one.close();
    });

    async function moving() {
      const made = await startMoving(folder, target.location);
      opened.push(made);
      return made;
    }
    /** A number of bytes between these shares of all that an uninterrupted move sends. */
    const somewhere = (from: number, to: number) => Math.floor(whole * (from + (to - from) * seeded.next()));
    async function bytesOfWhole(): Promise<number> {
      const elsewhere = await createTestDatabase('postgres', { empty: true });
      const all = await startMoving(folder, elsewhere.location);
      try {
        const { sent, stderr } = await all.run();
        expect(stderr).toBe('');
        rmSync(join(folder, 'moved.txt'));
        return sent;
      } finally {
        await all.close();
        await elsewhere.dispose();
      }
    }

    it('twice by kill -9 and once by a cut connection, it leaves nothing, keeps servers away meanwhile, and ends complete', async () => {
      const before = dumpSqlite(folder, types);
      const made = await moving();
      await made.killAfter(somewhere(0.1, 0.9), async () => {
        expect(await terminal.runIn({ env: { DATABASE_URL: target.location }, openStore }, 'account', 'create', '--name', 'A')).toEqual(
          said('another gateway server uses this database'),
        );
      });
      const { code, stderr } = await made.cutAfter(somewhere(0.1, 0.9));
      expect([code, stderr], `seed ${seeded.seed}`).toEqual([1, expect.stringContaining('run the command again')]);
      await made.killAfter(somewhere(0.1, 0.9));
      expect(await tablesThere(), `seed ${seeded.seed}`).toEqual([]);
      expect(existsSync(join(folder, 'moved.txt'))).toBe(false);
      markMoved(folder, 'db.example.com:5432/another');
      expect(await made.run()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('moved to PostgreSQL (db.example.com:5432/another)'),
      });
      rmSync(join(folder, 'moved.txt'));
      const ended = await made.run();
      expect([ended.code, ended.stderr], `seed ${seeded.seed}`).toEqual([0, '']);
      await expectMoved(before);
      expect(await made.run()).toMatchObject({ code: 1, stderr: expect.stringContaining(`was moved to PostgreSQL (${made.to})`) });
    });

    it('before its last step, nobody can use what it has filled, and it is finished by running it again', async () => {
      const before = dumpSqlite(folder, types);
      expect(await move()).toMatchObject({ exitCode: 0 });
      await rowsOf(target.location, 'create table unfinished_move ()');
      await expect(openPostgresStore(target.location)).rejects.toThrow('holds an unfinished move; run gateway move again');
      const marked = readFileSync(join(folder, 'moved.txt'));
      rmSync(join(folder, 'moved.txt'));
      expect(await move()).toEqual(said('was interrupted at its end; empty the database and run gateway move again'));
      writeFileSync(join(folder, 'moved.txt'), marked);
      await rowsOf(target.location, 'drop schema public cascade; create schema public');
      expect(await move()).toEqual(said('was moved to PostgreSQL'));
      rmSync(join(folder, 'moved.txt'));
      expect(await move()).toMatchObject({ exitCode: 0 });
      await rowsOf(target.location, 'create table unfinished_move ()');
      expect(await move()).toMatchObject({ exitCode: 0 });
      await expectMoved(before);
    });
  });
});
