import { once } from 'node:events';
import { createServer as createProbe } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { webhookDocs } from '../alerts/index.ts';
import { evolutionRoutes } from '../compatibility/index.ts';
import type { Config } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { createServer, type HttpCluster, IncomingRequests, Placement, requestLines, sharePhones } from '../http/index.ts';
import { mcpRoutes } from '../mcp/index.ts';
import { portal, portalPath } from '../portal/index.ts';
import { createClientVersions } from '../store/index.ts';
import { createBase } from './base.ts';
import { type AppContext, createContext } from './context.ts';
import type { Overrides } from './overrides.ts';
import { stopApp } from './stop.ts';

/** The running program. */
export interface App extends AppContext {
  /** Where the server listens, for example `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Where METRICS_PORT is; null without it. */
  readonly metricsAddress: string | null;
  /** Resolves when the linked numbers are back, or after 5 minutes; never after a stop. */
  readonly returned: Promise<void>;
  /**
   * Ends everything in the opposite order of the start: no new requests, what is in flight ends or is cut off, links close and stay linked,
   * the store closes. False when a part of it failed or took too long; the others have ended all the same, and the log says which.
   */
  stop(): Promise<boolean>;
}

/**
 * Builds the whole program from its settings and starts it. Throws OperatorError, with everything opened so far closed again, when it cannot run.
 */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const base = createBase(config, overrides);
  try {
    const context = await createContext(base);
    const { cluster, sessions, shutdown, state } = context;
    const page = await metricsPage(context);
    const server = openServer(context, config.metrics?.port == null ? page : null);
    shutdown.add(() => closeServer(context, server), context.connections.limits.stopMs + context.closeMs);
    // The other servers know first that their requests are nobody's here any more, and ask those that follow.
    shutdown.add(async () => cluster?.leave());
    shutdown.add(() => sessions.retire());
    // A port that is taken is found before numbers log in: a supervisor starts again every few seconds, and each time all of them would.
    const metricsAddress = await openMetricsEndpoint(context, page);
    // One of several servers can be reached by the others before it owns a number.
    if (cluster !== null) state.address = await listen(server, config);
    else await requireFreePort(config);
    await sessions.start();
    await cluster?.onFree(() => sessions.thereAreFree());
    if (cluster === null) state.address = await listen(server, config);
    state.phase = 'running';
    logStart(context);
    const returned = sessions.watchReturn();
    return { ...context, address: state.address, metricsAddress, returned, stop: () => stopApp(context) };
  } catch (error) {
    await stopApp(base);
    throw error;
  }
}

/** The server with every route. `page` is what GET /metrics answers; null: there is none. */
function openServer(context: AppContext, page: Page): FastifyInstance {
  const { config, overrides, log, errorRate, metrics } = context;
  const { phones: sandbox, cluster } = openPeers(context);
  const whatsappVersion = config.whatsapp.version;
  return createServer({
    ...config,
    ...context,
    ...{ networks: config.networks, sandbox, cluster, metrics: page, webhookDocs },
    onAnswered: [requestLines(log), errorRate.answered, metrics?.onAnswered].filter((listener) => listener !== undefined),
    compatibility: config.compatibility === 'evolution' ? evolutionRoutes : null,
    portalPath: portalPath({ ...config, ...context }),
    portal: (server, routeOptions) => portal(server, { ...config, ...context, ...routeOptions, whatsappVersion }),
    mcp: config.mcp ? (server, routeOptions, operations) => mcpRoutes(server, { ...routeOptions, operations, log }) : null,
    ...(overrides.onRoute === undefined ? {} : { onRoute: overrides.onRoute }),
  });
}

/** What several servers ask each other over HTTP; null when this is the only one. The sandbox's phones then reach numbers of all. */
function openPeers({ cluster, store, sandbox, sessions }: AppContext): { phones: AppContext['sandbox']; cluster: HttpCluster | null } {
  const { leases } = store;
  if (cluster === null || leases === null) return { phones: sandbox, cluster: null };
  const shared = sandbox === null ? null : sharePhones({ phones: sandbox, leases, sessions, ...cluster });
  const placement = new Placement({ sessions, leases, ...cluster });
  const handlers = [...sessions.states.handlers, ...(shared?.handlers ?? [])];
  return {
    phones: shared?.phones ?? null,
    cluster: { peers: cluster.peers, placement, incoming: new IncomingRequests(cluster), handlers },
  };
}

