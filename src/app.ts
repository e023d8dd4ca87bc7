import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { FailedSignIns, keepUsageSums, numberDayDebt } from './accounts/index.ts';
import { Alerts, clientVersionWatch, debtsWatch, diskWatch, ErrorRate, MailWatch, Measuring, MessageEvents } from './alerts/index.ts';
import { Brands } from './branding/index.ts';
import type { Cluster, openCluster } from './cluster.ts';
import type { Config } from './config/index.ts';
import { createMemoryRateLimiter } from './coordination/memory/rate-limiter.ts';
import {
  type Clock,
  LiveFeed,
  neededOpenFiles,
  OperatorError,
  openFileLimit,
  raiseOpenFileLimit,
  systemClock,
  watchOpenFiles,
} from './core/index.ts';
import { Debts } from './debts/index.ts';
import { createHealth } from './health/index.ts';
import {
  type ConnectionLimits,
  Connections,
  connectionLimitsFor,
  createServer,
  ForwardedRequests,
  type HttpCluster,
  Placement,
  requestLines,
  sendAtOwner,
  sharePhones,
} from './http/index.ts';
import { joinInstallation } from './installation.ts';
import { followKeys, openServersVault } from './keys.ts';
import { createLanguages } from './language/index.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { createAddressGuard, createLogoMaker, createMedia, createWebhookPost, type Lookup } from './media/index.ts';
import { createSender, releaseDebt, settlementDebt } from './messages/index.ts';
import type { Network, SandboxPhones } from './networks/index.ts';
import { openNetworks } from './open-networks.ts';
import { createMail, createSignIn, type Mail, type Passwords, portal, portalPath } from './portal/index.ts';
import { readSecretKey } from './secret-key.ts';
import { type LiveEvent, Sessions } from './sessions/index.ts';
import { createClientVersions, type Dialect, type Leases, type OpenOptions, type SchemaChanges, type Store } from './store/index.ts';
import { startNoteKeeper } from './store/request-names/note-keeper.ts';
import { createRetention, openLastingTime } from './store/retention.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import { version } from './version.ts';

/** `Overrides.closeMs` of a real stop. */
const defaultCloseMs = 5_000;

/** What tests and benchmarks put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** The clock by which new keys of the installation are looked for; the real one even where days pass at once. */
  readonly keyClock?: Clock;
  readonly lookup?: Lookup;
  readonly passwords?: Passwords | undefined;
  readonly log?: Logger;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** The clock of Redis, in milliseconds. */
  readonly redisTime?: () => number;
  /** How long a stop waits for each part of the program; for the server, besides the time its requests have. */
  readonly closeMs?: number;
  /** Instead of the networks named in the settings. */
  readonly networks?: (store: Store) => readonly Network[];
  /** Instead of the changes of the schema that this release has. */
  readonly schemaChanges?: (dialect: Dialect) => SchemaChanges;
  /** Told of every route of the server. */
  readonly onRoute?: (route: { readonly method: string | string[]; readonly url: string }) => void;
}

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

/** Opens the store the settings name. What is not used is not loaded: it would cost memory and time at every start. */
export async function openStore(config: Config, options: OpenOptions = {}): Promise<Store> {
  if (config.databaseUrl === null) return openSqliteStore(config.dataDir, { ...options, durability: config.durability });
  const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
  return openPostgresStore(config.databaseUrl, options);
}

/** The mail server the settings name; null: none. */
export function openMail(config: Config, options: Parameters<typeof createMail>[1]): Mail | null {
  return config.mail === null ? null : createMail(config.mail, options);
}

