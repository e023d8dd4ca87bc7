import type { FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import type { Calls } from '../../coordination/index.ts';
import { isUuid, OwnershipLost, systemClock } from '../../core/index.ts';
import { askOwner } from './ask-owner.ts';
import { type ForwardedAnswer, forwardedRequest } from './forwarded-request.ts';
import type { Placement } from './placement.ts';
import { createOwnerSearch } from './search.ts';

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

/**
 * Hook: hands the request to the node that owns its number, if that is another one, and answers with what it says. Sends are handed over
 * without their HTTP (`sendAtOwner`).
 */
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
    const found = await search(accountOf(request), instanceId, {
      forwarded: request.forwarded !== null,
      ask: (owner) => ask(owner, request, gone.signal),
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
        throw new OwnershipLost();
      case 'answered': {
        const { notes, headers, status, body } = found;
        Object.assign(request.trace, notes);
        for (const [name, value] of Object.entries(headers)) if (!ownHeaders.has(name)) reply.header(name, value);
        return reply.code(status).send(body);
      }
    }
  };

  function ask(node: string, request: FastifyRequest, gone: AbortSignal): Promise<ForwardedAnswer | null> {
    const { method, url, bodyText, id: requestId } = request;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (!ownHeaders.has(name) && value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    const payload = { method, url, headers, body: bodyText, https: request.protocol === 'https' };
    return askOwner(calls, node, forwardedRequest, { payload, requestId, gone, mayBeRepeated: mayBeRepeated(request), advice: '' });
  }
}

/** What is done with a request whose number this node has lost: `again` looks for the owner once more, `tell` has the node that forwarded it do so. */
export function afterLoss({ foundHere, forwarded, routeOptions }: FastifyRequest): 'again' | 'tell' | 'fail' {
  if (foundHere !== 1 || routeOptions.config.onlyAsks !== true) return 'fail';
  return forwarded === null ? 'again' : 'tell';
}

function mayBeRepeated({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.onlyAsks === true;
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