/** How long a stop waits for requests before it gives away what they do not use. */
const giveAfterMs = 1_000;

/** Closes the server once its requests have ended. If that takes long, other servers serve the numbers that none of them uses. */
async function closeServer({ sessions, log }: AppContext, server: FastifyInstance): Promise<void> {
  const giving: Promise<void>[] = [];
  const timer = setTimeout(() => {
    const failed = (error: unknown) => log.error({ err: error }, 'the numbers could not be given to other servers');
    giving.push(sessions.giveIdle().catch(failed));
  }, giveAfterMs);
  await server.close().finally(() => clearTimeout(timer));
  await Promise.all(giving);
}

type Page = Awaited<ReturnType<typeof metricsPage>>;

/** What is measured, for whoever has the token; null without METRICS. From here on it shows how this process is doing. */
async function metricsPage({ config, version, clock, store, outbox, metrics, sessions, connections, readiness }: AppContext) {
  if (config.metrics === null || metrics === null) return null;
  metrics.watch({
    version,
    now: () => clock.now(),
    numbers: () => sessions.all(),
    ready: () => readiness.notReady() === null && store.writability.trouble === null,
    connections: () => connections.open,
    pendingWrites: () => outbox.sum(),
    clientVersion: config.networks.includes('whatsapp')
      ? { override: config.whatsapp.version, record: () => createClientVersions(store.db, 'whatsapp').read() }
      : null,
  });
  const { createMetricsPage } = await import('../metrics/index.ts');
  return createMetricsPage(metrics, config.metrics.token);
}

/** Has METRICS_PORT answer; null without that setting. */
async function openMetricsEndpoint({ config: { metrics, host }, log, shutdown }: AppContext, page: Page): Promise<string | null> {
  if (metrics?.port == null || page === null) return null;
  const { openMetricsEndpoint: open } = await import('../metrics/index.ts');
  const endpoint = await open({ host, port: metrics.port, page, log });
  shutdown.add(() => endpoint.close());
  return endpoint.address;
}

/** For localhost Fastify would make a second server, for ::1, whose connections nobody here would know. */
const listenOptions = ({ host, port }: Config) => ({ host: host === 'localhost' ? '127.0.0.1' : host, port });

/** Has the server listen where the settings say; resolves to its address. Throws OperatorError when it may not, or cannot, listen there. */
async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    return await server.listen(listenOptions(config));
  } catch (error) {
    throw cannotListen(error, config);
  }
}

/** Throws as `listen` would at this moment. */
async function requireFreePort(config: Config): Promise<void> {
  const probe = createProbe((socket) => socket.destroy());
  try {
    await Promise.all([once(probe, 'listening'), probe.listen(listenOptions(config))]);
  } catch (error) {
    throw cannotListen(error, config);
  }
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

function cannotListen(error: unknown, { host, port }: Config): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(`port ${port} on ${host} is in use; stop the other program or set PORT`);
    case 'EACCES':
      return new OperatorError(`port ${port} may not be used by this user; set PORT to one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`HOST ${host} is not an address of this machine`);
    default:
      return error;
  }
}

function logStart({ config, version, log, state, networks, sessions, cluster }: AppContext): void {
  const where = config.databaseUrl === null ? { store: 'sqlite' } : { store: 'postgresql', database: databaseName(config.databaseUrl) };
  const opened = { version, address: state.address, ...where, data_dir: config.dataDir, networks: [...networks.keys()] };
  const node = cluster?.nodeId() ?? null;
  log.info({ ...opened, numbers: sessions.all().length, ...(node === null ? {} : { node }) }, 'the gateway has started');
}

/** Server and name of a database without user and password. */
function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
