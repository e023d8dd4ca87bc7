import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bodyHash,
  createHttpTransport,
  createPeerKeys,
  noteHeader,
  type PeerKeys,
  type PeerMethod,
  type PeerRequest,
  peerHandler,
  peerHeader,
  type SharedTime,
  signPeerRequest,
} from '../../../src/coordination/index.ts';
import { createVault, type Keys } from '../../../src/core/index.ts';
import { registerErrors } from '../../../src/http/hooks/errors.ts';
import { registerRequestLog } from '../../../src/http/hooks/request-log.ts';
import { InnerRequests } from '../../../src/http/inner-requests.ts';
import { IncomingRequests, registerIncoming } from '../../../src/http/owner/incoming.ts';
import { zodValidator } from '../../../src/http/parse.ts';
import type { HotPath, RequestRecord } from '../../../src/store/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { hostileNesting } from '../../support/nested.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const keys: PeerKeys = { signing: key, counting: [key] };
const now = 1_800_000_000_000;
const time = { now: () => now, doubt: () => undefined };
const echo: PeerMethod<{ text: string }, { text: string }> = {
  path: '/internal/echo',
  payload: z.object({ text: z.string() }),
  answer: z.object({ text: z.string() }),
};
const request: PeerRequest = {
  ...{ method: 'POST', path: '/internal/echo', headers: { 'content-type': 'application/json' }, body: '{"text":"x"}' },
  ...{ requestId: 'the-request', https: false, deadlineMs: 10_000 },
};
const { signal } = new AbortController();

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});

