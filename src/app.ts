import { join } from 'node:path';
import { FailedSignIns, numberDayWrite } from './accounts/index.ts';
import { MessageEvents } from './alerts/index.ts';
import { Brands } from './branding/index.ts';
import type { Cluster, openCluster } from './cluster.ts';
import { type Config, sharedSettings } from './config/index.ts';
import type { PeerHandler } from './coordination/index.ts';
import { createMemoryRateLimiter } from './coordination/rate-limiter.ts';
import {
  LiveFeed,
  makeFolder,
  neededOpenFiles,
  OperatorError,
  openFileLimit,
  raiseOpenFileLimit,
  systemClock,
  watchOpenFiles,
} from './core/index.ts';
import { createHealth } from './health/index.ts';
import {
  Connections,
  connectionLimitsFor,
  createServer,
  type HttpCluster,
  IncomingRequests,
  Placement,
  requestLines,
  sharePhones,
} from './http/index.ts';
import { joinInstallation } from './installation.ts';
import { followKeys, openServersVault } from './keys.ts';
import { createLanguages } from './language/index.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { createAddressGuard, createLogoMaker, createMedia } from './media/index.ts';
import { createSender, releaseWrite, settlementWrite } from './messages/index.ts';
import type { SandboxPhones } from './networks/index.ts';
import { nodeUrl } from './node-url.ts';
import { openAlerts } from './open-alerts.ts';
import { openNetworks } from './open-networks.ts';
import { openStore } from './open-store.ts';
import { Outbox } from './outbox/index.ts';
import type { Overrides } from './overrides.ts';
import { createSignIn, portal, portalPath } from './portal/index.ts';
import { readSecretKey } from './secret-key.ts';
import { type LiveEvent, Sessions } from './sessions/index.ts';
import { Stops } from './stops.ts';
import { createClientVersions, type Leases, openAgeTime, type Store, watchClock } from './store/index.ts';
import { createRetention } from './store/retention.ts';
import { lockDataFolder } from './store/sqlite/server-lock.ts';
import { version } from './version.ts';

/** `Overrides.closeMs` of a real stop. */
const defaultCloseMs = 5_000;

export interface App {
  readonly store: Store;
  /** Where it keeps its files. */
  readonly dataDir: string;
  readonly sessions: Sessions;
  readonly feed: LiveFeed<LiveEvent>;
  /** null when the sandbox is not enabled. */
  readonly sandbox: SandboxPhones | null;
  /** Where the server listens, for example `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Where METRICS_PORT is; null without it. */
  readonly metricsAddress: string | null;
  /** Rejects when the app can no longer work (its store was taken over). */
  readonly failed: Promise<never>;
  /**
   * Ends everything in the opposite order of the start: no new requests, what is in flight ends or is cut off, links close and stay linked,
   * the store closes. False when a part of it failed or took too long; the others have ended all the same, and the log says which.
   */
  stop(): Promise<boolean>;
}

