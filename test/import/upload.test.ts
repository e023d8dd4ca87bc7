import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Archive, withUpload } from '../../src/import/index.ts';
import { outcome } from '../contract/outcome.ts';
import { tar, tarOf, uploadHeaders, uploadNumbers, uploadPath, zip } from '../support/archives.ts';
import { credsJson } from '../support/baileys-creds.ts';
import { expectOk, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const text = Buffer.from('{"do not print me":1}');
const whole = zip({ 'a/creds.json': text });
const megabytes = (count: number) => count * 1024 * 1024;
/** `whole`, which states another size of its file. */
function stating(bytes: number): Uint8Array {
  const changed = Buffer.from(whole);
  const directory = changed.readUInt32LE(changed.length - 22 + 16);
  changed.writeUInt32LE(bytes, directory + 24);
  return changed;
}

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
    sent.write(whole.subarray(0, 50));
    await waitFor(() => expect(readdirSync(uploads())).toHaveLength(1));
    return { sent, ended };
  }

  const noArchive = 'The file is no .zip, no .tar.gz and no SQLite database.';
  const damaged = 'The archive is damaged or not complete.';
  const leadsOut = (path: string) => `The archive holds a path that leads out of its folder: "${path}".`;
  const noFile = 'The archive holds a link or a device, "a"; pack it without links.';
  const tooLarge = 'The archive unpacks to more than 256 MB.';
  it.each<readonly [what: string, file: () => Uint8Array | Promise<Uint8Array>, message: string]>([
    ['a text', () => text, noArchive],
    ['nothing', () => new Uint8Array(), noArchive],
    ['a .zip without its end', () => whole.subarray(0, whole.length - 30), damaged],
    ['a .zip with a changed byte', () => whole.with(45, (whole[45] ?? 0) ^ 1), damaged],
    ['a .tar.gz without its end', async () => (await tar({ 'a/creds.json': text })).subarray(0, -20), damaged],
    ['a .gz of a text', () => gzipSync(text), damaged],
    ['a .tar.gz with one file twice', () => tarOf([1, 2].map(() => ({ name: 'a/creds.json', content: text }))), damaged],
    ['a .tar.gz with a size that is none', () => tarOf([{ name: 'a', content: text, pax: { size: 'x' } }]), damaged],
    [
      'a .zip of something else',
      () => zip({ 'notes/readme.txt': text }),
      'Sessions is no folder of useMultiFileAuthState, and holds none: there is no creds.json.',
    ],
    ['a .zip that leads out', () => zip({ '../creds.json': text }), leadsOut('../creds.json')],
    ['a .zip that leads out by backslashes', () => zip({ 'a\\..\\..\\creds.json': text }), leadsOut('a/../../creds.json')],
    ['a .tar.gz that leads out', () => tar({ 'a/../../creds.json': text }), leadsOut('a/../../creds.json')],
    ['a .tar.gz that begins at the root', () => tar({ '/etc/creds.json': text }), leadsOut('/etc/creds.json')],
    ['a .tar.gz with a link', () => tarOf([{ name: 'a', type: 'symlink', linkname: '/etc' }]), noFile],
    ['a .zip with a link', () => zipSync({ a: [text, { os: 3, attrs: 0o120777 << 16 }] }), noFile],
    ['a .zip that is too large', () => stating(megabytes(257)), tooLarge],
    ['a .zip that is larger than it states', () => stating(text.length - 1), damaged],
    ['a .tar.gz that is too large', () => Buffer.concat(Array(257).fill(gzipSync(Buffer.alloc(megabytes(1))))), tooLarge],
    [
      'a .tar.gz with a path that is too long',
      () => tar({ [`${'a/'.repeat(600)}b`]: text }),
      'The archive holds a path of more than 1024 bytes.',
    ],
    [
      'a .zip of few files in very many folders',
      () => zip(Object.fromEntries(Array.from({ length: 51 }, (_, place) => [`${place}/${'a/'.repeat(100)}b`, text]))),
      'The archive unpacks to more than 5000 folders.',
    ],
  ])('%s is refused with one line, and nothing is changed', async (_what, file, message) => {
    const before = await instances();
    // One person may upload only so often in a minute.
    const answer = await send(await file(), { check: false, stopped: true, as: await operator(gateway) });
    expect([answer.status, answer.body.error?.message]).toEqual([400, message]);
    expect(await instances()).toEqual(before);
    expect(readdirSync(uploads())).toEqual([]);
    expect(existsSync(join(gateway.dataDir, 'creds.json'))).toBe(false);
    expect(gateway.logged()).not.toContain('do not print me');
  });

  it('is refused when it is over 64 MB; one number that cannot be taken is a line of the table', async () => {
    expect(outcome(await send(new Uint8Array(megabytes(64) + 1)))).toBe('413 payload_too_large');
    expect(readdirSync(uploads())).toEqual([]);
    expect(expectOk(await send(whole, { check: false, stopped: true })).body.data.numbers).toMatchObject([
      { source: 'a', problem: 'its credentials are not of Baileys', instance_id: null },
    ]);
  });

  it('names a few of the others when many are the same number', async () => {
    const creds = Buffer.from(credsJson('4915110000701'));
    const file = zip(Object.fromEntries([...'abcdef'].map((name) => [`${name}/creds.json`, creds])));
    const { numbers } = expectOk(await send(file, { as: await operator(gateway) })).body.data;
    const end = 'and 2 more; import the one that was used last by itself';
    expect([numbers[0]?.problem, numbers[5]?.problem]).toEqual([`is also in b, c, d ${end}`, `is also in a, b, c ${end}`]);
  });

  it('is for operators alone, one at a time, and not too often', async () => {
    by = await operator(gateway);
    expect(outcome(await send(whole, { as: await providerAdmin(gateway) }))).toBe('403 forbidden');
    const { sent, ended } = await stall();
    expect(outcome(await send(whole))).toBe('409 conflict');
    sent.destroy();
    await ended;
    await waitFor(async () => expect(outcome(await send(whole, { as: await operator(gateway) }))).toBe('200'));
    expect(readdirSync(uploads())).toEqual([]);
    for (let more = 0; more < 18; more++) expect(outcome(await send(whole, { check: false }))).toBe('400 invalid_request');
    expect(outcome(await send(whole))).toBe('429 rate_limit_exceeded');
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
    await waitFor(() => expect(readdirSync(uploads())).toEqual(['of somebody else']));
  });

  /** Reads an archive without a gateway. */
  async function reading<T>(file: Uint8Array, work: (archive: Archive) => Promise<T>, { gone = new AbortController(), ms = 60_000 } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-uploads-'));
    try {
      const arriving = { body: Readable.from([file]), kind: 'baileys', fileName: 'a.zip', signal: gone.signal } as const;
      return await withUpload(folder, arriving, work, ms);
    } finally {
      expect(readdirSync(folder)).toEqual([]);
      rmSync(folder, { recursive: true });
    }
  }

  it('is read no further when nobody waits for the answer', async () => {
    const gone = new AbortController();
    const read = reading(
      whole,
      async (archive) => {
        expect(archive.sources).toEqual(['a']);
        gone.abort();
        await expect(archive.read('a')).rejects.toThrow('too much memory or time');
        // The process has ended by now.
        return archive.read('a');
      },
      { gone },
    );
    await expect(read).rejects.toThrow('too much memory or time');
  });

  it('is read no further when its time is over', async () => {
    await expect(reading(whole, (archive) => archive.read('a'), { ms: 1 })).rejects.toThrow('too much memory or time');
  });

  it('leaves out a number with more keys than are sent to the gateway, and takes the others', async () => {
    const ratchet = { indexInfo: { closed: -1 }, currentRatchet: { text: 'x'.repeat(1_000_000) }, _chains: {} };
    const session = Buffer.from(JSON.stringify({ version: 'v1', _sessions: { key: ratchet } }));
    const sessions = Array.from({ length: 34 }, (_, at) => [`a/session-49151200000${10 + at}.0.json`, session]);
    const creds = Object.fromEntries(['a', 'b'].map((name, at) => [`${name}/creds.json`, Buffer.from(credsJson(`491511000071${at}`))]));
    await reading(zip({ ...creds, ...Object.fromEntries(sessions) }), async (archive) => {
      expect(await archive.read('a')).toMatchObject({
        problem: 'has more than 32 MB of keys; import it with gateway import',
        number: null,
      });
      expect(await archive.read('b')).toMatchObject({ problem: null });
    });
  });
});
