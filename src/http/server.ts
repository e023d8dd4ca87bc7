import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Brands } from '../branding/index.ts';
import type { PeerHandler, Peers, RateLimiter } from '../coordination/index.ts';
import { type Clock, GatewayError, type Log, Mutex, newId } from '../core/index.ts';
import { allKinds } from '../kinds/index.ts';
import type { Connections } from './connections/connections.ts';
import type { ConnectionLimits } from './connections/limits.ts';
import { forgetPorts } from './connections/origin.ts';
import { describe, type Operation } from './docs/document.ts';
import { docsPage } from './docs/page/page.ts';
import type { WebhookDocs } from './docs/webhooks.ts';
import { errorPages, fail, failureBody, jsonType } from './envelope.ts';
import { createAdmission, type PortalPath } from './hooks/admission.ts';
import { asGatewayError, registerErrors, unexpected } from './hooks/errors.ts';
import { type Answered, beginUnrouted, noteRequest, publishSends, registerRequestLog } from './hooks/request-log.ts';
import { InnerRequests } from './inner-requests.ts';
import { openapiRoute } from './openapi.ts';
import { forwardToOwner } from './owner/forward.ts';
import { type IncomingRequests, registerIncoming } from './owner/incoming.ts';
import type { Placement } from './owner/placement.ts';
import { zodValidator } from './parse.ts';
import type { RouteOptions } from './route-options.ts';
import { healthRoutes } from './routes/health.ts';
import { instanceCreateRoute } from './routes/instance-create.ts';
import { instanceDeleteRoute } from './routes/instance-delete.ts';
import { instanceListRoute } from './routes/instance-list.ts';
import { instancePasskeyRoutes } from './routes/instance-passkey.ts';
import { instanceQrRoute } from './routes/instance-qr.ts';
import { instanceQrStatusRoute } from './routes/instance-qr-status.ts';
import { instanceRenameRoute } from './routes/instance-rename.ts';
import { instanceStatusRoute } from './routes/instance-status.ts';
import { type MetricsPage, metricsRoute } from './routes/metrics.ts';
import { numbersCheckRoute } from './routes/numbers-check.ts';
import { sampleRoutes } from './routes/samples.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { sendRoute } from './routes/send.ts';
import { renewCertificate, type Tls, tlsOptions } from './tls.ts';

/** The largest request body in bytes (contract, "Limits"). */
const bodyLimit = 131_072;

/** How requests reach the nodes that own their numbers. */
export interface HttpCluster {
  readonly peers: Peers;
  readonly placement: Placement;
  readonly incoming: IncomingRequests;
  /** What answers other nodes besides the requests of callers. */
  readonly handlers: readonly PeerHandler[];
}

export interface ServerOptions extends Omit<RouteOptions, 'admission'> {
  readonly limiter: RateLimiter;
  readonly portalPath: PortalPath;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly trustProxy: readonly string[];
  readonly tls: Tls | null;
  /** null: no other node answers for any number. */
  readonly cluster: HttpCluster | null;
  /** How providers show themselves at their own addresses. */
  readonly brands: Pick<Brands, 'ofHost'>;
  /** What the gateway calls, for the description of the API. */
  readonly webhookDocs: WebhookDocs;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly portal: (server: FastifyInstance, routeOptions: RouteOptions) => void;
  /** Adds the paths of another program; null: only ours are there. */
  readonly compatibility: ((server: FastifyInstance, routeOptions: RouteOptions) => void) | null;
  /** Adds the way in for assistants, which offers these operations; null: there is none. */
  readonly mcp: ((server: FastifyInstance, routeOptions: RouteOptions, operations: () => readonly Operation[]) => void) | null;
  /** Called for every request that is answered. */
  readonly onAnswered: readonly ((answered: Answered) => void)[];
  /** null: no GET /metrics. */
  readonly metrics: MetricsPage | null;
  readonly onRoute?: (route: { readonly method: string | string[]; readonly url: string }) => void;
}

