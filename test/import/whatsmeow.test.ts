import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWhatsmeow } from '../../src/import/index.ts';
import { openTerminal } from '../cli/world.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { type WhatsmeowRows, whatsmeowTables } from '../support/whatsmeow-store.ts';

const jid = '4915110000301:12@s.whatsapp.net';
const privateKey = () => generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);

/** A number with something in every table, and a second one of which nothing may be mixed in. */
const rows: WhatsmeowRows = [
  ...[jid, '4915110000302:3@s.whatsapp.net'].map(
    (of) =>
      [
        'whatsmeow_device',
        [
          ...[of, of === jid ? '100000000000301:12@lid' : null, null, 77, privateKey(), privateKey(), privateKey(), 5, randomBytes(64)],
          ...[
            randomBytes(32),
            randomBytes(20),
            randomBytes(64),
            randomBytes(32),
            randomBytes(64),
            'android',
            '',
            'Ada',
            of === jid ? 1_780_000_000 : 0,
          ],
        ],
      ] as const,
  ),
  ['whatsmeow_pre_keys', [jid, 40, privateKey(), true]],
  ['whatsmeow_pre_keys', [jid, 41, privateKey(), false]],
  ['whatsmeow_pre_keys', ['4915110000302:3@s.whatsapp.net', 90, privateKey(), true]],
  ['whatsmeow_identity_keys', [jid, '100000000000400_1:0', randomBytes(32)]],
  ['whatsmeow_sessions', [jid, '100000000000400_1:0', randomBytes(40)]],
  ['whatsmeow_sender_keys', [jid, 'group', 'sender', randomBytes(40)]],
  ['whatsmeow_app_state_sync_keys', [jid, Buffer.from([0, 1]), randomBytes(32), 2_000, randomBytes(4)]],
  ['whatsmeow_app_state_sync_keys', [jid, Buffer.from([0, 2]), randomBytes(32), 1_000, randomBytes(4)]],
  ['whatsmeow_privacy_tokens', [jid, '4915110000400@s.whatsapp.net', randomBytes(16), 1_780_000_000, 1_780_000_001]],
  ['whatsmeow_nct_salt', [jid, randomBytes(32)]],
  ['whatsmeow_lid_map', ['100000000000400', '4915110000400']],
  ['whatsmeow_lid_map', ['100000000000999', '4915110000999']],
];

