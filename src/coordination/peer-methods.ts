import type { z } from 'zod';
import { newId } from '../core/index.ts';
import { type Peer, PeerError, type Peers } from './peers.ts';

/** Something that servers ask each other besides the requests of callers: a POST to a path that nobody else finds. */
export interface PeerMethod<Payload, Answer> {
  readonly path: `/internal/${string}`;
  readonly payload: z.ZodType<Payload>;
  readonly answer: z.ZodType<Answer>;
}

/** A method and what answers it. */
export interface PeerHandler {
  readonly path: string;
  handle(payload: unknown): Promise<unknown>;
}

export function peerHandler<Payload, Answer>(
  { path, payload }: PeerMethod<Payload, Answer>,
  answer: (payload: Payload) => Promise<Answer>,
): PeerHandler {
  return { path, handle: (given) => answer(payload.parse(given)) };
}

/** Asks a server. Throws PeerError when it does not answer as agreed. */
export async function askPeer<Payload, Answer>(
  peers: Peers,
  peer: Peer,
  { path, answer }: PeerMethod<Payload, Answer>,
  payload: Payload,
  options: { readonly deadlineMs: number; readonly requestId: string },
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(payload);
  const { status, body: text } = await peers.request(peer, { ...options, method: 'POST', path, headers, body, https: false });
  const read = status === 200 ? answer.safeParse(JSON.parse(text)) : null;
  if (read?.success !== true) throw new PeerError('lost', `${path} was answered ${status}`);
  return read.data;
}

const probeMs = 3_000;

/** Asks a server for a sign of life. Throws PeerError when there is none at its address. */
export async function reachPeer(peers: Peers, peer: Peer): Promise<void> {
  await peers.request(peer, {
    method: 'GET',
    path: '/health',
    headers: {},
    body: null,
    requestId: newId(),
    https: false,
    deadlineMs: probeMs,
  });
}
