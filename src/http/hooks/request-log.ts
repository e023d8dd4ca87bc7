import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { misdirected } from '../../coordination/index.ts';
import { type Clock, isUuid, type LiveFeed, normalisePhoneNumber, stagesOf } from '../../core/index.ts';
import { allKinds } from '../../kinds/index.ts';
import { isSend } from '../../requests/index.ts';
import type { LiveEvent } from '../../sessions/index.ts';
import type { HotPath, RequestRecord } from '../../store/index.ts';
import { innerHeader } from '../inner-requests.ts';
import type { IncomingRequests } from '../owner/incoming.ts';
import { longestErrorMessage } from '../owner/note.ts';
import { cameBy, newTrace, type Trace } from '../request.ts';

/** The longest path that is kept; longer ones are cut. */
const longestPath = 200;

const longestHost = 253;

/** The kinds whose body names a file. */
const kindsWithFile: ReadonlySet<string> = new Set(allKinds.filter(({ media }) => media !== null).map(({ type }) => type));

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of message that the route sends. */
    readonly messageType?: string;
  }
}

export interface Answered {
  /** The path of its route; null for a path that no route has. */
  readonly route: string | null;
  readonly record: RequestRecord;
}

interface LogOptions {
  readonly hot: HotPath;
  readonly clock: Clock;
  /** Called for every request that is answered; absent for streams, which last as long as somebody listens. */
  readonly onAnswered?: readonly ((answered: Answered) => void)[];
}

/**
 * Gives every request its trace and X-Request-Id, and notes it in the request log when it is answered, also when its client has gone
 * away. A handler that answers past Fastify (`hijack`) calls `noteRequest` itself. What another node forwarded is logged there
 * if it waits for the answer, and of what was passed on to an inner request that one is logged.
 */
export function registerRequestLog(server: FastifyInstance, options: LogOptions, incoming: IncomingRequests | null): void {
  // null until the first hook; a shared object as default would be shared between requests.
  server.decorateRequest('trace', null as never);
  server.decorateRequest('admission', null as never);
  server.decorateRequest('actor', null);
  server.decorateRequest('forwarded', null);
  server.decorateRequest('isInner', false);
  server.decorateRequest('outerSocket', null);
  server.decorateRequest('passedOn', false);
  server.decorateRequest('bodyText', null);
  server.decorateRequest('moving', false);
  server.decorateRequest('foundHere', 0);
  server.decorateRequest('idempotencyKey', null);
  server.addHook('onRequest', (request, reply, done) => {
    request.trace = newTrace(performance.now());
    const forwarded = incoming?.of(request.raw) ?? null;
    request.forwarded = forwarded === 'refused' ? null : forwarded;
    if (request.forwarded !== null) cameBy(request, request.forwarded.https);
    const inner = request.headers[innerHeader];
    if (inner !== undefined) server.innerRequests.mark(request, inner);
    // Before any check, so that refused sends are logged as sends too.
    request.trace.messageType = request.routeOptions.config?.messageType ?? null;
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    const { messageType } = request.trace;
    if (messageType !== null && kindsWithFile.has(messageType)) noteFile(request);
    const isOthers = request.forwarded !== null && !isLeft(reply);
    if (!isOthers && !request.passedOn) noteRequest(options, request, reply);
    done();
  });
}

/** Whether the server that forwarded the request waits no longer, because its caller went away: then it logs nothing. */
function isLeft({ raw, statusCode }: FastifyReply): boolean {
  return raw.destroyed && statusCode !== misdirected;
}

/**
 * What the first hook does, for a request that no hook saw: one that the router itself refuses, because of its path or because Node
 * reads more methods (PRI, and those of RTSP) than the router knows.
 */
export function beginUnrouted(request: FastifyRequest, reply: FastifyReply): void {
  request.trace = newTrace(performance.now());
  request.forwarded = null;
  reply.header('x-request-id', request.id);
}

