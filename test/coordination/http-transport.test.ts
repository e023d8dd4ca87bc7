import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpTransport, noteHeader, PeerError, type PeerRequest } from '../../src/coordination/index.ts';

const request: PeerRequest = { method: 'GET', path: '/', headers: {}, body: null, requestId: 'r', https: false, deadlineMs: 10_000 };
const { signal } = new AbortController();

let folder: string;
const certFile = (name: string) => join(folder, `${name}.pem`);
const keyFile = (name: string) => join(folder, `${name}.key`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-transport-'));
  make('authority', 'DNS:authority.example.com');
  const issued = ['-CA', certFile('authority'), '-CAkey', keyFile('authority')];
  make('before', 'DNS:gateway.example.com', issued);
  make('renewed', 'DNS:gateway.example.com', issued);
  make('foreign', 'DNS:other.example.com', issued);
  make('addressed', 'IP:127.0.0.1', issued);
  make('apart', 'DNS:apart.example.com');
  // The chain, as an authority gives it.
  appendFileSync(certFile('before'), readFileSync(certFile('authority')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function make(name: string, names: string, issued: readonly string[] = []): void {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, '-keyout', keyFile(name), '-out', certFile(name)];
  execFileSync('openssl', [...words, ...issued, ...about], { stdio: 'pipe' });
}

/** What comes of a request to a server that shows this certificate: the status of its answer, or why there is none. */
async function outcome(ownFile: string, shown: string): Promise<unknown> {
  const pair = { cert: readFileSync(certFile(shown)), key: readFileSync(keyFile(shown)) };
  const server = createServer(pair, (_request, response) => response.writeHead(200, { [noteHeader]: '' }).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const time = { now: () => 1_800_000_000_000, doubt: () => undefined };
  const { transport, close } = createHttpTransport({ keys: { signing: createSecretKey(Buffer.alloc(32, 1)) }, certFile: ownFile, time });
  try {
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return (await transport({ id: 'node', address }, request, signal))?.status;
  } catch (error) {
    return error instanceof PeerError ? error.reason : error;
  } finally {
    await close();
    server.closeAllConnections();
    server.close();
  }
}

it('accepts at any address its own certificate and one that takes its place, and none for other names', async () => {
  expect(await outcome(certFile('before'), 'before')).toBe(200);
  expect(await outcome(certFile('before'), 'renewed')).toBe(200);
  expect(await outcome(certFile('before'), 'foreign')).toBe('unreachable');
});

it('accepts what this machine trusts for the address of the other server', async () => {
  expect(await outcome(certFile('apart'), 'addressed')).toBe('unreachable');
  const usual = getCACertificates('default');
  // As NODE_EXTRA_CA_CERTS does.
  setDefaultCACertificates([readFileSync(certFile('authority'), 'utf8')]);
  try {
    expect(await outcome(certFile('apart'), 'addressed')).toBe(200);
  } finally {
    setDefaultCACertificates(usual);
  }
});

it('has sent nothing when its own certificate cannot be read', async () => {
  expect(await outcome(certFile('none'), 'before')).toBe('unreachable');
});
