import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleNames } from '../../src/samples/index.ts';
import { startGateway } from '../support/gateway.ts';
import { anyStore } from '../support/run-options.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

// Sample files that the gateway serves itself, and sends although its own address is one that links may not point at.

const bytesOf = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'samples', name));
const sha256Of = (name: string) => createHash('sha256').update(bytesOf(name)).digest('hex');

const { gateway, files, customer, number } = useGateway({ overrides: { lookup: async () => ['93.184.216.34'] } });

let contacts = 0;
const newContact = () => `49170${4_000_010 + ++contacts * 10}`;

describe('GET /samples/{name}', () => {
  it.each(sampleNames)('%s comes with its type, without a key, in parts, and not twice', async (name) => {
    const address = `${gateway.address}/samples/${name}`;
    const whole = await fetch(address);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toMatch(/^(image|video|audio|application)\/(jpeg|png|webp|mp4|ogg|mpeg|pdf)$/);
    expect(whole.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytesOf(name));
    const part = await fetch(address, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytesOf(name).length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytesOf(name).subarray(10, 20));
    // Without a word of its own about caching, fetch would ask for a fresh answer.
    const again = await fetch(address, { headers: { 'if-none-match': whole.headers.get('etag') ?? '', 'cache-control': 'max-age=0' } });
    expect(again.status).toBe(304);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(bytesOf(name).length), '']);
  });

  it.each(['', 'nothing.jpg', 'index.js', '../index.js', '%2e%2e/index.js', '..%2findex.js', 'photo.jpg/', 'PHOTO.JPG', 'constructor'])(
    '%j is no sample',
    async (path) => {
      // As it stands: fetch would take the dots out.
      const status = await new Promise((resolve, reject) => {
        const { hostname, port } = new URL(gateway.address);
        get({ hostname, port, path: `/samples/${path}` }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      });
      expect(status).toBe(404);
    },
  );
});

it("every example of the server's own OpenAPI document is sent as it stands, but for the number", { timeout: 600_000 }, async () => {
  const { paths } = (await gateway.call('GET', '/openapi.json')).body;
  let media = 0;
  for (const [path, { post }] of Object.entries<{
    post?: { requestBody: { content: Record<string, { examples: Record<string, unknown> }> } };
  }>(paths)) {
    if (!path.startsWith('/v1/messages/')) continue;
    const examples = post?.requestBody.content['application/json']?.examples ?? {};
    for (const { value } of Object.values(examples) as { readonly value: { readonly url?: string } }[]) {
      const to = newContact();
      expect(outcome(await customer.call('POST', path, { ...value, instance_id: number(), to })), `${path} ${JSON.stringify(value)}`).toBe(
        '200',
      );
      if (value.url === undefined) continue;
      media++;
      expect(value.url.startsWith(`${gateway.address}/samples/`)).toBe(true);
      const [{ type, content }] = await customer.received(to);
      // A sticker and a voice note may have been converted.
      if (!['sticker', 'audio'].includes(type)) expect(content.sha256).toBe(sha256Of(value.url.split('/').at(-1) ?? ''));
    }
  }
  expect(media).toBeGreaterThanOrEqual(10);
});

describe('nothing but these files is read', () => {
  const own = (path: string) => `${gateway.address}${path}`;
  const refused = async (url: string, headers: Record<string, string> = {}) => {
    const to = newContact();
    const answer = await customer.send('image', { instance_id: number(), to, url }, headers);
    expect(outcome(answer)).toBe('400 invalid_media_url');
    expect(await customer.received(to)).toEqual([]);
  };

  it.each([
    '/health',
    '/openapi.json',
    '/samples/',
    '/samples/nothing.jpg',
    '/samples/photo.jpg?x=1',
    '/samples/photo.jpg/',
    '/samples//photo.jpg',
    '/samples/photo%2ejpg',
    '/samples/%2e%2e/%2e%2e/main.js',
    '/samples/..%2f..%2fmain.js',
    '/x/samples/photo.jpg',
    '/samples/constructor',
  ])('%s of the own address is as forbidden as any other of this machine', (path) => refused(own(path)));

  it('the path of a sample at another address of this network, another port or another scheme is no sample', async () => {
    const { port } = new URL(gateway.address);
    await refused(`http://127.0.0.1:${Number(port) + 1}/samples/photo.jpg`);
    await refused('http://10.0.0.5/samples/photo.jpg');
    await refused(`https://127.0.0.1:${port}/samples/photo.jpg`);
    await refused(`http://localhost:${port}/samples/photo.jpg`);
    await refused(`http://user@127.0.0.1:${port}/samples/photo.jpg`);
  });

  it("a caller who makes the gateway believe in another address gets the gateway's file, and no connection goes there", async () => {
    const to = newContact();
    const host = new URL(files.serve('/samples/photo.jpg', { bytes: Buffer.from('not the sample') })).host;
    const body = JSON.stringify({ instance_id: number(), to, url: `http://${host}/samples/photo.jpg` });
    const { hostname, port } = new URL(gateway.address);
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const headers = { host, apikey: customer.key, 'content-type': 'application/json' };
      const asked = request({ hostname, port, path: '/v1/messages/image', method: 'POST', headers }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      asked.on('error', reject).end(body);
    });
    expect(status).toBe(200);
    expect((await customer.received(to))[0].content.sha256).toBe(sha256Of('photo.jpg'));
  });

  it("the button of a message may not lead to the gateway's network, sample or not, and a redirect may not either", async () => {
    const to = newContact();
    const buttons = [{ type: 'url', text: 'Open', url: own('/samples/photo.jpg') }];
    expect(outcome(await customer.send('buttons', { instance_id: number(), to, title: 'Look', buttons }))).toBe('400 invalid_media_url');
    const url = files.serve('/redirect', { status: 302, headers: { location: own('/samples/photo.jpg') } });
    expect(outcome(await customer.send('image', { instance_id: number(), to, url }))).toBe('422 media_fetch_failed');
  });
});

it('are recognised at the address that the operator names, also under a path', async () => {
  const behind = await startGateway(anyStore, {
    env: { PUBLIC_URL: 'https://internal.example.com/gateway' },
    overrides: { lookup: async () => ['10.0.0.1'] },
  });
  try {
    const other = await behind.customer();
    const id = await other.linked();
    const send = (url: string) => other.send('image', { instance_id: id, to: '15550123', url });
    expect(outcome(await send('https://internal.example.com/gateway/samples/photo.jpg'))).toBe('200');
    expect(outcome(await send('https://internal.example.com/samples/photo.jpg'))).toBe('400 invalid_media_url');
  } finally {
    await behind.stop();
  }
});

describe('error.doc_url', () => {
  it('leads to the explanation of the code where the operator has named an address', async () => {
    const named = await startGateway(anyStore, { env: { PUBLIC_URL: 'https://gateway.example.com/api' } });
    try {
      const { body } = await named.call('GET', '/v1/instances');
      expect(body.error).toEqual({
        code: 'missing_api_key',
        message: expect.any(String),
        doc_url: 'https://gateway.example.com/api/docs#error-missing_api_key',
      });
      const page = await (await fetch(`${named.address}/docs`)).text();
      expect(page).toContain('id="error-missing_api_key"');
    } finally {
      await named.stop();
    }
  });

  it('is absent where the gateway does not know its own address', async () => {
    const { body } = await gateway.call('GET', '/v1/instances');
    expect(body.error).toEqual({ code: 'missing_api_key', message: expect.any(String) });
  });
});
