import { expect, it } from 'vitest';
import { type PeerAnswer, PeerError, type PeerRequest, Peers, type Transport } from '../../src/coordination/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const peer = { id: 'b', address: 'http://127.0.0.1:1' };
const answer: PeerAnswer = { status: 200, headers: {}, body: '{}' };
const request: PeerRequest = {
  ...{ method: 'GET', path: '/', headers: {}, body: null, requestId: 'r', https: false, deadlineMs: 60_000 },
};

/** Requests to a server that answers when it is told to; `living` are the servers of which the store knows. */
function peersOf(transport: Transport, living: () => Promise<readonly string[]> = async () => ['b']) {
  const clock = createManualClock();
  return { clock, peers: new Peers({ transport, clock, living }) };
}

const never: Transport = () => new Promise(() => undefined);

it('gives the answer of a server, however long it takes, while its lease holds', async () => {
  const { promise, resolve } = Promise.withResolvers<PeerAnswer>();
  const { clock, peers } = peersOf(() => promise);
  const asked = peers.request(peer, request);
  await clock.advanceAsync(30_000);
  resolve(answer);
  expect(await asked).toBe(answer);
});

it('says what is known of a request that was not answered', async () => {
  const failing = (error: Error) => peersOf(() => Promise.reject(error)).peers.request(peer, request);
  await expect(failing(new PeerError('unreachable'))).rejects.toMatchObject({ reason: 'unreachable', done: 'no' });
  await expect(failing(new Error('broken'))).rejects.toMatchObject({ reason: 'lost', done: 'perhaps' });
  await expect(peersOf(async () => null).peers.request(peer, request)).rejects.toMatchObject({ reason: 'not_there', done: 'no' });
  const { clock, peers } = peersOf(never);
  const late = expect(peers.request(peer, request)).rejects.toMatchObject({ reason: 'timeout', done: 'perhaps' });
  await clock.advanceAsync(60_000);
  await late;
});

it('gives up a server that is silent when two looks show that its lease is over', async () => {
  let living = ['b'];
  const { clock, peers } = peersOf(never, async () => living);
  let ended = false;
  const asked = peers.request(peer, request).catch((error: unknown) => {
    ended = true;
    return error;
  });
  await clock.advanceAsync(10_000);
  living = [];
  await clock.advanceAsync(2_000);
  // Its answer may be on its way.
  expect(ended).toBe(false);
  await clock.advanceAsync(2_000);
  expect(await asked).toMatchObject({ reason: 'lost', done: 'perhaps' });
});

it('waits on while the store cannot say who lives', async () => {
  const { promise, resolve } = Promise.withResolvers<PeerAnswer>();
  const { clock, peers } = peersOf(
    () => promise,
    () => Promise.reject(new Error('the store is away')),
  );
  const asked = peers.request(peer, request);
  await clock.advanceAsync(20_000);
  resolve(answer);
  expect(await asked).toBe(answer);
});

it('ends with the caller, whose connection to the server ends too', async () => {
  const gone = new AbortController();
  let ended: AbortSignal | null = null;
  const { peers } = peersOf((_peer, _request, signal) => {
    ended = signal;
    return new Promise(() => undefined);
  });
  const asked = peers.request(peer, { ...request, signal: gone.signal });
  gone.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(ended).toMatchObject({ aborted: true });
});

it('refuses what is too much for one server at once', async () => {
  const { peers } = peersOf(never);
  for (let n = 0; n < 2000; n++) peers.request(peer, request).catch(() => undefined);
  await expect(peers.request(peer, request)).rejects.toMatchObject({ reason: 'busy', done: 'no' });
});