/** A server of the installation, called `node`, and what it has in its request log. */
async function listening(judgedBy: SharedTime = time, known = keys) {
  const logged: RequestRecord[] = [];
  const incoming = new IncomingRequests({ keys: known, nodeId: () => 'node', time: judgedBy });
  const server: FastifyInstance = Fastify({
    genReqId(raw) {
      const forwarded = incoming.of(raw);
      return forwarded === null || forwarded === 'refused' ? 'own' : forwarded.requestId;
    },
  });
  server.decorate('innerRequests', new InnerRequests(server));
  server.decorate('errorPage', () => null);
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (each, text: string, done) => {
    each.bodyText = text;
    done(null, JSON.parse(text));
  });
  registerRequestLog(
    server,
    { hot: { log: (record) => logged.push(record) } as Partial<HotPath> as HotPath, clock: createManualClock() },
    incoming,
  );
  registerErrors(server, { error: () => undefined }, null);
  registerIncoming(server, incoming, [peerHandler(echo, async (payload) => payload)]);
  server.setValidatorCompiler(zodValidator);
  server.post('/anything', { schema: { body: z.looseObject({}) } }, async () => ({}));
  server.get('/protocol', async ({ protocol, id }) => `${protocol} ${id}`);
  closers.push(() => server.close());
  return { server, logged, address: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

function way(certFile: string | null = null, by: SharedTime = time, known = keys) {
  const made = createHttpTransport({ keys: known, certFile, time: by });
  closers.push(() => made.close());
  return made.transport;
}

const signed = (changes: Partial<Parameters<typeof signPeerRequest>[1]> = {}, at = now, by = key) =>
  signPeerRequest(
    by,
    {
      node: 'node',
      method: 'POST',
      path: echo.path,
      bodyHash: bodyHash(request.body ?? ''),
      requestId: 'r',
      https: false,
      deadlineMs: 1,
      ...changes,
    },
    at,
  );

it('answers another server under its request id, without a line of its own in the request log', async () => {
  const { address, logged } = await listening();
  const transport = way();
  expect(await transport({ id: 'node', address }, request, signal)).toMatchObject({ status: 200, body: '{"text":"x"}' });
  const ask = (https: boolean) =>
    transport({ id: 'node', address }, { ...request, method: 'GET', path: '/protocol', body: null, https }, signal);
  expect([(await ask(true))?.body, (await ask(false))?.body]).toEqual(['https the-request', 'http the-request']);
  expect(logged).toEqual([]);
});

it('two servers whose times differ both doubt theirs, and agree once these are read anew', async () => {
  let ahead = 20 * 60_000;
  let doubts = 0;
  const { address } = await listening({ now: () => now + ahead, doubt: () => doubts++ });
  const transport = way(null, { now: () => now, doubt: () => doubts++ });
  expect(await transport({ id: 'node', address }, request, signal)).toBeNull();
  expect(doubts).toBe(2);
  ahead = 0;
  expect(await transport({ id: 'node', address }, request, signal)).toMatchObject({ status: 200 });
});

it('servers go on asking each other while they find a new key, and then the replaced one signs nothing any more', async () => {
  const first: Keys = { root: Buffer.alloc(32, 1), sealing: new Map([[1, Buffer.alloc(32, 1)]]), current: 1 };
  const second: Keys = { ...first, sealing: new Map([...first.sealing, [2, Buffer.alloc(32, 2)]]), current: 2 };
  const clock = createManualClock();
  const vaults = [createVault(first, async () => second), createVault(first, async () => second)] as const;
  const [ours, theirs] = vaults.map((vault) => createPeerKeys(vault, clock));
  const stolen = createPeerKeys(createVault(first), clock);
  const { address } = await listening(time, theirs);
  const ask = async (known?: PeerKeys) => (await way(null, time, known)({ id: 'node', address }, request, signal)) !== null;
  for (const vault of vaults) {
    expect(await ask(ours)).toBe(true);
    await vault.refresh();
    expect(await ask(ours)).toBe(true);
    clock.advance(5_000);
  }
  clock.advance(10_000);
  expect(ours?.signing.equals(stolen.signing)).toBe(false);
  expect(await ask(ours)).toBe(true);
  clock.advance(60_000);
  expect(await ask(ours)).toBe(true);
  expect(await ask(stolen)).toBe(false);
});

it('tells a request for another server, or for what this one was before, from its own', async () => {
  const { address } = await listening();
  expect(await way()({ id: 'another', address }, request, signal)).toMatchObject({ status: 421 });
});

it.each([
  ['nothing', undefined],
  ['nonsense', 'x'],
  ['another key', signed({}, now, createSecretKey(Buffer.alloc(32, 2)))],
  ['another method', signed({ method: 'PUT' })],
  ['another path', signed({ path: '/internal/other' })],
  ['another body', signed({ bodyHash: bodyHash('{"text":"y"}') })],
  ['a time long ago', signed({}, now - 15 * 60_000 - 1)],
  ['a time far ahead', signed({}, now + 15 * 60_000 + 1)],
  ['other values behind the signature', signed().replace(' r ', ' s ')],
])('answers what is signed with %s like an unknown path', async (_what, header) => {
  const { server } = await listening();
  const ask = (url: string, headers: Record<string, string>) =>
    server.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, payload: request.body ?? '' });
  const refused = await ask(echo.path, header === undefined ? {} : { [peerHeader]: header });
  const unknown = await ask('/internal/unknown', {});
  expect(unknown.statusCode).toBe(404);
  expect([refused.statusCode, refused.json().error]).toEqual([404, unknown.json().error]);
});

it('takes what is signed as it should be', async () => {
  const { server } = await listening();
  const headers = { [peerHeader]: signed(), 'content-type': 'application/json' };
  const answer = await server.inject({ method: 'POST', url: echo.path, headers, payload: request.body ?? '' });
  expect([answer.statusCode, noteHeader in answer.headers]).toEqual([200, true]);
});

it.each(hostileNesting)('refuses a body with %s, and goes on', async (_what, nested) => {
  const { server } = await listening();
  const headers = { 'content-type': 'application/json' };
  const answer = await server.inject({ method: 'POST', url: '/anything', headers, payload: `{"a":${nested}}` });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
});

it('says at once that nobody listens, and that something else does', async () => {
  const transport = way();
  const other = createServer((_request, response) => response.writeHead(status).end('something else'));
  let status = 404;
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(await transport({ id: 'node', address }, request, signal)).toBeNull();
  status = 502;
  await expect(transport({ id: 'node', address }, request, signal)).rejects.toThrow('something else answers');
  await new Promise((resolve) => other.close(resolve));
  await expect(transport({ id: 'node', address }, request, signal)).rejects.toMatchObject({ reason: 'unreachable' });
});
