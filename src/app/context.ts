import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageEvents } from '../alerts/index.ts';
import { Brands } from '../branding/index.ts';
import { type Config, sharedSettings } from '../config/index.ts';
import { createMemoryRateLimiter } from '../coordination/rate-limiter.ts';
import {
  LiveFeed,
  neededOpenFiles,
  type OperatorError,
  openFileLimit,
  programFile,
  raiseOpenFileLimit,
  systemClock,
  watchOpenFiles,
} from '../core/index.ts';
import { createHealth } from '../health/index.ts';
import { Connections, connectionLimitsFor, type NotReadyReason } from '../http/index.ts';
import { createLanguages } from '../language/index.ts';
import { createAddressGuard, createLogoMaker, createMedia } from '../media/index.ts';
import { createSender } from '../messages/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { FailedSignIns } from '../people/index.ts';
import { createSignIn } from '../portal/index.ts';
import { type LiveEvent, Sessions } from '../sessions/index.ts';
import { createLog } from './log.ts';
import { openAlerts } from './open-alerts.ts';
import { openNetworks } from './open-networks.ts';
import type { Overrides } from './overrides.ts';
import { ShutdownSteps } from './stop.ts';
import { openStorage } from './storage.ts';

/** The program's version, from package.json, which lies beside the folder of the built program. */
export const version: string = JSON.parse(readFileSync(programFile('../package.json'), 'utf8')).version;

/** `Overrides.closeMs` of a real stop. */
const defaultCloseMs = 5_000;

/** How far the process is, and where it listens. */
interface AppState {
  phase: 'starting' | 'running' | 'stopping';
  /** Empty before it listens. */
  address: string;
}

/** What there is before anything is opened. */
export type Base = ReturnType<typeof createBase>;
/** The same with the store. */
export type Stored = Base & { readonly metrics: Metrics | null } & Awaited<ReturnType<typeof openStorage>>;
/** What the program consists of. It is made once, here, and handed on whole: each part says in an interface of its own what it takes of it. */
export type AppContext = Awaited<ReturnType<typeof createContext>>;

/** The settings and what a test puts in the place of the real thing. It opens nothing. */
export function createBase(config: Config, overrides: Overrides) {
  const log = overrides.log ?? createLog(config);
  const openFiles = openFileLimit();
  const limits = { ...connectionLimitsFor(openFiles), ...overrides.connectionLimits };
  if (openFiles !== null && openFiles < neededOpenFiles) {
    log.warn(
      `this process may have only ${openFiles} files and connections open, so clients get ${limits.altogether} connections; ${raiseOpenFileLimit}`,
    );
  }
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const clock = overrides.clock ?? systemClock;
  const closeMs = overrides.closeMs ?? defaultCloseMs;
  const state: AppState = { phase: 'starting', address: '' };
  return {
    config,
    overrides,
    version,
    log,
    clock,
    random: overrides.random ?? Math.random,
    /** What is compared with the database's clock; null: nothing is. */
    wall: overrides.wallClock ?? (overrides.clock === undefined ? systemClock : null),
    /** Whoever turns this server's clock turns the one by which all servers judge. */
    sharedTime: overrides.clock === undefined ? {} : { now: async () => clock.now() },
    connections: new Connections({ limits, trustProxy: config.trustProxy, log }),
    state,
    /** Rejects when the app can no longer work, for example because its store was taken over. */
    failed,
    fail: (error: OperatorError) => reject(error),
    closeMs,
    shutdown: new ShutdownSteps(log, closeMs),
  };
}

/** Opens every part, each after those that it needs. A stop closes them in the opposite order. */
export async function createContext(base: Base) {
  const { config, clock, log, state, shutdown } = base;
  // The process's own files are looked at in real time, whatever clock it lives by.
  const descriptors = watchOpenFiles({ clock: systemClock, log });
  shutdown.add(() => descriptors.stop());
  const metrics = config.metrics === null ? null : (await import('../metrics/index.ts')).createMetrics();
  const stored: Stored = { ...base, metrics, ...(await openStorage({ ...base, metrics })) };
  const { store } = stored;
  const files = await openMedia(base);
  const networks = await openNetworks(stored);
  const shared = await openShared(stored);
  const numbers = await openSessions({ ...stored, ...networks, ...shared });

  const languages = createLanguages();
  const notices = openAlerts({ ...stored, ...files, ...numbers, languages });
  const secure = config.tls !== null || config.publicUrl?.startsWith('https:') === true;
  const signIn = createSignIn({ ...stored, secure, passwords: base.overrides.passwords });
  const failedSignIns = new FailedSignIns(stored);
  shutdown.add(() => failedSignIns.idle());
  const health = createHealth({ env: process.env, clock }, config, { store, probe: notices.mail, others: shared.cluster?.others ?? null });
  shutdown.add(() => health.stop());
  const sender = createSender({ ...stored, ...files, ...numbers, hot: store.hot, onRetaken: metrics?.onRetaken });
  const readiness = {
    notReady: (): NotReadyReason | null => (state.phase === 'running' ? numbers.sessions.idleFor : state.phase),
    degraded: () => (shared.cluster?.limiter.fallenBack === true ? (['redis'] as const) : []),
  };
  const people = { languages, signIn, failedSignIns, health, brands: new Brands(stored) };
  return { ...stored, ...files, ...networks, ...shared, ...numbers, ...notices, ...people, sender, readiness };
}

async function openMedia({ config, overrides: { lookup }, clock, log, shutdown }: Base) {
  const guard = createAddressGuard({ allowHosts: config.media.allowHosts, clock, ...(lookup === undefined ? {} : { lookup }) });
  const directory = join(config.dataDir, 'media');
  const media = createMedia({ guard, directory, maxBytes: config.media.maxBytes, clock, log });
  shutdown.add(() => media.close());
  await media.cleanUp();
  const logos = createLogoMaker({ clock, directory });
  shutdown.add(() => logos.close());
  return { guard, media, logos };
}

/** What is shared with other servers, or made by this one alone. What is not used is not loaded. */
async function openShared(context: Stored) {
  const { config, clock, log, metrics, store, shutdown } = context;
  const { redisUrl } = config;
  const cluster = redisUrl === null ? null : await (await import('./cluster.ts')).openCluster(context, redisUrl);
  const feed = cluster?.feed ?? new LiveFeed<LiveEvent>({ clock, log });
  // Its last events still reach those who listen at other servers.
  shutdown.add(() => store.hot.logged());
  const limiter = cluster?.limiter ?? createMemoryRateLimiter(clock);
  if (cluster !== null) metrics?.watchShared(cluster.limiter);
  return { cluster, feed, limiter: metrics?.limited(limiter) ?? limiter };
}

type BeforeSessions = Stored & Awaited<ReturnType<typeof openNetworks>> & Awaited<ReturnType<typeof openShared>>;

async function openSessions(context: BeforeSessions) {
  const { config, cluster, store, clock, log, metrics, sharedTime, shutdown } = context;
  const messages = new MessageEvents({ store, clock, log, ...sharedTime });
  shutdown.add(() => messages.stop());
  await messages.start();
  const agreement = sharedSettings(config, (await store.schema()).newest, log);
  const sessions = new Sessions({
    ...context,
    onOwnershipLost: context.fail,
    events: metrics?.sessions ?? null,
    followers: messages,
    cluster: cluster === null ? null : { ...cluster, agreement },
  });
  shutdown.add(() => sessions.stop());
  return { messages, sessions };
}
