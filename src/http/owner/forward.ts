import type { FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { CallError, type Calls } from '../../coordination/index.ts';
import { GatewayError, isUuid, OwnershipLost, sinceStart, systemClock } from '../../core/index.ts';
import { type ForwardedAnswer, forwardedRequest, takeNotes } from './forwarded-request.ts';
import type { Placement } from './placement.ts';
import { createOwnerSearch } from './search.ts';

/** Longer than any request takes: a file is fetched for 60 s, waits for its turn 60 s, and is handed over in 30 s. */
const deadlineMs = 170_000;
/** Headers of one connection, and those that this node has set already. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'x-request-id', 'upgrade', 'te']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered by the node that owns the instance, whose id is `id` in the path or `instance_id` in the body. */
    readonly atOwner?: 'path' | 'body';
    /** Changes nothing although it is a POST, so another owner may be asked when the answer of one is lost. */
    readonly onlyAsks?: true;
  }
  interface FastifyRequest {
    /** How often this node was found to own the instance that the request is about. */
    foundHere: number;
    /** The JSON as it came, for the node that owns the instance: a body may be nested too deeply to be written again. */
    bodyText: string | null;
  }
}

interface ForwardOptions {
  readonly calls: Calls;
  readonly placement: Placement;
}

/** Hook: hands the request to the node that owns its number, if that is another one, and answers with what it says. */
export function forwardToOwner({ calls, placement }: ForwardOptions): preValidationAsyncHookHandler {
  const search = createOwnerSearch({ placement, clock: systemClock });
  return async (request, reply) => {
    const instanceId = instanceOf(request);
    if (instanceId === null) return;
    const gone = new AbortController();
    // Aborting makes an error with its stack, which a finished answer need not pay for.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    let startedAt = 0;
    const found = await search(accountOf(request), instanceId, {
      forwarded: request.forwarded !== null,
      ask(owner) {
        startedAt = sinceStart(request.trace);
        return ask(owner, request, gone.signal);
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
        if (request.forwarded !== null) request.forwarded.moved = true;
        throw new OwnershipLost();
      case 'unowned':
        // A send that was accepted before is answered again from the store, which every server can ask.
        request.moving = request.trace.messageType !== null;
        if (request.moving) return;
        throw new OwnershipLost();
      case 'answered': {
        const { notes, headers, status, body } = found;
        takeNotes(request.trace, notes, startedAt);
        for (const [name, value] of Object.entries(headers)) if (!ownHeaders.has(name)) reply.header(name, value);
        return reply.code(status).send(body);
      }
    }
  };

  /** null when another may be asked: the node is not there, could not be asked, or what it did is not done a second time. */
  async function ask(node: string, request: FastifyRequest, signal: AbortSignal): Promise<ForwardedAnswer | null> {
    const { method, url, bodyText, id: requestId } = request;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (!ownHeaders.has(name) && value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    const payload = { method, url, headers, body: bodyText, https: request.protocol === 'https' };
    try {
      return await calls.call(node, forwardedRequest, payload, { deadlineMs, requestId, signal });
    } catch (error) {
      if (signal.aborted) throw new GatewayError('upstream_unavailable', 'The caller went away before the answer.');
      if (!(error instanceof CallError)) throw error;
      if (error.done === 'no' || (error.reason === 'lost' && mayBeRepeated(request))) return null;
      const isSend = request.trace.messageType !== null;
      throw new GatewayError(
        'upstream_unavailable',
        `The server that holds the number did not answer. The request may have been done${isSend ? '; a retry with the same Idempotency-Key cannot send twice' : ''}.`,
      );
    }
  }
}

/** What is done with a request whose number this node has lost: `again` looks for the owner once more, `tell` has the node that forwarded it do so. */
export function afterLoss({ foundHere, forwarded, trace, routeOptions }: FastifyRequest): 'again' | 'tell' | 'fail' {
  // A send that finds its number lost has sent nothing.
  const isHarmless = trace.messageType !== null || routeOptions.config.onlyAsks === true;
  if (foundHere !== 1 || !isHarmless) return 'fail';
  return forwarded === null ? 'again' : 'tell';
}

/** A send with a key is found done, or goes out under the same message id; without one it would go out again. */
function mayBeRepeated({ method, headers, trace, routeOptions }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || routeOptions.config.onlyAsks === true) return true;
  return trace.messageType !== null && headers['idempotency-key'] !== undefined;
}

/** null when the route is not about one instance, or its body names none: that is refused here. */
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