// It needs both databases, so it runs where PostgreSQL is tested.
describe('a store of whatsmeow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-import-'));
  const file = join(folder, 'main.db');
  let postgres: TestDatabase;
  beforeAll(async () => {
    const sqlite = new Sqlite(file);
    for (const table of whatsmeowTables('blob')) sqlite.exec(table);
    for (const [table, values] of rows) {
      const marks = values.map(() => '?').join();
      sqlite
        .prepare(`insert into ${table} values (${marks})`)
        .run(values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
    }
    sqlite.close();
    postgres = await createTestDatabase('postgres', { empty: true });
    const client = new pg.Client({ connectionString: postgres.location });
    await client.connect();
    for (const table of whatsmeowTables('bytea')) await client.query(table);
    for (const [table, values] of rows) {
      await client.query(`insert into ${table} values (${values.map((_, at) => `$${at + 1}`).join()})`, [...values]);
    }
    await client.end();
  });
  afterAll(async () => {
    await postgres?.dispose();
    rmSync(folder, { recursive: true });
  });

  it('is read from PostgreSQL as it is from SQLite, each number for itself', async () => {
    const read = async (place: string) => {
      const archive = await openWhatsmeow(place);
      const found = await Promise.all(archive.sources.map(async (source) => archive.read(source)));
      await archive.close();
      return found.map(({ number, problem, ...rest }) => ({ number, problem, left: 'left' in rest ? rest.left : null }));
    };
    const fromSqlite = await read(file);
    expect(await read(postgres.location)).toEqual(fromSqlite);
    expect(fromSqlite).toMatchObject([
      {
        problem: null,
        left: { groupKeys: 1, sessions: 1, unreadable: 0 },
        number: {
          jid,
          lid: '100000000000301:12@lid',
          registrationId: 77,
          nextPreKeyId: 42,
          firstUnuploadedPreKeyId: 42,
          migrated: true,
          appStateKeyId: 'AAE=',
        },
      },
      { problem: null, number: { lid: null, nextPreKeyId: 91, migrated: null, nctSalt: null } },
    ]);
    expect([...(fromSqlite[0]?.number?.records.keys() ?? [])].sort()).toEqual([
      'app-state-sync-key:AAE=',
      'app-state-sync-key:AAI=',
      'identity-key:100000000000400_1.0',
      'lid-mapping:100000000000400_reverse',
      'lid-mapping:4915110000400',
      'tctoken:100000000000400@lid',
    ]);
  });

  it('that somebody is connected to is noticed in PostgreSQL', async () => {
    const archive = await openWhatsmeow(postgres.location);
    const client = new pg.Client({ connectionString: postgres.location });
    await client.connect();
    expect(await archive.wasUsed()).toBe(true);
    await client.end();
    expect(await archive.wasUsed()).toBe(true);
    await archive.close();
  });

  it('that somebody is connected to under another role is noticed in PostgreSQL', async () => {
    const role = `reader_${randomBytes(6).toString('hex')}`;
    const owner = new pg.Client({ connectionString: postgres.location });
    await owner.connect();
    await owner.query(`create role ${role} login password 'reads'`);
    try {
      await owner.query(`grant select on all tables in schema public to ${role}`);
      const url = new URL(postgres.location);
      url.username = role;
      url.password = 'reads';
      const archive = await openWhatsmeow(url.href);
      expect(archive.sources).toHaveLength(2);
      expect(await archive.wasUsed()).toBe(true);
      await archive.close();
    } finally {
      await owner.query(`drop owned by ${role}`);
      await owner.query(`drop role ${role}`);
      await owner.end();
    }
  });

  it('that somebody was connected to when it was opened is refused, though they have left since', async () => {
    const client = new pg.Client({ connectionString: postgres.location });
    await client.connect();
    const terminal = await openTerminal();
    const openStore = async () => {
      await client.end();
      return terminal.database.open();
    };
    try {
      const { account_id: account } = await terminal.json('account', 'create', '--name', 'Acme', '--plan', 'scale');
      const words = ['import', 'whatsmeow', postgres.location, '--account', account];
      expect(await terminal.runIn({ openStore, env: { NETWORKS: 'whatsapp' } }, ...words, '--stopped')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('another program is connected to the database'),
      });
    } finally {
      await client.end();
      await terminal.dispose();
    }
  });

  it('leaves no copy of its keys behind, also where a signal ends the process', async () => {
    const place = join(folder, 'copies');
    mkdirSync(place);
    vi.stubEnv('TMPDIR', place);
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    try {
      const before = process.listenerCount('SIGTERM');
      const archive = await openWhatsmeow(file);
      expect(readdirSync(place)).toHaveLength(1);
      process.listeners('SIGTERM').at(-1)?.('SIGTERM');
      expect(readdirSync(place)).toEqual([]);
      expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM');
      await archive.close();
      expect(process.listenerCount('SIGTERM')).toBe(before);
    } finally {
      kill.mockRestore();
      vi.unstubAllEnvs();
    }
  });

  it('that is none is refused in one line, without the password of its URL', async () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database at all, but longer than the header of one would be. '.repeat(20));
    const other = join(folder, 'other.db');
    new Sqlite(other).exec('create table users (id)').close();
    await expect(openWhatsmeow(text)).rejects.toThrow('is no SQLite database that can be read');
    await expect(openWhatsmeow(other)).rejects.toThrow('has no table whatsmeow_device');
    await expect(openWhatsmeow(join(folder, 'nowhere.db'))).rejects.toThrow('is no file');
    const url = postgres.location.replace(/\/[^/]*$/, '/nowhere');
    const failed = await openWhatsmeow(url).catch((error: unknown) => String(error));
    expect(failed).toBe('OperatorError: the PostgreSQL database cannot be reached with this URL');
  });
});
