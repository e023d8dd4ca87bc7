import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { type Zippable, zipSync } from 'fflate';
import { type Headers, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import type { ImportedNumberView } from '../../src/portal/wire/customers.ts';
import { outcome } from '../contract/outcome.ts';
import { linkPlain } from '../support/plain-baileys.ts';
import { expectOk, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import { whatsmeowRows, whatsmeowTables } from '../support/whatsmeow-store.ts';

/** The files of an archive by their paths. */
type Files = Readonly<Record<string, Uint8Array>>;

describe('numbers from an upload', () => {
  let world: WhatsAppWorld;
  let by: SignedIn;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-upload-'));
  const uploads = () => join(world.gateway.settings.DATA_DIR ?? '', 'uploads');
  beforeAll(async () => {
    // Plain Baileys does not know what the network asks of it at a scan, and appears online.
    world = await startWhatsAppWorld({ store: 'sqlite', server: { strictness: { refreshAtScan: false, neverOnline: false } } });
    by = await operator(world.gateway);
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Asked {
    readonly kind?: string;
    readonly name?: string;
    readonly check?: boolean;
    readonly stopped?: boolean;
    readonly as?: SignedIn;
    /** So many bytes are a table of accounts. */
    readonly table?: number;
  }
  const send = (
    file: Uint8Array,
    { kind = 'baileys', name = 'sessions.zip', check = true, stopped = false, as = by, table }: Asked = {},
  ) => {
    const to = table === undefined ? { account_id: world.customer.accountId } : { table_bytes: String(table) };
    const query = { ...to, kind, file_name: name, check: String(check), stopped: String(stopped) };
    const path = `/portal/api/operator/numbers/import?${new URLSearchParams(query)}`;
    return as.call('POST', path, { body: file, headers: { 'content-type': 'application/octet-stream' } });
  };
  const numbersOf = async (file: Uint8Array, asked: Asked): Promise<readonly ImportedNumberView[]> =>
    expectOk(await send(file, asked)).body.data.numbers;
  const instances = () => world.gateway.app.store.db.selectFrom('instances').select('id').execute();

  /** A linked number in a folder of Baileys, whose program is stopped. */
  async function linked(name: string): Promise<{ readonly phone: Person; readonly files: Files }> {
    const phone = world.somebody();
    const plain = await linkPlain(world.server, join(folder, name), phone, 'scan');
    phone.changeSalt(randomBytes(32), { told: false });
    await phone.shareSettingsKey();
    await waitFor(() => expect(plain.sock.authState.creds.myAppStateKeyId).toBeDefined());
    await world.server.record.until(() => phone.unacknowledged === 0);
    await plain.stop();
    return { phone, files: filesOf(join(folder, name), name) };
  }

  it.each([
    ['.zip', zip],
    ['.tar.gz', tar],
  ] as const)('%s: are shown first, then imported while the server runs, and are open without a scan', async (ending, packed) => {
    const { phone, files } = await linked(`shop${ending}`);
    // As a folder of such folders is packed, on a Mac.
    const all = Object.entries({ ...files, 'desk/creds.json': Buffer.from('{}') });
    const sessions = Object.fromEntries(all.map(([path, bytes]) => [`sessions/${path}`, bytes]));
    const file = await packed({ ...sessions, '__MACOSX/sessions/._x': Buffer.from('x') });
    const name = `sessions${ending}`;
    const before = await instances();
    const checked = await numbersOf(file, { name });
    expect(checked).toMatchObject([
      { source: 'desk', phone_number: null, problem: 'its credentials are not of Baileys', instance_id: null },
      { source: `shop${ending}`, phone_number: phone.number, lid: phone.lid, label: `shop${ending}`, problem: null, instance_id: null },
    ]);
    expect(checked[1]?.taken?.['pre-key']).toBeGreaterThan(0);
    expect(checked[1]?.used_at).toMatch(/^20/);
    expect(await instances()).toEqual(before);
    expect(outcome(await send(file, { name, check: false }))).toBe('400 invalid_request');
    expect(await instances()).toEqual(before);

    const done = await numbersOf(file, { name, check: false, stopped: true });
    expect(done).toMatchObject([{ source: 'desk', instance_id: null }, { problem: null }]);
    const id = done[1]?.instance_id ?? '';
    await world.customer.reaches(id, 'open');
    expect((await world.text(id, world.somebody().number)).body).toMatchObject({ success: true });
    const [entry] = expectOk(await by.call('GET', '/portal/api/operator/audit?action=number.link')).body.data.rows;
    expect(entry).toMatchObject({ action: 'number.link', actor_name: by.email });
    // Again it is there already.
    const [, again] = await numbersOf(file, { name });
    expect(again?.problem).toContain('is already linked here');
    expect(readdirSync(uploads())).toEqual([]);
    const creds = JSON.parse(readFileSync(join(folder, `shop${ending}`, 'creds.json'), 'utf8'));
    expect(world.logged() + JSON.stringify([checked, done])).not.toContain(creds.noiseKey.private.data);
  });

  it('are read from a SQLite file of whatsmeow, alone or among other files', async () => {
    const { phone } = await linked('meow');
    const path = join(folder, 'main.db');
    const database = new Sqlite(path);
    for (const table of whatsmeowTables('blob')) database.exec(table);
    for (const [table, values] of whatsmeowRows(join(folder, 'meow'), { salt: phone.salt, migrated: false })) {
      const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
      database.prepare(`insert into ${table} values (${values.map(() => '?').join()})`).run(bound);
    }
    database.close();
    const other = join(folder, 'users.db');
    new Sqlite(other).exec('create table users (id)').close();
    const expected = [{ phone_number: phone.number, problem: null }];
    expect(await numbersOf(readFileSync(path), { kind: 'whatsmeow', name: 'main.db' })).toMatchObject(expected);
    const packed = await zip({ 'dbdata/main.db': readFileSync(path), 'dbdata/users.db': readFileSync(other) });
    const elsewhere = await world.gateway.customer();
    const table = Buffer.from(`number;account;label\n${phone.number};${elsewhere.accountId};Front desk\n`);
    expect(await numbersOf(Buffer.concat([table, packed]), { kind: 'whatsmeow', name: 'dbdata.zip', table: table.length })).toMatchObject([
      { ...expected[0], account_id: elsewhere.accountId, label: 'Front desk' },
    ]);
    expect(await numbersOf(packed, { kind: 'whatsmeow', name: 'dbdata.zip' })).toMatchObject(expected);
    expect(await send(readFileSync(other), { kind: 'whatsmeow', name: 'users.db' })).toMatchObject({
      status: 400,
      body: { error: { message: 'The database has no table whatsmeow_device.' } },
    });
  });

  it('are refused with one line when the file is foreign, damaged, too large or leads elsewhere, and nothing is changed', async () => {
    const text = Buffer.from('{"do not print me":1}');
    const whole = await zip({ 'a/creds.json': text });
    const gzipped = await tar({ 'a/creds.json': text });
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(45) ^ 1, 45);
    const refused: readonly (readonly [Uint8Array, string])[] = [
      [text, 'Sessions is no .zip, no .tar.gz and no SQLite file.'],
      [new Uint8Array(), 'Sessions is no .zip, no .tar.gz and no SQLite file.'],
      [whole.subarray(0, whole.length - 30), 'The archive is damaged or not complete.'],
      [changed, 'The archive is damaged or not complete.'],
      [gzipped.subarray(0, gzipped.length - 20), 'The archive is damaged or not complete.'],
      [gzipSync(text), 'The archive is damaged or not complete.'],
      [await zip({ 'notes/readme.txt': text }), 'Sessions is no folder of useMultiFileAuthState, and holds none: there is no creds.json.'],
      [await zip({ '../creds.json': text }), 'The archive holds a path that leads out of its folder: "../creds.json".'],
      [await tar({ 'a/../../creds.json': text }), 'The archive holds a path that leads out of its folder: "a/../../creds.json".'],
      [await tar({ '/etc/creds.json': text }), 'The archive holds a path that leads out of its folder: "/etc/creds.json".'],
      [
        await tarOf([{ name: 'a', type: 'symlink', linkname: '/etc' }]),
        'The archive holds a link or a device, "a"; pack it without links.',
      ],
      [zipSync({ a: [text, { os: 3, attrs: 0o120777 << 16 }] }), 'The archive holds a link or a device, "a"; pack it without links.'],
      [zipSync({ zeros: new Uint8Array(257 * 1024 * 1024) }, { level: 1 }), 'The archive unpacks to more than 256 MB.'],
      [gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 }), 'The archive unpacks to more than 256 MB.'],
    ];
    const before = await instances();
    for (const [place, [file, message]] of refused.entries()) {
      // One person may upload only so often in a minute.
      if (place % 8 === 0) by = await operator(world.gateway);
      const answer = await send(file, { check: false, stopped: true });
      expect([answer.status, answer.body.error?.message]).toEqual([400, message]);
    }
    // One number that cannot be taken is a line of the table.
    expect(await numbersOf(whole, { check: false, stopped: true })).toMatchObject([
      { source: 'a', problem: 'its credentials are not of Baileys', instance_id: null },
    ]);
    const tooLarge = await send(new Uint8Array(64 * 1024 * 1024 + 1));
    expect(outcome(tooLarge)).toBe('413 payload_too_large');
    expect(await instances()).toEqual(before);
    expect(readdirSync(uploads())).toEqual([]);
    expect(existsSync(join(uploads(), '..', 'creds.json'))).toBe(false);
    expect(world.logged()).not.toContain('do not print me');
  });

  it('are for operators alone, and what a crash has left is removed at the next start', async () => {
    const file = await zip({ 'a/creds.json': Buffer.from('{}') });
    expect(outcome(await send(file, { as: await providerAdmin(world.gateway) }))).toBe('403 forbidden');
    mkdirSync(join(uploads(), 'import-left'), { recursive: true });
    writeFileSync(join(uploads(), 'import-left', '.upload'), file);
    await world.gateway.restart();
    expect(existsSync(uploads())).toBe(false);
  });
});

function filesOf(path: string, name: string): Files {
  return Object.fromEntries(readdirSync(path).map((file) => [`${name}/${file}`, readFileSync(join(path, file))]));
}

async function zip(files: Files): Promise<Uint8Array> {
  return zipSync(files as Zippable);
}

function tar(files: Files): Promise<Uint8Array> {
  return tarOf(Object.entries(files).map(([name, content]) => ({ name, content })));
}

async function tarOf(
  entries: readonly (Partial<Headers> & { readonly name: string; readonly content?: Uint8Array })[],
): Promise<Uint8Array> {
  const packed = pack();
  for (const { content = Buffer.alloc(0), ...header } of entries) packed.entry(header, Buffer.from(content));
  packed.finalize();
  return gzipSync(await buffer(packed));
}
