import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import type { ImportedNumberView } from '../../src/portal/wire/customers.ts';
import { outcome } from '../contract/outcome.ts';
import { type Files, tar, uploadNumbers, zip } from '../support/archives.ts';
import { linkPlain } from '../support/plain-baileys.ts';
import { expectOk, operator, type SignedIn } from '../support/portal.ts';
import type { StoreKind } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import { whatsmeowRows, whatsmeowTables } from '../support/whatsmeow-store.ts';

describe('numbers from an upload', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-upload-'));
  let world: WhatsAppWorld;
  let by: SignedIn;
  // Plain Baileys does not know what the network asks of it at a scan, and appears online.
  const start = (store: StoreKind) => startWhatsAppWorld({ store, server: { strictness: { refreshAtScan: false, neverOnline: false } } });
  beforeAll(async () => {
    world = await start('sqlite');
    by = await operator(world.gateway);
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Asked = Omit<Parameters<typeof uploadNumbers>[2], 'accountId'>;
  const send = (file: Uint8Array, asked: Asked) => uploadNumbers(by, file, { accountId: world.customer.accountId, ...asked });
  const numbersOf = async (file: Uint8Array, asked: Asked): Promise<readonly ImportedNumberView[]> =>
    expectOk(await send(file, asked)).body.data.numbers;
  const instances = () => world.gateway.app.store.db.selectFrom('instances').select('id').execute();

  /** A linked number in a folder of Baileys, whose program is stopped. */
  async function linked(name: string, { server, somebody } = world): Promise<{ readonly phone: Person; readonly files: Files }> {
    const phone = somebody();
    const plain = await linkPlain(server, join(folder, name), phone, 'scan');
    // What a first message to somebody needs.
    phone.changeSalt(randomBytes(32), { told: false });
    await phone.shareSettingsKey();
    await waitFor(() => expect(plain.sock.authState.creds.myAppStateKeyId).toBeDefined());
    await server.record.until(() => phone.unacknowledged === 0);
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
    expect(readdirSync(join(world.gateway.dataDir, 'uploads'))).toEqual([]);
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
    const expected = { phone_number: phone.number, problem: null };
    // A file by itself arrives without its time.
    expect(await numbersOf(readFileSync(path), { kind: 'whatsmeow', name: 'main.db' })).toMatchObject([{ ...expected, used_at: null }]);
    const packed = zip({ 'dbdata/main.db': readFileSync(path), 'dbdata/users.db': readFileSync(other) });
    const elsewhere = await world.gateway.customer();
    const table = Buffer.from(`number;account;label\n${phone.number};${elsewhere.accountId};Front desk\n`);
    expect(await numbersOf(Buffer.concat([table, packed]), { kind: 'whatsmeow', name: 'dbdata.zip', table: table.length })).toMatchObject([
      { ...expected, account_id: elsewhere.accountId, label: 'Front desk', used_at: expect.stringMatching(/^20/) },
    ]);
    expect(await numbersOf(packed, { kind: 'whatsmeow', name: 'dbdata.zip' })).toMatchObject([expected]);
    expect(await send(readFileSync(other), { kind: 'whatsmeow', name: 'users.db' })).toMatchObject({
      status: 400,
      body: { error: { message: 'The database has no table whatsmeow_device.' } },
    });
  });

  it('on PostgreSQL they are owned by the server that has imported them, and connect at once', async () => {
    const other = await start('postgres');
    try {
      const { phone, files } = await linked('desk', other);
      const upload = { accountId: other.customer.accountId, check: false, stopped: true };
      const { numbers } = expectOk(await uploadNumbers(await operator(other.gateway), zip(files), upload)).body.data;
      expect(numbers).toMatchObject([{ phone_number: phone.number, problem: null }]);
      const [{ instance_id: id }] = numbers;
      expect(await other.gateway.app.store.leases?.own()).toEqual([id]);
      await other.customer.reaches(id, 'open');
      expect((await other.text(id, other.somebody().number)).body).toMatchObject({ success: true });
    } finally {
      await other.close();
    }
  });
});

function filesOf(path: string, name: string): Files {
  return Object.fromEntries(readdirSync(path).map((file) => [`${name}/${file}`, readFileSync(join(path, file))]));
}
