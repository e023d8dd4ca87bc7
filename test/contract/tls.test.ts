import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { anyStore } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';

describe('HTTPS', () => {
  let folder: string;
  let gateway: TestGateway | null = null;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
    for (const name of ['first', 'second']) makeCertificate(name);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await gateway?.stop();
    gateway = null;
  });

  function makeCertificate(name: string) {
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=IP:127.0.0.1`;
    try {
      execFileSync('openssl', [...words.split(' '), '-keyout', `${folder}/${name}.key`, '-out', `${folder}/${name}.pem`], {
        stdio: 'pipe',
      });
    } catch (error) {
      throw new Error(
        `this test makes its certificates with the openssl command, which failed: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  /** Files of a server's own, holding this pair at first. */
  function serverFiles(name: string, pair: string) {
    mkdirSync(join(folder, name));
    const files = { TLS_CERT_FILE: join(folder, name, 'cert.pem'), TLS_KEY_FILE: join(folder, name, 'key.pem') };
    copyFileSync(join(folder, `${pair}.pem`), files.TLS_CERT_FILE);
    copyFileSync(join(folder, `${pair}.key`), files.TLS_KEY_FILE);
    return files;
  }
  /** The certificate's name of a new connection to /health, verified against both of ours. */
  function shownName(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ca = ['first', 'second'].map((name) => readFileSync(join(folder, `${name}.pem`)));
    get(`${gateway?.address}/health`, { ca, agent: false }, (response) => {
      const name = String((response.socket as TLSSocket).getPeerCertificate().subject.CN);
      response
        .resume()
        .on('end', () => (response.statusCode === 200 ? resolve(name) : reject(new Error(`answered ${response.statusCode}`))));
    }).on('error', reject);
    return promise;
  }

  it('is what the server speaks with a certificate and key [service.https tls.files]', async () => {
    gateway = await startGateway(anyStore, { env: serverFiles('plain', 'first') });
    expect(gateway.address).toMatch(/^https:/);
    expect(await shownName()).toBe('first');
    await expect(fetch(`${gateway.address.replace('https', 'http')}/health`)).rejects.toThrow();
  });

  it('takes over a renewed certificate without a restart, and keeps the former one while the new pair does not fit [tls.renewed]', async () => {
    const files = serverFiles('renewed', 'first');
    gateway = await startGateway(anyStore, { env: files });
    expect(await shownName()).toBe('first');
    // Renewals replace files by renaming; until the key has followed, the pair does not fit.
    copyFileSync(join(folder, 'second.pem'), `${files.TLS_CERT_FILE}.new`);
    renameSync(`${files.TLS_CERT_FILE}.new`, files.TLS_CERT_FILE);
    await waitFor(() => expect(gateway?.logged()).toContain('the previous one stays in use'));
    expect(await shownName()).toBe('first');
    copyFileSync(join(folder, 'second.key'), `${files.TLS_KEY_FILE}.new`);
    renameSync(`${files.TLS_KEY_FILE}.new`, files.TLS_KEY_FILE);
    await waitFor(async () => expect(await shownName()).toBe('second'));
    // A file that cannot even be looked at is one that does not fit, too.
    symlinkSync(files.TLS_KEY_FILE, `${files.TLS_KEY_FILE}.new`);
    renameSync(`${files.TLS_KEY_FILE}.new`, files.TLS_KEY_FILE);
    await waitFor(() => expect(gateway?.logged()).toContain('ELOOP'));
    expect(gateway.logged().match(/the previous one stays in use/g)).toHaveLength(2);
    expect(await shownName()).toBe('second');
  });

  it('takes over one whose whole folder was exchanged [tls.renewed]', async () => {
    for (const pair of ['first', 'second']) serverFiles(`exchanged ${pair}`, pair);
    const current = join(folder, 'current');
    symlinkSync(join(folder, 'exchanged first'), current);
    gateway = await startGateway(anyStore, { env: { TLS_CERT_FILE: join(current, 'cert.pem'), TLS_KEY_FILE: join(current, 'key.pem') } });
    expect(await shownName()).toBe('first');
    symlinkSync(join(folder, 'exchanged second'), `${current}.new`);
    renameSync(`${current}.new`, current);
    await waitFor(async () => expect(await shownName()).toBe('second'));
  });

  it.each([
    ['does not exist', (file: string) => rmSync(file)],
    ['is no PEM', (file: string) => writeFileSync(file, 'not a certificate')],
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['belongs to another key', (file: string) => copyFileSync(join(folder, 'second.pem'), file)],
  ])('is refused at the start, in one line, with a certificate that %s [tls.files]', async (what, spoil) => {
    const files = serverFiles(`bad ${what}`, 'first');
    spoil(files.TLS_CERT_FILE);
    await expect(startGateway(anyStore, { env: files })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringMatching(/^TLS_CERT_FILE and TLS_KEY_FILE cannot be used: .+$/),
    });
  });
});

describe('TRUST_PROXY', () => {
  // The document of the API names the address under which it was asked for.
  it.each([
    ['the headers of a named proxy count', { TRUST_PROXY: '127.0.0.1' }, 'https://gateway.example.com'],
    ['the headers of anybody else do not', { TRUST_PROXY: '10.0.0.0/8' }, null],
    ['nor do they when nobody is named', {}, null],
    [
      'PUBLIC_URL goes before all headers',
      { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://public.example.com' },
      'https://public.example.com',
    ],
  ])('%s [service.https service.address proxy.trusted]', async (_, env, url) => {
    const gateway = await startGateway(anyStore, { env });
    try {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example.com' };
      const { body } = await gateway.call('GET', '/openapi.json', { headers });
      expect(body.servers).toEqual([{ url: url ?? gateway.address }]);
    } finally {
      await gateway.stop();
    }
  });

  it('may name the proxies in front; the gateway answers behind them [proxy.trusted]', async () => {
    const gateway = await startGateway(anyStore, { env: { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' } });
    try {
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example.com' };
      expect((await gateway.call('GET', '/health', { headers })).status).toBe(200);
    } finally {
      await gateway.stop();
    }
  });
});
