import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { runCommandLine } from '../../src/cli/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { resealTwoFactors } from '../../src/portal/index.ts';
import { openStore } from '../../src/store/index.ts';
import { type LinkedNumber, peerFormats, peerSecret } from '../support/peer-formats.ts';
import { connectPlain, linkPlain } from '../support/plain-baileys.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld, type WhatsAppWorldOptions } from '../support/whatsapp-gateway.ts';

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
  const bad = join(folder, 'bad');
  // Plain Baileys does not know what the network asks of it at a scan, and appears online.
  const start = (options: WhatsAppWorldOptions) =>
    startWhatsAppWorld({ ...options, server: { strictness: { refreshAtScan: false, neverOnline: false } } });
  beforeAll(async () => {
    world = await start({ store: 'sqlite' });
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `gateway import` on the data of this world's gateway. */
  async function runIn({ gateway }: WhatsAppWorld, ...words: string[]) {
    let [stdout, stderr] = ['', ''];
    const exitCode = await runCommandLine(['import', ...words], {
      ...{ env: gateway.settings, clock: systemClock, isTerminal: false, version: '1.2.3', stdin: process.stdin },
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
  const run = (...words: string[]) => runIn(world, ...words);
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
  const taken = (messageId: string, { record } = world.server) =>
    record.until(() => record.receipts.some(({ id, type }) => id === messageId && type !== 'retry'));

  const kinds = [
    { name: 'code-migrated', by: 'code', migrated: true },
    { name: 'code-not-migrated', by: 'code', migrated: false },
    { name: 'scan-migrated', by: 'scan', migrated: true },
    { name: 'scan-not-migrated', by: 'scan', migrated: false },
  ] as const;

  interface Moved extends LinkedNumber {
    readonly phone: Person;
    /** A contact from before. */
    readonly old: Person;
  }

  /** Links a number by Baileys alone, which then talks to a contact and is stopped. */
  async function link(within: string, { name, by, migrated }: (typeof kinds)[number], { server, somebody } = world): Promise<Moved> {
    const folder = join(within, name);
    const phone = somebody();
    phone.is({ migrated, lidMigrated: migrated, companions: 1 });
    const plain = await linkPlain(server, folder, phone, by);
    phone.changeSalt(randomBytes(32), { told: false });
    await phone.shareSettingsKey();
    await waitFor(() => expect(plain.sock.authState.creds.myAppStateKeyId).toBeDefined());
    const old = somebody();
    old.is({ companions: 1 });
    await taken(await old.send(phone.number, 'Hello'), server);
    const sent = await plain.sock.sendMessage(migrated ? `${old.lid}@lid` : `${old.number}@s.whatsapp.net`, { text: 'Before' });
    await old.nextReceived(({ id }) => id === sent?.key.id);
    await server.record.until(() => phone.unacknowledged === 0);
    await plain.stop();
    const jid = plain.sock.authState.creds.me?.id ?? '';
    return { name, folder, jid, phoneNumber: phone.number, migrated, salt: phone.salt, phone, old };
  }

  /** The numbers of Baileys, which the last tests go on with. */
  const ofBaileys = { words: ['baileys', ''], numbers: [] as readonly Moved[], ids: [] as string[] };

  it.each(peerFormats)('takes numbers over from $name: they are open without a scan, and their conversations go on', async (format) => {
    const { record } = world.server;
    const [linked, stored] = [join(folder, format.name, 'linked'), join(folder, format.name, 'stored')];
    mkdirSync(stored, { recursive: true });
    const numbers = await Promise.all(kinds.map((kind) => link(linked, kind)));
    const store = await format.write(stored, numbers);
    const before = { problems: record.problems.length, incomplete: record.incomplete.length, presences: record.presences.length };
    const files = filesIn(stored);

    const dry = await run(...store.words, ...into('--dry-run'));
    expect(dry).toMatchObject({ exitCode: 0, stderr: '' });
    for (const number of numbers) {
      expect(dry.lines.find(({ source }) => source === store.source(number))).toMatchObject({
        ...{ phone_number: number.phoneNumber, lid: number.phone.lid, label: store.label(number), instance_id: null, problem: null },
        linked_at: expect.stringMatching(/^20/),
      });
    }
    const done = await runWhileDown(...store.words, ...into('--stopped'));
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).not.toContain(peerSecret);
    expect(filesIn(stored)).toEqual(files);
    await store.close();

    const ids = numbers.map((number) => done.lines.find(({ source }) => source === store.source(number))?.instance_id ?? '');
    for (const [at, number] of numbers.entries()) await goesOn(ids[at] ?? '', number, format.takesSessions);
    expect(record.problems.slice(before.problems)).toEqual([]);
    expect(record.incomplete.slice(before.incomplete)).toEqual([]);
    expect(record.presences.slice(before.presences).filter(({ type }) => type !== 'unavailable')).toEqual([]);
    if (format === peerFormats[0]) Object.assign(ofBaileys, { words: store.words, numbers, ids });
    // Thousands of files: removed by and by, because all of them at the end take a busy disk a minute.
    else await rm(join(folder, format.name), { recursive: true });
  });

  /** Is connected, writes to old and new contacts on several devices, answers a retry receipt, and uploads one-time keys. */
  async function goesOn(id: string, { phone, old }: Moved, takesSessions: boolean) {
    const { record, faults } = world.server;
    await world.customer.reaches(id, 'open');
    expect(await world.get(id, 'status')).toMatchObject({ connected: true, phone_number: phone.number });
    // With the Signal session that the other program had, or asked for again and with a new one.
    const between = async () => taken(await old.send(phone.number, 'Between'));
    if (takesSessions) await between();
    await arrives(id, old);
    if (!takesSessions) await between();
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

  it('a number is not taken over twice, and is parked when the other program comes back after all, which stays linked when the number is deleted here', async () => {
    const { words, numbers, ids } = ofBaileys;
    const refused = await run(...words, ...into('--stopped'));
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('another gateway server') });
    const again = await run(...words, ...into('--dry-run'));
    expect(again.exitCode).toBe(1);
    expect(again.lines.map(({ problem }) => problem)).toEqual(kinds.map(() => expect.stringContaining('is already linked here')));
    const [id = ''] = ids;
    const plain = await connectPlain(world.server, numbers[0]?.folder ?? '');
    await plain.opened();
    await world.customer.reaches(id, 'close');
    expect(await world.get(id, 'status')).toMatchObject({ restriction: { reason: 'replaced' } });
    expect(await world.records(id)).toBeGreaterThan(5);
    // The way back: deleted here, it stays linked there.
    expect((await world.customer.call('DELETE', `/v1/instances/${id}`)).status).toBe(200);
    expect(world.server.record.logouts).not.toContain(numbers[0]?.phoneNumber);
    expect(world.server.record.linked()).toContain(numbers[0]?.phoneNumber);
    await plain.stop();
  });

  it('refuses what is damaged, half or foreign with one line each, and changes nothing', async () => {
    const linked = (at: number) => ofBaileys.numbers[at]?.folder ?? '';
    const copy = (name: string, change: (folder: string) => void) => {
      cpSync(linked(1), join(bad, name), { recursive: true });
      change(join(bad, name));
    };
    const creds = (folder: string) => join(folder, 'creds.json');
    const changed = (folder: string, change: (creds: Record<string, unknown>) => void) => {
      const value = JSON.parse(readFileSync(creds(folder), 'utf8'));
      change(value);
      writeFileSync(creds(folder), JSON.stringify(value));
    };
    const other = JSON.parse(readFileSync(creds(linked(0)), 'utf8'));
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
    // What became of the number that was parked is written a little later.
    const stored = () =>
      world.gateway.app.store.db.selectFrom('instances').select(['id', 'account_id', 'label', 'phone_number', 'linked']).execute();
    const instances = await stored();
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
    expect(await stored()).toEqual(instances);
  });

  it('beside a server that shares its PostgreSQL database, which takes them without being asked for them', async () => {
    const other = await start({ store: 'postgres', env: { REDIS_URL: inject('redis'), SECRET_KEY: 'ab'.repeat(32) } });
    try {
      const { folder: linked, phoneNumber } = await link(join(folder, 'beside'), kinds[2], other);
      const done = await runIn(other, 'baileys', linked, '--account', other.customer.accountId, '--json', '--stopped');
      expect(done).toMatchObject({ exitCode: 0, stderr: '', lines: [{ phone_number: phoneNumber, problem: null }] });
      const id = done.lines[0]?.instance_id ?? '';
      // Asks nothing over HTTP, which would have the server take it.
      await waitFor(async () => expect(await other.gateway.app.store.leases?.own()).toEqual([id]));
      await other.customer.reaches(id, 'open');
    } finally {
      await other.close();
    }
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