/**
 * Builds the whole program from its settings and starts it: the only place that sees every room.
 * Throws OperatorError, with everything opened so far closed again, when it cannot run.
 */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog(config);
  const { closeMs = defaultCloseMs } = overrides;
  let phase: 'starting' | 'stopping' | 'running' = 'starting';
  const closers: (() => Promise<void>)[] = [];
  const onStop = (close: () => Promise<unknown>, withinMs = closeMs) => void closers.push(() => inTime(close(), withinMs));
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
    let clean = true;
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((error: unknown) => {
        clean = false;
        log.error({ err: error }, 'something did not close');
      });
    }
    return clean;
  };

  try {
    // The process's own files are looked at in real time, whatever clock it lives by.
    const descriptors = watchOpenFiles({ clock: systemClock, log });
    onStop(async () => descriptors.stop());
    const measured = config.metrics === null ? null : { ...(await import('./metrics/index.ts')), ...config.metrics };
    const metrics = measured?.createMetrics() ?? null;
    const store = await openStore(config, {
      create: true,
      log,
      onBatch: metrics?.onBatch,
      changes: overrides.schemaChanges?.(config.databaseUrl === null ? 'sqlite' : 'postgres'),
    });
    onStop(() => store.close());
    onStop(() => connections.workEnded());
    await store.becomeServer({ shared: config.redisUrl !== null });
    const { promise: failed, reject: failWith } = Promise.withResolvers<never>();
    failed.catch(() => undefined);
    store.onLost((reason) => failWith(new OperatorError(reason)));

    const vault = await openServersVault(store.db, config, log);
    const newKeys = followKeys(vault, { clock: overrides.keyClock ?? systemClock, log });
    onStop(async () => newKeys.stop());
    const debts = new Debts({ store, clock, log, kinds: [settlementDebt, releaseDebt, numberDayDebt] });
    onStop(() => debts.stop());
    debts.start();
    const time = await openLastingTime(store.db, clock);
    const keepSentMs = config.whatsapp.retryKeepHours * 60 * 60 * 1000;
    const retention = createRetention({ db: store.db, clock, time, recorded: () => debts.recorded(), keepSentMs, log });
    onStop(() => retention.stop());
    const sums = await keepUsageSums({ store, clock, time, log });
    onStop(() => sums.stop());
    const notes = startNoteKeeper({ store, clock, log });
    onStop(() => notes.stop());

    const guard = createAddressGuard({
      allowHosts: config.media.allowHosts,
      clock,
      ...(overrides.lookup === undefined ? {} : { lookup: overrides.lookup }),
    });
    const media = createMedia({ guard, directory: join(config.dataDir, 'media'), maxBytes: config.media.maxBytes, clock, log });
    await media.cleanUp();
    onStop(() => media.close());

    const { networks, sandbox } = await openNetworks(config, { store, clock, log, time, instead: overrides.networks });
    onStop(async () => {
      for (const network of networks.values()) await network.close();
    });

    const cluster = await joinedCluster(config, { store, clock, log, serverTime: overrides.redisTime });
    if (cluster !== null) onStop(() => cluster.close());
    const feed = cluster?.feed ?? new LiveFeed<LiveEvent>({ clock, log });
    const messages = new MessageEvents({ store, clock, log });
    await messages.start();
    onStop(() => messages.stop());
    const onOwnershipLost = () => failWith(new OperatorError('another gateway server has taken over this database'));
    const sessions = new Sessions({
      store,
      vault,
      clock,
      networks,
      log,
      feed,
      debts,
      random: overrides.random ?? Math.random,
      onOwnershipLost,
      events: metrics?.sessions ?? null,
      followers: messages,
      cluster:
        cluster === null ? null : { ...cluster, joined: (nodeId, handlers) => cluster.joined(nodeId, [...handlers, ...ownHandlers()]) },
    });
    onStop(() => sessions.stop());

    const brands = new Brands({ store, clock });
    const logos = createLogoMaker({ clock, directory: join(config.dataDir, 'media') });
    onStop(() => logos.close());
    const errorRate = new ErrorRate({ bound: config.alertErrorRate, now: () => clock.now() });
    const mailWatch = new MailWatch(() => clock.now());
    const mailServer = openMail(config, { clock, log });
    const mail: Mail | null =
      mailServer === null ? null : { send: mailWatch.watched((to, text) => mailServer.send(to, text)), verify: () => mailServer.verify() };
    const versionWatch = config.networks.includes('whatsapp') ? [clientVersionWatch(store.db, config.whatsapp.version)] : [];
    const languages = createLanguages();
    const alerts = new Alerts({
      languages,
      measuring: new Measuring({
        store,
        watches: [diskWatch(config.dataDir), debtsWatch(store.db), errorRate, mailWatch, ...versionWatch],
        server: hostname(),
        log,
      }),
      messages,
      store,
      vault,
      clock,
      webhooks: createWebhookPost({ guard, clock }),
      sendMail: mail === null ? null : (to, text) => mail.send(to, text),
      random: overrides.random ?? Math.random,
      log,
    });
    onStop(() => alerts.stop());
    alerts.start();

    const ownLimiter = cluster?.limiter ?? createMemoryRateLimiter(clock);
    const limiter = metrics?.limited(ownLimiter) ?? ownLimiter;
    if (cluster !== null) metrics?.watchShared(cluster.limiter);
    const signIn = createSignIn({
      store,
      vault,
      limiter,
      log,
      secure: config.tls !== null || config.publicUrl?.startsWith('https:') === true,
      passwords: overrides.passwords,
    });
    const failedSignIns = new FailedSignIns({ store, clock, log });
    closers.push(() => failedSignIns.idle());
    const health = createHealth({ env: process.env, clock }, config, { store, probe: mail });
    onStop(async () => health.stop());
    const http = cluster === null || store.leases === null ? null : httpCluster(cluster, sessions, store.leases);
    const shared =
      cluster === null || store.leases === null || sandbox === null
        ? null
        : sharePhones({ phones: sandbox, calls: cluster.calls, leases: store.leases, sessions, nodeId: () => cluster.nodeId() });
    const ownSender = createSender({ hot: store.hot, sessions, guard, media, vault, clock, time, debts, onRetaken: metrics?.onRetaken });
    const sending = http === null ? null : sendAtOwner({ ...http, sender: ownSender, clock: systemClock });
    const notReady = () => (phase === 'running' ? sessions.idleFor : phase);
    metrics?.watch({
      version,
      now: () => clock.now(),
      numbers: () => sessions.all(),
      ready: () => notReady() === null && store.writability.trouble === null,
      connections: () => connections.open,
      owed: () => debts.sum(),
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
      sender: sending?.sender ?? ownSender,
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
    onStop(() => server.close(), connections.limits.stopMs + closeMs);
    // Other nodes are told first that nobody is here any more, and ask those that follow.
    if (cluster !== null) onStop(() => cluster.leaveCalls(), connections.limits.stopMs + closeMs);
    onStop(async () => sessions.retire());
    // From here on this node answers for its numbers, to callers and to other nodes.
    const ownHandlers = () =>
      http === null || sending === null ? [] : [http.forwarded.handler(server), sending.handler, ...(shared?.handlers ?? [])];
    await sessions.start();
    await cluster?.onFree(() => sessions.thereAreFree());
    const address = await listen(server, config);
    let metricsAddress: string | null = null;
    if (measured?.port != null && page !== null) {
      const endpoint = await measured.openMetricsEndpoint({ host: config.host, port: measured.port, page, log });
      metricsAddress = endpoint.address;
      onStop(() => endpoint.close());
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

function httpCluster(cluster: Cluster, sessions: Sessions, leases: Leases): HttpCluster {
  const placement = new Placement({ sessions, leases, nodeId: () => cluster.nodeId() });
  return { calls: cluster.calls, placement, forwarded: new ForwardedRequests() };
}

/** Fails when the work takes longer; it may still end later. By the real clock, because a stop is bounded by whoever runs the program. */
async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