/** Publishes sends to those who listen to their account, once the request log shows them. */
export function publishSends(hot: Pick<HotPath, 'onLogged'>, feed: LiveFeed<LiveEvent>): void {
  hot.onLogged((requests) => {
    for (const send of requests)
      if (send.account_id !== null && feed.hasListeners(send.account_id) && isSend(send))
        feed.publishToAccount(send.account_id, { type: 'send', send });
  });
}

export function noteRequest({ hot, clock, onAnswered = [] }: LogOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { trace } = request;
  if (trace.code !== null && trace.messageType !== null) noteAddressing(trace, request.body);
  const query = request.url.indexOf('?');
  const path = request.url.slice(0, query === -1 ? longestPath : Math.min(query, longestPath));
  const record: RequestRecord = {
    request_id: request.id,
    at: clock.now(),
    duration_ms: Math.round((performance.now() - trace.startedAt) * 100) / 100,
    account_id: trace.accountId,
    key_id: trace.keyId,
    person_id: trace.person?.id ?? null,
    person_email: trace.person?.email ?? null,
    method: request.method,
    path: path.startsWith('/v1/') ? path : withoutToken(path),
    status: reply.statusCode,
    code: trace.code,
    // Of other requests the code says enough, and their messages may name what people typed.
    error_message: trace.messageType === null ? null : keptMessage(trace.errorMessage),
    instance_id: trace.instanceId,
    message_type: trace.messageType,
    message_id: trace.messageId,
    recipient: trace.recipient,
    media_host: trace.mediaHost,
    idempotency: trace.idempotency,
    stages: trace.messageType === null ? null : stagesOf(trace),
  };
  hot.log(record);
  if (onAnswered.length > 0) {
    // A request that the router itself refuses has no route.
    const answered = { route: request.routeOptions?.url ?? null, record };
    for (const listener of onAnswered) listener(answered);
  }
}

/** As much of a message as is kept, in text that PostgreSQL takes. */
function keptMessage(message: string | null): string | null {
  return message?.slice(0, longestErrorMessage).toWellFormed().replaceAll('\0', '\ufffd') ?? null;
}

/**
 * One-time links carry a secret in their path (portal/page-paths.ts). Cut by how the path looks and not by its route, because a link that
 * was pasted badly finds no route but still shows its token.
 */
function withoutToken(path: string): string {
  return path.replace(/(\/links?)(?:\/|%2f).+/i, '$1/:token');
}

/** The host of the file that a message is made of, never its path or query: they may be what makes the link work. */
function noteFile({ trace, body }: FastifyRequest): void {
  if (typeof body !== 'object' || body === null || !('url' in body) || typeof body.url !== 'string') return;
  trace.mediaHost = URL.parse(body.url)?.host.slice(0, longestHost) || null;
}

/** Sender and recipient of a failed send as far as its body names them; it may have failed before validation. */
function noteAddressing(trace: Trace, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  if ('instance_id' in body && typeof body.instance_id === 'string' && isUuid(body.instance_id))
    trace.instanceId = body.instance_id.toLowerCase();
  if ('to' in body && typeof body.to === 'string') trace.recipient = normalisePhoneNumber(body.to);
}

/** The fields of a request's line in the program's log (docs/metrics.md): neither content nor anybody's phone number or address. */
function lineOf({ route, record }: Answered) {
  const { request_id, method, status, code, duration_ms, account_id, instance_id, message_type, message_id, idempotency } = record;
  return { request_id, method, route, status, code, duration_ms, account_id, instance_id, message_type, message_id, idempotency };
}

/** What writes one line for each answered request; undefined unless the log is asked for that much (`LOG_LEVEL=debug`). */
export function requestLines(log: {
  isLevelEnabled(level: 'debug'): boolean;
  debug(fields: object, message: string): void;
}): ((answered: Answered) => void) | undefined {
  return log.isLevelEnabled('debug') ? (answered) => log.debug(lineOf(answered), 'request') : undefined;
}
