import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { withUpload } from '../../src/import/index.ts';
import { outcome } from '../contract/outcome.ts';
import { tar, tarOf, uploadHeaders, uploadNumbers, uploadPath, zip } from '../support/archives.ts';
import { expectOk, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const text = Buffer.from('{"do not print me":1}');
const megabytes = (count: number) => count * 1024 * 1024;

describe('an uploaded archive of numbers', () => {
  const { gateway, customer } = useGateway({
    // Nobody listens there.
    env: { NETWORKS: 'sandbox,whatsapp', WHATSAPP_URL: 'ws://127.0.0.1:1/ws/chat', WHATSAPP_WORKERS: '1' },
    overrides: { connectionLimits: { stopMs: 200 } },
  });
  let by: SignedIn;
  beforeAll(async () => {
    by = await operator(gateway);
  });

  const uploads = () => join(gateway.dataDir, 'uploads');
  const instances = () => gateway.app.store.db.selectFrom('instances').select('id').execute();
  const send = (file: Uint8Array, asked: { readonly check?: boolean; readonly stopped?: boolean; readonly as?: SignedIn } = {}) =>
    uploadNumbers(asked.as ?? by, file, { accountId: customer.accountId, ...asked });

  /** Begins an upload that goes no further; resolves when it has begun. */
  async function stall() {
    const sent = request(gateway.address + uploadPath({ accountId: customer.accountId }), {
      ...{ method: 'POST', headers: by.headers({ headers: uploadHeaders }), localAddress: by.from, agent: false },
    });
    const ended = new Promise((resolve) => sent.on('error', resolve));
    sent.write(zip({ 'a/creds.json': text }).subarray(0, 50));
    await waitFor(() => expect(readdirSync(uploads())).toHaveLength(1));
    return { sent, ended };
  }

  it('is refused with one line when it is foreign, damaged, too large or leads elsewhere, and nothing is changed', async () => {
    const whole = zip({ 'a/creds.json': text });
    const gzipped = await tar({ 'a/creds.json': text });
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(45) ^ 1, 45);
    const damaged = 'The archive is damaged or not complete.';
    const refused: readonly (readonly [Uint8Array, string])[] = [
      [text, 'The file is no .zip, no .tar.gz and no SQLite database.'],
      [new Uint8Array(), 'The file is no .zip, no .tar.gz and no SQLite database.'],
      [whole.subarray(0, whole.length - 30), damaged],
      [changed, damaged],
      [gzipped.subarray(0, gzipped.length - 20), damaged],
      [gzipSync(text), damaged],
      [await tarOf([1, 2].map(() => ({ name: 'a/creds.json', content: text }))), damaged],
      [await tarOf([{ name: 'a/creds.json', content: text, pax: { size: 'x' } }]), damaged],
      [zip({ 'notes/readme.txt': text }), 'Sessions is no folder of useMultiFileAuthState, and holds none: there is no creds.json.'],
      [zip({ '../creds.json': text }), 'The archive holds a path that leads out of its folder: "../creds.json".'],
      [zip({ 'a\\..\\..\\creds.json': text }), 'The archive holds a path that leads out of its folder: "a/../../creds.json".'],
      [await tar({ 'a/../../creds.json': text }), 'The archive holds a path that leads out of its folder: "a/../../creds.json".'],
      [await tar({ '/etc/creds.json': text }), 'The archive holds a path that leads out of its folder: "/etc/creds.json".'],
      [
        await tarOf([{ name: 'a', type: 'symlink', linkname: '/etc' }]),
        'The archive holds a link or a device, "a"; pack it without links.',
      ],
      [zipSync({ a: [text, { os: 3, attrs: 0o120777 << 16 }] }), 'The archive holds a link or a device, "a"; pack it without links.'],
      [zipSync({ zeros: new Uint8Array(megabytes(257)) }, { level: 1 }), 'The archive unpacks to more than 256 MB.'],
      [gzipSync(Buffer.alloc(megabytes(257)), { level: 1 }), 'The archive unpacks to more than 256 MB.'],
      [await tar({ [`${'a/'.repeat(600)}b`]: text }), 'The archive holds a path of more than 1024 bytes.'],
      // Few files in very many folders.
      [
        zip(Object.fromEntries(Array.from({ length: 210 }, (_, place) => [`${place}/${'a/'.repeat(500)}b`, text]))),
        'The archive holds more than 100000 files and folders.',
      ],
    ];
    const before = await instances();
    for (const [place, [file, message]] of refused.entries()) {
      // One person may upload only so often in a minute.
      if (place % 8 === 0) by = await operator(gateway);
      const answer = await send(file, { check: false, stopped: true });
      expect([answer.status, answer.body.error?.message]).toEqual([400, message]);
    }
    // One number that cannot be taken is a line of the table.
    expect(expectOk(await send(whole, { check: false, stopped: true })).body.data.numbers).toMatchObject([
      { source: 'a', problem: 'its credentials are not of Baileys', instance_id: null },
    ]);
    expect(outcome(await send(new Uint8Array(megabytes(64) + 1)))).toBe('413 payload_too_large');
    expect(await instances()).toEqual(before);
    expect(readdirSync(uploads())).toEqual([]);
    expect(existsSync(join(gateway.dataDir, 'creds.json'))).toBe(false);
    expect(gateway.logged()).not.toContain('do not print me');
  });

  it('is for operators alone, one at a time, and not too often', async () => {
    by = await operator(gateway);
    const file = zip({ 'a/creds.json': text });
    expect(outcome(await send(file, { as: await providerAdmin(gateway) }))).toBe('403 forbidden');
    const { sent, ended } = await stall();
    expect(outcome(await send(file))).toBe('409 conflict');
    sent.destroy();
    await ended;
    await waitFor(async () => expect(outcome(await send(file, { as: await operator(gateway) }))).toBe('200'));
    expect(readdirSync(uploads())).toEqual([]);
    for (let more = 0; more < 18; more++) expect(outcome(await send(file, { check: false }))).toBe('400 invalid_request');
    expect(outcome(await send(file))).toBe('429 rate_limit_exceeded');
  });

  it('is removed when the server stops meanwhile; what a crash has left, at the next start', async () => {
    by = await operator(gateway);
    const { ended } = await stall();
    let left: string[] | null = null;
    await gateway.restart({
      whileDown: async () => {
        left = readdirSync(uploads());
        mkdirSync(join(uploads(), 'import-abcdef'));
        writeFileSync(join(uploads(), 'import-abcdef', '.upload'), text);
        mkdirSync(join(uploads(), 'of somebody else'));
      },
    });
    await ended;
    expect(left).toEqual([]);
    expect(readdirSync(uploads())).toEqual(['of somebody else']);
  });

  it('is read no further when nobody waits for the answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-uploads-'));
    const gone = new AbortController();
    const arriving = { body: Readable.from([zip({ 'a/creds.json': text })]), kind: 'baileys', fileName: 'a.zip', signal: gone.signal } as const;
    const reading = withUpload(folder, arriving, async (archive) => {
      expect(archive.sources).toEqual(['a']);
      gone.abort();
      await expect(archive.read('a')).rejects.toThrow('too much memory or time');
      // The process has ended by now.
      return archive.read('a');
    });
    await expect(reading).rejects.toThrow('too much memory or time');
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