/** The HTTP server with every route; it listens when the caller says so. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { limits } = options.connections;
  const incoming = options.cluster?.incoming ?? null;
  const requestLog = { ...options, hot: options.store.hot };
  const errorPage = errorPages(options.publicUrl);
  const server = Fastify({
    ...nodeOptions(tlsOptions(options.tls), limits),
    logger: false,
    genReqId(raw) {
      const forwarded = incoming?.of(raw) ?? null;
      return forwarded === null || forwarded === 'refused' ? newId() : forwarded.requestId;
    },
    bodyLimit,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    // Names that would reach into object prototypes are dropped like every other unknown field.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.stallMs,
    keepAliveTimeout: limits.idleMs,
    routerOptions: { maxParamLength: 16_384 },
    // Answered as GET is, without the body (RFC 9110 §9.3.2).
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors(error, request, reply: FastifyReply) {
      const known = asGatewayError(error) ?? unexpected();
      beginUnrouted(request, reply);
      void fail(request, reply, known);
      // No hook runs for it afterwards either.
      noteRequest(requestLog, request, reply);
    },
    clientErrorHandler: clientErrorHandler(errorPage),
  });
  options.connections.watch(server.server);
  server.decorate('longLists', new Mutex());
  server.decorate('innerRequests', new InnerRequests(server));
  server.decorate('errorPage', errorPage);
  server.removeContentTypeParser('text/plain');
  refuseOtherBodies(server);
  readJson(server);
  server.setValidatorCompiler(zodValidator);
  server.setSerializerCompiler(() => JSON.stringify);
  if (options.trustProxy.length > 0) server.addHook('onRequest', forgetPorts);
  registerRequestLog(server, requestLog, incoming);
  publishSends(options.store.hot, options.feed);
  const findOwner = options.cluster === null ? null : forwardToOwner(options.cluster);
  registerErrors(server, options.log, findOwner);
  // An unknown expectation is ignored; Node would answer it outside the envelope.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.server.on('checkContinue', (request, response) => {
    // While the answer before it is not sent yet, Node would put 100 Continue between the head and the body of the final answer.
    if (response.socket !== null) response.writeContinue();
    else response.once('socket', () => response.headersSent || response.writeContinue());
    server.server.emit('request', request, response);
  });
  // While the server closes, Fastify answers with `Connection: close`.
  server.addHook('preClose', () => options.connections.stop(server.server));
  if (options.cluster !== null) registerIncoming(server, options.cluster.incoming, options.cluster.handlers);
  if (findOwner !== null) server.addHook('preHandler', findOwner);

  addRoutes(server, { ...options, admission: createAdmission({ ...options, hot: options.store.hot }) });
  if (options.tls !== null) renewCertificate(server, { ...options, tls: options.tls });
  return server;
}

function addRoutes(server: FastifyInstance, options: ServerOptions & RouteOptions): void {
  if (options.onRoute !== undefined) server.addHook('onRoute', options.onRoute);
  // Before the routes, which it takes note of.
  const described = openapiRoute(server, options);
  docsPage(server, { ...options, routes: described });
  sampleRoutes(server);
  for (const kind of allKinds) sendRoute(server, options, kind);
  numbersCheckRoute(server, options);
  instanceCreateRoute(server, options);
  instanceListRoute(server, options);
  instanceStatusRoute(server, options);
  instanceQrRoute(server, options);
  instanceQrStatusRoute(server, options);
  instancePasskeyRoutes(server, options);
  instanceRenameRoute(server, options);
  instanceDeleteRoute(server, options);
  healthRoutes(server, options);
  if (options.metrics !== null) metricsRoute(server, options.metrics);
  if (options.sandbox !== null) sandboxRoutes(server, options, options.sandbox);
  options.mcp?.(server, options, () => describe(described, options).operations);
  options.portal(server, options);
  options.compatibility?.(server, options);
}

/** Options of Node's server for which Fastify has none. */
function nodeOptions({ https }: ReturnType<typeof tlsOptions>, limits: ConnectionLimits) {
  const own = {
    // Node answers a request without Host by itself, outside the envelope; the errors plugin does it instead.
    requireHostHeader: false,
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: Math.min(1000, limits.headMs),
    // Notices a client that has gone without closing its connection.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
  return https === undefined ? { http: own } : { https: { ...https, ...own, handshakeTimeout: limits.headMs } };
}

/** Answers malformed HTTP in the envelope. Connections without a byte, or without a TLS handshake, get no answer. */
function clientErrorHandler(errorPage: ReturnType<typeof errorPages>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!socket.writable || socket.bytesRead === 0 || error.code?.startsWith('ERR_SSL') || error.code?.startsWith('ERR_TLS')) {
      socket.destroy();
      return;
    }
    const requestId = newId();
    const body = failureBody(
      new GatewayError('invalid_request', late ? 'The request did not arrive completely in time.' : 'The request is not valid HTTP.'),
      requestId,
      errorPage('invalid_request'),
    );
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: ${jsonType}\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    // Other clients may still be sending, and would lose the answer if the connection were closed now.
    if (late) socket.destroySoon();
  };
}

// Many clients name a content type on requests without a body.
// The body is read first, so that one that is too large gets 413 (decisions §2).
function refuseOtherBodies(server: FastifyInstance): void {
  // Fastify itself refuses a content type that it cannot read, and looks at no size; without one the body comes here too.
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.mediaType === undefined) delete request.raw.headers['content-type'];
    done();
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) done(null);
    else done(new GatewayError('invalid_request', 'The body must be JSON, sent with Content-Type: application/json.'));
  });
}

// An empty body is none here too; only an endpoint that needs a body may miss it, and its schema says so.
// Read as bytes, because decoding would put replacement marks in the place of what is not UTF-8.
function readJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('remove', 'remove');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    else if (!isUtf8(body))
      done(new GatewayError('invalid_request', 'The body must be JSON in UTF-8; it contains bytes that are not UTF-8.'));
    else {
      const text = body.toString();
      if (request.routeOptions.config.atOwner !== undefined || request.forwarded !== null) request.bodyText = text;
      parse(request, text, done);
    }
  });
}
