import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { runCommandLine } from '../../src/cli/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { resealTwoFactors } from '../../src/portal/index.ts';
import { openStore } from '../../src/store/index.ts';
import { connectPlain, linkPlain } from '../support/plain-baileys.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import { whatsmeowRows, whatsmeowTables } from '../support/whatsmeow-store.ts';

interface Line {
  readonly source: string;
  readonly phone_number: string | null;
  readonly instance_id: string | null;
  readonly problem: string | null;
  readonly [field: string]: unknown;
}

describe('gateway import', () => {
  let world: WhatsAppWorld;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-import-'));
  const [sessions, stores, bad] = [join(folder, 'sessions'), join(folder, 'stores'), join(folder, 'bad')];
  beforeAll(async () => {
    for (const inside of [sessions, stores]) mkdirSync(inside);
    // Plain Baileys does not know what the network asks of it at a scan, and appears online.
    world = await startWhatsAppWorld({ store: 'sqlite', server: { strictness: { refreshAtScan: false, neverOnline: false } } });
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `gateway import` on the gateway's own data. */
  async function run(...words: string[]) {
    let [stdout, stderr] = ['', ''];
    const exitCode = await runCommandLine(['import', ...words], {
      ...{ env: world.gateway.settings, clock: systemClock, isTerminal: false, version: '1.2.3', stdin: process.stdin },
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      ...{ nextLine: async () => null, openStore, openMail: () => null, resealTwoFactors, serve: async () => undefined },
    });
    return { exitCode, stdout, stderr, lines: (stdout.startsWith('[') ? JSON.parse(stdout) : []) as Line[] };
  }
  /** The same while the gateway is down. */
  async function runWhileDown(...words: string[]) {
    const runs: Awaited<ReturnType<typeof run>>[] = [];
    await world.gateway.restart({ whileDown: async () => runs.push(await run(...words)) });
    const [done] = runs;
    if (done === undefined) throw new Error('the command was not run');
    return done;
  }
  const into = (...words: string[]) => ['--account', world.customer.accountId, '--json', ...words];

  const arrives = async (id: string, friend: Person) => {
    const answer = await world.text(id, friend.number);
    expect(answer.body).toMatchObject({ success: true });
    expect(await friend.nextReceived(({ id: received }) => received === answer.body.data.message_id)).toMatchObject({ times: 1 });
  };
  const taken = (messageId: string) =>
    world.server.record.until(() => world.server.record.receipts.some(({ id, type }) => id === messageId && type !== 'retry'));

  const kinds = [
    { name: 'code-migrated', by: 'code', migrated: true },
    { name: 'code-not-migrated', by: 'code', migrated: false },
    { name: 'scan-migrated', by: 'scan', migrated: true },
    { name: 'scan-not-migrated', by: 'scan', migrated: false },
  ] as const;

  /** The numbers of the first test, which the next two go on with. */
  const numbers: { readonly name: string; readonly phone: Person; readonly old: Person; id: string }[] = [];
  /** What the record had of trouble before the gateway had the numbers. */
  const before = { problems: 0, incomplete: 0, presences: 0 };

  it('takes numbers over from folders of Baileys without a scan, and their conversations go on', async () => {
    const { record } = world.server;
    const linked = kinds.map(async ({ name, by, migrated }) => {
      const phone = world.somebody();
      phone.is({ migrated, lidMigrated: migrated, companions: 1 });
      const plain = await linkPlain(world.server, join(sessions, name), phone, by);
      phone.changeSalt(randomBytes(32), { told: false });
      await phone.shareSettingsKey();
      await waitFor(() => expect(plain.sock.authState.creds.myAppStateKeyId).toBeDefined());
      const old = world.somebody();
      old.is({ companions: 1 });
      await taken(await old.send(phone.number, 'Hello'));
      const sent = await plain.sock.sendMessage(migrated ? `${old.lid}@lid` : `${old.number}@s.whatsapp.net`, { text: 'Before' });
      await old.nextReceived(({ id }) => id === sent?.key.id);
      await record.until(() => phone.unacknowledged === 0);
      await plain.stop();
      return { name, phone, old, id: '' };
    });
    numbers.push(...(await Promise.all(linked)));
    Object.assign(before, { problems: record.problems.length, incomplete: record.incomplete.length, presences: record.presences.length });
    const files = filesIn(sessions);

    const dry = await run('baileys', sessions, ...into('--dry-run'));
    expect(dry).toMatchObject({ exitCode: 0, stderr: '' });
    expect(dry.lines).toMatchObject(
      numbers.map(({ name, phone }) => ({
        ...{ source: name, phone_number: phone.number, lid: phone.lid, label: name, instance_id: null, problem: null },
        linked_at: expect.stringMatching(/^20/),
      })),
    );
    const refused = await run('baileys', sessions, ...into('--stopped'));
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('another gateway server') });

    const done = await runWhileDown('baileys', sessions, ...into('--stopped'));
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(filesIn(sessions)).toEqual(files);
    for (const number of numbers) {
      number.id = done.lines.find(({ source }) => source === number.name)?.instance_id ?? '';
      await world.customer.reaches(number.id, 'open');
      expect(await world.get(number.id, 'status')).toMatchObject({ connected: true, phone_number: number.phone.number });
      // With the Signal session that the other program had.
      await taken(await number.old.send(number.phone.number, 'Between'));
      await arrives(number.id, number.old);
    }
  });

  it('numbers that were taken over write to new contacts, answer retry receipts, and upload one-time keys', async () => {
    const { record, faults } = world.server;
    for (const { id, phone } of numbers) {
      const stranger = world.somebody();
      stranger.is({ companions: 1 });
      await arrives(id, stranger);
      const deaf = world.somebody();
      faults.onMessage({ to: deaf.number }, { kind: 'undecryptable' });
      await arrives(id, deaf);
      const uploads = record.uploadsOfKeys(phone.number);
      phone.nudges('few_keys');
      await record.until(() => record.uploadsOfKeys(phone.number) > uploads);
      await taken(await world.somebody().send(phone.number, 'To a new key'));
    }
    expect(record.problems.slice(before.problems)).toEqual([]);
    expect(record.incomplete.slice(before.incomplete)).toEqual([]);
    expect(record.presences.slice(before.presences).filter(({ type }) => type !== 'unavailable')).toEqual([]);
  });

  it('a number is not taken over twice, and is parked when the other program comes back after all', async () => {
    const again = await run('baileys', sessions, ...into('--dry-run'));
    expect(again.exitCode).toBe(1);
    expect(again.lines.map(({ problem }) => problem)).toEqual(kinds.map(() => expect.stringContaining('is already linked here')));
    const [{ name, id } = { name: '', id: '' }] = numbers;
    const plain = await connectPlain(world.server, join(sessions, name));
    await plain.opened();
    await world.customer.reaches(id, 'close');
    expect(await world.get(id, 'status')).toMatchObject({ restriction: { reason: 'replaced' } });
    expect(await world.records(id)).toBeGreaterThan(5);
    await plain.stop();
  });

  it('takes numbers over from a SQLite store of whatsmeow: only Signal sessions begin anew', async () => {
    const { record } = world.server;
    const file = join(stores, 'main.db');
    const database = new Sqlite(file);
    database.pragma('journal_mode = wal');
    for (const table of whatsmeowTables('blob')) database.exec(table);
    // As in wuzapi.
    database.exec('create table users (id text primary key, name text not null, token text not null, jid text not null)');
    const moved = [];
    for (const migrated of [true, false]) {
      const phone = world.somebody();
      phone.is({ migrated, lidMigrated: migrated, companions: 1 });
      const folder = join(stores, phone.number);
      const plain = await linkPlain(world.server, folder, phone, 'scan');
      const old = world.somebody();
      await taken(await old.send(phone.number, 'Hello'));
      await record.until(() => phone.unacknowledged === 0);
      await plain.stop();
      for (const [table, values] of whatsmeowRows(folder, { salt: phone.salt, migrated })) {
        const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
        database.prepare(`insert into ${table} values (${values.map(() => '?').join()})`).run(bound);
      }
      const jid = plain.sock.authState.creds.me?.id ?? '';
      database.prepare('insert into users values (?, ?, ?, ?)').run(phone.number, `shop ${phone.number}`, 'do not print me', jid);
      moved.push({ phone, old, jid });
    }
    const earlier = { problems: record.problems.length, incomplete: record.incomplete.length };
    const files = filesIn(stores);
    // The database is open and has a write-ahead log meanwhile.
    const done = await runWhileDown('whatsmeow', file, ...into('--stopped'));
    expect(filesIn(stores)).toEqual(files);
    database.close();
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).not.toContain('do not print me');
    for (const { phone, old, jid } of moved) {
      const line = done.lines.find(({ source }) => source === jid);
      expect(line).toMatchObject({ phone_number: phone.number, lid: phone.lid, platform: 'android', label: `shop ${phone.number}` });
      const id = line?.instance_id ?? '';
      await world.customer.reaches(id, 'open');
      await arrives(id, old);
      await arrives(id, world.somebody());
      const uploads = record.uploadsOfKeys(phone.number);
      phone.nudges('few_keys');
      await record.until(() => record.uploadsOfKeys(phone.number) > uploads);
      // Its first message is for a Signal session that is not here, is asked for again, and arrives.
      await taken(await old.send(phone.number, 'Between'));
      await taken(await world.somebody().send(phone.number, 'To a new key'));
    }
    expect(record.problems.slice(earlier.problems)).toEqual([]);
    expect(record.incomplete.slice(earlier.incomplete)).toEqual([]);
  });

  it('refuses what is damaged, half or foreign with one line each, and changes nothing', async () => {
    const good = join(sessions, kinds[1].name);
    const copy = (name: string, change: (folder: string) => void) => {
      cpSync(good, join(bad, name), { recursive: true });
      change(join(bad, name));
    };
    const creds = (folder: string) => join(folder, 'creds.json');
    const changed = (folder: string, change: (creds: Record<string, unknown>) => void) => {
      const value = JSON.parse(readFileSync(creds(folder), 'utf8'));
      change(value);
      writeFileSync(creds(folder), JSON.stringify(value));
    };
    const other = JSON.parse(readFileSync(creds(join(sessions, kinds[0].name)), 'utf8'));
    copy('a-cut', (folder) => writeFileSync(creds(folder), readFileSync(creds(folder)).subarray(0, 500)));
    copy('b-without-keys', (folder) => {
      for (const file of readdirSync(folder)) if (file !== 'creds.json') rmSync(join(folder, file));
    });
    copy('c-mixed', (folder) => changed(folder, (value) => Object.assign(value, { signedIdentityKey: other.signedIdentityKey })));
    copy('d-not-linked', (folder) =>
      changed(folder, (value) => {
        delete value.account;
      }),
    );
    copy('e-foreign', (folder) => writeFileSync(creds(folder), '{"client_id":"x","private_key":"do not print me"}'));
    copy('f-huge', (folder) => writeFileSync(creds(folder), Buffer.alloc(17 * 1024 * 1024, 32)));
    mkdirSync(join(bad, 'g-empty'));
    const instances = await world.gateway.app.store.db.selectFrom('instances').selectAll().execute();
    const result = await run('baileys', bad, ...into('--dry-run'));
    expect(result.exitCode).toBe(1);
    expect(result.lines.map(({ source, problem }) => [source, problem])).toEqual([
      ['a-cut', 'its credentials are damaged'],
      ['b-without-keys', 'its one-time keys are missing: the copy is not complete'],
      ['c-mixed', 'its keys do not belong together: they are damaged, or of two numbers'],
      ['d-not-linked', 'was never linked: there are no credentials of a phone'],
      ['e-foreign', 'its credentials are not of Baileys'],
      ['f-huge', 'creds.json is too large'],
    ]);
    expect(result.stdout).not.toContain('do not print me');
    expect(await run('baileys', join(bad, 'g-empty'), ...into('--dry-run'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^gateway: .* is no folder of useMultiFileAuthState.*\n$/),
    });
    expect(await world.gateway.app.store.db.selectFrom('instances').selectAll().execute()).toEqual(instances);
  });
});

/** Every file with its size and time. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`)
    .sort();
}