/**
 * Builds the whole program from its settings and starts it: the only place that sees every room.
 * Throws OperatorError, with everything opened so far closed again, when it cannot run.
 */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog(config);
  const random = overrides.random ?? Math.random;
  const { closeMs = defaultCloseMs } = overrides;
  let phase: 'starting' | 'stopping' | 'running' = 'starting';
  const stops = new Stops(log, closeMs);
  const openFiles = openFileLimit();
  const connections = new Connections({
    limits: { ...connectionLimitsFor(openFiles), ...overrides.connectionLimits },
    trustProxy: config.trustProxy,
    log,
  });
  if (openFiles !== null && openFiles < neededOpenFiles) {
    const { altogether } = connections.limits;
    log.warn(
      `this process may have only ${openFiles} files and connections open, so clients get ${altogether} connections; ${raiseOpenFileLimit}`,
    );
  }
  const stop = async () => {
    const wasRunning = phase === 'running';
    phase = 'stopping';
    if (wasRunning) await connections.leave(config.stopDelayMs);
    return stops.run();
  };

  try {
    // The process's own files are looked at in real time, whatever clock it lives by.
    const descriptors = watchOpenFiles({ clock: systemClock, log });
    stops.add(() => descriptors.stop());
    const measured = config.metrics === null ? null : { ...(await import('./metrics/index.ts')), ...config.metrics };
    const metrics = measured?.createMetrics() ?? null;
    const store = await openStore(config, {
      create: true,
      log,
      onBatch: metrics?.onBatch,
      changes: overrides.schemaChanges?.(config.databaseUrl === null ? 'sqlite' : 'postgres'),
    });
    stops.add(() => store.close());
    stops.add(() => connections.workEnded());
    await store.becomeServer({ shared: config.redisUrl !== null });
    if (store.dialect !== 'sqlite') {
      // The embedded store holds its folder itself. Temporary files that are there at a start would be removed although another server needs them.
      makeFolder(config.dataDir);
      const folder = lockDataFolder(config.dataDir);
      stops.add(async () => folder.release());
    }
    const { promise: failed, reject: failWith } = Promise.withResolvers<never>();
    failed.catch(() => undefined);
    store.onLost((reason) => failWith(new OperatorError(reason)));

    const vault = await openServersVault(store.db, config, log);
    const newKeys = followKeys(vault, { clock: overrides.keyClock ?? systemClock, log });
    stops.add(() => newKeys.stop());
    const wall = overrides.wallClock ?? (overrides.clock === undefined ? systemClock : null);
    if (wall !== null) {
      const watch = watchClock({ store, wall, clock: systemClock, log });
      stops.add(() => watch.stop());
    }
    const time = await openAgeTime(store, clock);
    const now = store.now === null ? () => clock.now() : () => time.now();
    const outbox = new Outbox({ store, clock, now, log, kinds: [settlementWrite, releaseWrite, numberDayWrite] });
    stops.add(() => outbox.stop());
    outbox.start();
    const keepSentMs = config.whatsapp.retryKeepHours * 60 * 60 * 1000;
    const retention = createRetention({ db: store.db, clock, time, recorded: () => outbox.recorded(), keepSentMs, log });
    stops.add(() => retention.stop());

    const guard = createAddressGuard({
      allowHosts: config.media.allowHosts,
      clock,
      ...(overrides.lookup === undefined ? {} : { lookup: overrides.lookup }),
    });
    const media = createMedia({ guard, directory: join(config.dataDir, 'media'), maxBytes: config.media.maxBytes, clock, log });
    await media.cleanUp();
    stops.add(() => media.close());

    const { networks, sandbox } = await openNetworks(config, { store, clock, log, time, instead: overrides.networks });
    for (const network of networks.values()) stops.add(() => network.close());

    const cluster = await joinedCluster(config, { store, vault, clock, time, wall, log, serverTime: overrides.redisTime });
    if (cluster !== null) stops.add(() => cluster.close());
    const feed = cluster?.feed ?? new LiveFeed<LiveEvent>({ clock, log });
    // Its last events still reach those who listen at other servers.
    stops.add(() => store.hot.logged());
    // Whoever turns this server's clock turns the one by which all servers judge.
    const sharedTime = overrides.clock === undefined ? {} : { now: async () => clock.now() };
    const messages = new MessageEvents({ store, clock, log, ...sharedTime });
    await messages.start();
    stops.add(() => messages.stop());
    const agreement = sharedSettings(config, (await store.schema()).newest, log);
    /** Where this server listens; empty before. */
    let address = '';
    const sessions = new Sessions({
      store,
      vault,
      clock,
      networks,
      log,
      feed,
      outbox,
      random,
      onOwnershipLost: failWith,
      events: metrics?.sessions ?? null,
      followers: messages,
      cluster: cluster === null ? null : { ...cluster, agreement, address: () => nodeUrl(config, address) },
    });
    stops.add(() => sessions.stop());

    const brands = new Brands({ store, clock });
    const logos = createLogoMaker({ clock, directory: join(config.dataDir, 'media') });
    stops.add(() => logos.close());
    const languages = createLanguages();
    const { alerts, mail, errorRate } = openAlerts(config, { store, vault, clock, ...sharedTime, guard, messages, languages, random, log });
    stops.add(() => alerts.stop());
    alerts.start();

    const ownLimiter = cluster?.limiter ?? createMemoryRateLimiter(clock);
    const limiter = metrics?.limited(ownLimiter) ?? ownLimiter;
    if (cluster !== null) metrics?.watchShared(cluster.limiter);
    const signIn = createSignIn({
      store,
      vault,
      log,
      secure: config.tls !== null || config.publicUrl?.startsWith('https:') === true,
      passwords: overrides.passwords,
    });
    const failedSignIns = new FailedSignIns({ store, clock, log });
    stops.add(() => failedSignIns.idle());
    const health = createHealth({ env: process.env, clock }, config, { store, probe: mail, others: cluster?.others ?? null });
    stops.add(() => health.stop());
    const shared =
      cluster === null || store.leases === null || sandbox === null
        ? null
        : sharePhones({ phones: sandbox, leases: store.leases, sessions, ...cluster });
    const handlers = [...sessions.states.handlers, ...(shared?.handlers ?? [])];
    const http = cluster === null || store.leases === null ? null : httpCluster(cluster, { sessions, leases: store.leases, handlers });
    const sender = createSender({ hot: store.hot, sessions, guard, media, vault, clock, time, outbox, onRetaken: metrics?.onRetaken });
    const notReady = () => (phase === 'running' ? sessions.idleFor : phase);
    metrics?.watch({
      version,
      now: () => clock.now(),
      numbers: () => sessions.all(),
      ready: () => notReady() === null && store.writability.trouble === null,
      connections: () => connections.open,
      pendingWrites: () => outbox.sum(),
      clientVersion: config.networks.includes('whatsapp')
        ? { override: config.whatsapp.version, record: () => createClientVersions(store.db, 'whatsapp').read() }
        : null,
    });
    const page = measured === null || metrics === null ? null : measured.createMetricsPage(metrics, measured.token);
    const server = createServer({
      onAnswered: [requestLines(log), errorRate.answered, metrics?.onAnswered].filter((told) => told !== undefined),
      metrics: measured?.port == null ? page : null,
      cluster: http,
      store,
      clock,
      sessions,
      feed,
      sender,
      networks: config.networks,
      sandbox: shared?.phones ?? sandbox,
      idempotency: config.idempotency,
      readiness: {
        notReady,
        degraded: () => (cluster?.limiter.fallenBack === true ? ['redis'] : []),
      },
      limiter,
      connections,
      portalPath: portalPath({ store, signIn, publicUrl: config.publicUrl }),
      portal: (fastify, routeOptions) =>
        portal(fastify, {
          ...routeOptions,
          signIn,
          languages,
          failedSignIns,
          limiter,
          vault,
          mail,
          brands,
          logos,
          guard,
          publicUrl: config.publicUrl,
          whatsappVersion: config.whatsapp.version,
          health,
          log,
        }),
      publicUrl: config.publicUrl,
      brands,
      trustProxy: config.trustProxy,
      tls: config.tls,
      version,
      log,
      ...(overrides.onRoute === undefined ? {} : { onRoute: overrides.onRoute }),
    });
    stops.add(() => server.close(), connections.limits.stopMs + closeMs);
    // Other nodes are told first that their requests are nobody's here any more, and ask those that follow.
    stops.add(async () => cluster?.leave());
    stops.add(async () => sessions.retire());
    // One of several servers can be reached by the others before it owns a number.
    if (cluster !== null) address = await listen(server, config);
    await sessions.start();
    await cluster?.onFree(() => sessions.thereAreFree());
    if (cluster === null) address = await listen(server, config);
    let metricsAddress: string | null = null;
    if (measured?.port != null && page !== null) {
      const endpoint = await measured.openMetricsEndpoint({ host: config.host, port: measured.port, page, log });
      metricsAddress = endpoint.address;
      stops.add(() => endpoint.close());
    }
    phase = 'running';
    const node = cluster?.nodeId() ?? null;
    const where = config.databaseUrl === null ? { store: 'sqlite' } : { store: 'postgresql', database: databaseName(config.databaseUrl) };
    const opened = { version, address, ...where, data_dir: config.dataDir, networks: [...networks.keys()], numbers: sessions.all().length };
    log.info({ ...opened, ...(node === null ? {} : { node }) }, 'the gateway has started');
    sessions.watchReturn();
    return { store, dataDir: config.dataDir, sessions, feed, sandbox, address, metricsAddress, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Server and name of a database without user and password. */
function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** What is shared with other servers; null when this is the only one. What is not used is not loaded. */
async function joinedCluster(config: Config, options: Omit<Parameters<typeof openCluster>[1], 'installation'>): Promise<Cluster | null> {
  const { redisUrl } = config;
  if (redisUrl === null) return null;
  const installation = await joinInstallation(options.store, readSecretKey(config));
  const cluster = await import('./cluster.ts');
  return cluster.openCluster({ ...config, redisUrl }, { ...options, installation });
}

function httpCluster(
  cluster: Cluster,
  { handlers, ...numbers }: { sessions: Sessions; leases: Leases; handlers: readonly PeerHandler[] },
): HttpCluster {
  const placement = new Placement({ ...numbers, ...cluster });
  return { peers: cluster.peers, placement, incoming: new IncomingRequests(cluster), handlers };
}
