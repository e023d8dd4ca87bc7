import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { type FileServer, type ServedFile, someBytes, startFileServer } from '../support/file-server.ts';
import { type Answer, type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { anyStore } from '../support/run-options.ts';
import { outcome } from './outcome.ts';

const maxBytes = 100_000;
const redirect = (location: string): ServedFile => ({ status: 302, headers: { location } });

describe('media', () => {
  const clock = createManualClock();
  const lookups: string[] = [];
  let gateway: TestGateway;
  let files: FileServer;
  let customer: Customer;
  let instance_id: string;
  beforeAll(async () => {
    files = await startFileServer();
    const port = files.allowed.split(':')[1];
    const lookup = async (name: string) => {
      lookups.push(name);
      if (name === 'nowhere.example.com') return [];
      return name === 'files.example.com' ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    gateway = await startGateway(anyStore, {
      // Nothing listens on port 1.
      env: { MEDIA_ALLOW_HOSTS: `${files.allowed}, files.example.com:${port}, 127.0.0.1:1`, MEDIA_MAX_BYTES: String(maxBytes) },
      overrides: { clock, lookup },
    });
    customer = await gateway.customer({ plan: await gateway.plan() });
    instance_id = await customer.linked();
  });
  afterAll(async () => {
    await gateway.stop();
    await files.close();
  });

  let contacts = 0;
  const newContact = () => `49170${3_000_010 + ++contacts}`;
  const send = (url: string, to = newContact(), fields: object = {}, type = 'document') =>
    customer.send(type, { instance_id, to, url, ...fields });
  /** What is in the folders of its servers. */
  const kept = async () => (await readdir(gateway.dataDir, { recursive: true })).filter((path) => /(^|\/)media\//.test(path));

  async function arrived(url: string, fields: object = {}, type = 'document') {
    const to = newContact();
    expect(outcome(await send(url, to, fields, type))).toBe('200');
    return (await customer.received(to))[0].content;
  }

  it('arrives byte for byte, and leaves nothing on the disk [media.from-link media.temporary sandbox.media]', async () => {
    const bytes = Buffer.from(Array.from({ length: maxBytes }, (_, i) => i * 7 + (i >> 8)));
    const content = await arrived(files.serve('/large.bin', { bytes }));
    expect(content).toMatchObject({ size: maxBytes, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(await kept()).toEqual([]);
  });

  const pdf = Buffer.from('%PDF-1.7\n');
  it.each([
    ['what the request says', { mime_type: 'application/x-own' }, 'text/plain', 'document', someBytes, 'application/x-own'],
    ['what its bytes say', { filename: 'Invoice.pdf' }, 'binary/octet-stream', 'document', pdf, 'application/pdf'],
    ['what its name says', { filename: 'Prices.csv' }, 'text/plain', 'document', Buffer.from('a,b\n'), 'text/csv'],
    ['what the name in its link says', {}, 'text/plain', 'document', Buffer.from('a,b\n'), 'text/csv'],
    ['what the server says', { filename: 'prices' }, 'Text/CSV; charset=utf-8', 'document', someBytes, 'text/csv'],
    [
      'by its kind, when nobody says: document',
      { filename: 'a' },
      'application/octet-stream',
      'document',
      someBytes,
      'application/octet-stream',
    ],
    ['by its kind, when nobody says: image', {}, '', 'image', someBytes, 'image/jpeg'],
    ['by its kind, when nobody says: video', {}, '', 'video', someBytes, 'video/mp4'],
    ['by its kind, when nobody says: audio', {}, '', 'audio', someBytes, 'audio/ogg'],
    ['by its kind, when nobody says: sticker', {}, '', 'sticker', someBytes, 'image/webp'],
  ])('has the type %s [audio.voice-note mime.unmatched media.type sandbox.media]', async (_, fields, served, type, bytes, expected) => {
    const headers = served === '' ? {} : { 'content-type': served };
    const url = files.serve(`/typed/${type}/${encodeURIComponent(served)}/a.csv`, { headers, bytes });
    expect(await arrived(url, fields, type)).toMatchObject({ mime_type: expected, size: bytes.length });
  });

  it('is refused when it is nothing of its kind, with what was found instead [media.wrong-kind]', async () => {
    const page = files.serve('/sign-in', {
      bytes: Buffer.from('<!doctype html><title>Sign in</title>'),
      headers: { 'content-type': 'image/png' },
    });
    for (const type of ['image', 'video', 'audio', 'sticker']) {
      const to = newContact();
      const answer = await send(page, to, {}, type);
      expect(outcome(answer)).toBe('422 media_fetch_failed');
      expect(answer.body.error).toMatchObject({
        message: `The file behind the link cannot be sent as ${type === 'audio' ? type : `a${type === 'image' ? 'n' : ''} ${type}`}: it is a web page (text/html).`,
        details: { found: 'text/html' },
      });
      expect(await customer.received(to)).toEqual([]);
    }
    expect(await arrived(page)).toMatchObject({ mime_type: 'text/html' });
  });

  it('is fetched through at most 3 redirects, relative ones included [media.hops]', async () => {
    files.serve('/end');
    files.serve('/3', redirect('/end'));
    files.serve('/2', { status: 307, headers: { location: files.url('/3') } });
    expect(await arrived(files.serve('/1', { status: 301, headers: { location: '2' } }))).toMatchObject({ size: someBytes.length });
    expect(outcome(await send(files.serve('/0', redirect('/1'))))).toBe('422 media_fetch_failed');
  });

  it('is fetched from the address that was checked, without a second lookup [media.pinned]', async () => {
    const url = files.serve('/pinned').replace('127.0.0.1', 'files.example.com');
    lookups.length = 0;
    await arrived(url);
    expect(lookups).toEqual(['files.example.com']);
    expect((await files.requested('/pinned')).headers.host).toBe(new URL(url).host);
  });

  it('is given up after 60 seconds [media.time]', async () => {
    const answer = send(files.serve('/slow', { answer: () => undefined }));
    await files.requested('/slow');
    await clock.advanceAsync(60_000);
    expect(outcome(await answer)).toBe('422 media_fetch_failed');
  });

  describe('that cannot be downloaded is 422 media_fetch_failed', () => {
    const served: [string, ServedFile][] = [
      ['404', { status: 404 }],
      ['401', { status: 401 }],
      ['500', { status: 500 }],
      ['304 unasked', { status: 304 }],
      ['no content', { status: 204 }],
      ['an empty file', { bytes: Buffer.alloc(0) }],
      ['too large', { bytes: Buffer.alloc(maxBytes + 1) }],
      [
        'too large without a Content-Length',
        { answer: (response) => void response.writeHead(200).write(Buffer.alloc(maxBytes), () => response.end('xx')) },
      ],
      [
        'shorter than it says',
        { answer: (response) => void response.writeHead(200, { 'content-length': '99' }).write('x', () => response.destroy()) },
      ],
      ['no answer', { answer: (response) => void response.destroy() }],
      ['a redirect to an internal address', redirect('http://10.0.0.1/')],
      ['a redirect to another port', redirect('http://127.0.0.1:2/')],
      ['a redirect to a name that resolves to an internal address', redirect('http://rebound.example.com/')],
      ['a redirect to a file', redirect('file:///etc/hostname')],
      ['a redirect without a place', { status: 302 }],
      ['a redirect to itself', redirect('/a-redirect-to-itself')],
    ];

    it.each(served)('%s [media.failed errors.no-leak media.redirects media.status media.max-bytes media.empty]', async (name, file) => {
      const to = newContact();
      const answer = await send(files.serve(`/${name.replaceAll(' ', '-')}`, file), to);
      expect(outcome(answer)).toBe('422 media_fetch_failed');
      expect(answer.body.error.message).not.toMatch(/ECONN|socket|undici|node:|127\.0\.0\.1|10\.0\.0\.1/);
      expect(await customer.received(to)).toEqual([]);
    });

    it('a server that is not there [media.failed]', async () => {
      const answer = await send('http://127.0.0.1:1/a.pdf');
      expect(outcome(answer)).toBe('422 media_fetch_failed');
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONNREFUSED|connect/);
    });

    it('a name that does not resolve [media.failed]', async () => {
      expect(outcome(await send('http://nowhere.example.com/a.pdf'))).toBe('422 media_fetch_failed');
    });

    it('in every media kind [media.failed]', async () => {
      for (const type of ['image', 'document', 'video', 'audio', 'sticker']) {
        expect(outcome(await send(files.url('/missing'), newContact(), {}, type))).toBe('422 media_fetch_failed');
      }
    });

    it('and leaves nothing on the disk [media.temporary]', async () => {
      expect(await kept()).toEqual([]);
    });
  });

  describe('sent to many recipients is fetched once while it is unchanged', () => {
    const requestsFor = (path: string) => files.requests.filter((request) => request.path === path);
    const toMany = async (url: string): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (let i = 0; i < 3; i++) answers.push(await send(url));
      return answers;
    };

    it('as its freshness lifetime says [media.fetched-once]', async () => {
      const url = files.serve('/fresh', { headers: { 'cache-control': 'max-age=60' } });
      expect((await toMany(url)).map(outcome)).toEqual(['200', '200', '200']);
      expect(requestsFor('/fresh')).toHaveLength(1);
      clock.advance(61_000);
      await send(url);
      expect(requestsFor('/fresh')).toHaveLength(2);
    });

    it('as its ETag says [media.fetched-once]', async () => {
      const url = files.serve('/tagged', { headers: { etag: '"v1"' } });
      expect((await toMany(url)).map(outcome)).toEqual(['200', '200', '200']);
      expect(requestsFor('/tagged').map((request) => request.headers['if-none-match'])).toEqual([undefined, '"v1"', '"v1"']);
      const changed = Buffer.from('changed');
      files.serve('/tagged', { headers: { etag: '"v2"' }, bytes: changed });
      expect(await arrived(url)).toMatchObject({ size: changed.length });
    });

    it('and each time when nothing says so [media.fetched-once]', async () => {
      await toMany(files.serve('/plain'));
      expect(requestsFor('/plain')).toHaveLength(3);
    });
  });
});

describe('the largest file', () => {
  it('has 100 MiB unless the operator says otherwise [media.default-size]', () => {
    expect(readConfig({}).media.maxBytes).toBe(100 * 1024 * 1024);
  });
});
