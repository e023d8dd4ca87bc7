import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import {
  misdirected,
  noteHeader,
  type Peer,
  type PeerAnswer,
  PeerError,
  type PeerRequest,
  type Peers,
  peerHeader,
} from '../../coordination/index.ts';
import { GatewayError, isUuid, OwnershipLost, sinceStart, systemClock } from '../../core/index.ts';
import { untilGone } from '../request.ts';
import { takeNote } from './note.ts';
import { createOwnerSearch, type Placement } from './placement.ts';

/** Headers of one connection, those that this server has set already, and those between servers. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'x-request-id', 'upgrade', 'te', 'expect'],
  ...[peerHeader, noteHeader],
]);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered by the server that owns the instance, whose id is `id` in the path or `instance_id` in the body. */
    readonly atOwner?: 'path' | 'body';
    /** Changes nothing although it is a POST, so another owner may be asked when the answer of one is lost. */
    readonly onlyAsks?: true;
  }
  interface FastifyRequest {
    /** How often this server was found to own the instance that the request is about. */
    foundHere: number;
    /** The JSON as it came, for the server that owns the instance: a body may be nested too deeply to be written again. */
    bodyText: string | null;
  }
}

interface ForwardOptions {
  readonly peers: Pick<Peers, 'request'>;
  readonly placement: Placement;
}

/** Hook: hands the request to the server that owns its number, if that is another one, and passes its answer on. */
export function forwardToOwner({ peers, placement }: ForwardOptions): preHandlerAsyncHookHandler {
  const search = createOwnerSearch({ placement, clock: systemClock });
  return async (request, reply) => {
    const instanceId = instanceOf(request);
    if (instanceId === null) return;
    let gone: AbortSignal | undefined;
    let askedAt = 0;
    const found = await search(accountOf(request), instanceId, {
      forwarded: request.forwarded !== null,
      ask(owner) {
        askedAt = sinceStart(request.trace);
        gone ??= untilGone(reply);
        return ask(owner, request, gone);
      },
    });
    switch (found.outcome) {
      case 'here':
        // It may be lost again before the request is done.
        request.moving = true;
        request.foundHere++;
        return;
      case 'nowhere':
        request.moving = false;
        return;
      case 'moved':
        return answerMoved(reply);
      case 'unowned':
        if (!isSend(request)) throw new OwnershipLost();
        // What was sent before can be replayed without an owner.
        request.moving = true;
        return;
      case 'answered': {
        const { headers, status, body } = found.answer;
        takeNote(request.trace, String(headers[noteHeader]), askedAt);
        for (const [name, value] of Object.entries(headers)) if (!ownHeaders.has(name)) reply.header(name, value);
        return reply.code(status).send(body);
      }
    }
  };

  function ask(owner: Peer, request: FastifyRequest, signal: AbortSignal): Promise<OwnersAnswer | null> {
    const { method, url: path, bodyText: body, id: requestId, protocol } = request;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (!ownHeaders.has(name) && value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    // As this server's own proxies have stated it.
    headers.host = request.host;
    return askOwner(peers, owner, {
      ...{ method, path, headers, body, requestId, signal, https: protocol === 'https' },
      mayBeRepeated: mayBeRepeated(request),
      left: () => {
        // That server notes what it makes of it.
        request.passedOn = true;
      },
      advice: adviceOn(request),
    });
  }
}

/** Nothing was done here: the server that forwarded the request asks another one. */
export function answerMoved(reply: FastifyReply): FastifyReply {
  return reply.code(misdirected).send('{}');
}

/** What is done with a request whose number this server has lost: `again` looks for the owner once more, `moved` has the server that forwarded it do so. */
export function afterLoss(request: FastifyRequest): 'again' | 'moved' | 'fail' {
  const { foundHere, forwarded, routeOptions } = request;
  // A send that finds its number lost has sent nothing.
  if (foundHere !== 1 || !(routeOptions.config.onlyAsks === true || isSend(request))) return 'fail';
  return forwarded === null ? 'again' : 'moved';
}

function isSend({ trace }: FastifyRequest): boolean {
  return trace.messageType !== null;
}

/** What the answer adds when it is not known whether the request was done. */
function adviceOn(request: FastifyRequest): string {
  if (!isSend(request)) return '';
  return request.idempotencyKey === null ? '; a retry may send twice' : '; a retry with the same Idempotency-Key cannot send twice';
}

/** A send with a key is found done, or goes out under the same message id; without one it would go out again. */
function mayBeRepeated({ method, routeOptions, idempotencyKey }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.onlyAsks === true || idempotencyKey !== null;
}

/** null when the route is not about one instance, or what names it is no id: that is refused here. */
function instanceOf({ routeOptions, params, body }: FastifyRequest): string | null {
  const { atOwner } = routeOptions.config;
  if (atOwner === undefined) return null;
  const named: unknown = atOwner === 'path' ? params : body;
  if (typeof named !== 'object' || named === null) return null;
  const field = atOwner === 'path' ? 'id' : 'instance_id';
  const id: unknown = Object.entries(named).find(([name]) => name === field)?.[1];
  return typeof id === 'string' && isUuid(id) ? id : null;
}

/** The account that the request is for; the portal's own endpoints say it in their visitor. */
function accountOf(request: FastifyRequest): string {
  const accountId = request.admission?.accountId ?? request.trace.accountId;
  if (accountId === null) throw new Error('a request about an instance must have an account');
  return accountId;
}

/** Longer than any request takes: a file is fetched for 60 s, waits for its turn 60 s, and is handed over in 30 s. */
const deadlineMs = 170_000;

/** What a server answered that was asked for a number: `moved` when it is not the number's owner. */
type OwnersAnswer = { readonly outcome: 'answered'; readonly answer: PeerAnswer } | { readonly outcome: 'moved' };

/** What is asked of the owner of a number. */
interface Asking extends Omit<PeerRequest, 'deadlineMs'> {
  readonly signal: AbortSignal;
  /** Called when the caller has left a request that the other server may have. */
  left?(): void;
  /** Doing it a second time does no harm. */
  readonly mayBeRepeated: boolean;
  /** What the answer adds when it is not known whether the request was done. */
  readonly advice: string;
}

/**
 * Has the owner of a number answer a request. null when another may be asked: that server is not there, or what it may have done is not done a
 * second time. Throws upstream_unavailable when the caller has gone, and when the owner may have done it but did not answer.
 */
export async function askOwner(
  peers: Pick<Peers, 'request'>,
  owner: Peer,
  { mayBeRepeated, advice, left, ...request }: Asking,
): Promise<OwnersAnswer | null> {
  const goneAway = () => new GatewayError('upstream_unavailable', 'The caller went away before the answer.');
  if (request.signal.aborted) throw goneAway();
  try {
    const answer = await peers.request(owner, { ...request, deadlineMs });
    return answer.status === misdirected ? { outcome: 'moved' } : { outcome: 'answered', answer };
  } catch (error) {
    if (request.signal.aborted) {
      if (!(error instanceof PeerError) || error.done === 'perhaps') left?.();
      throw goneAway();
    }
    if (!(error instanceof PeerError)) throw error;
    if (error.done === 'no' || (error.reason === 'lost' && mayBeRepeated)) return null;
    throw new GatewayError(
      'upstream_unavailable',
      `The server that holds the number did not answer. The request may have been done${advice}.`,
    );
  }
}
