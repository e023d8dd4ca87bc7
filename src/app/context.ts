import { join } from 'node:path';
import { MessageEvents } from '../alerts/index.ts';
import { Brands } from '../branding/index.ts';
import { sharedSettings } from '../config/index.ts';
import { createMemoryRateLimiter } from '../coordination/rate-limiter.ts';
import { LiveFeed, systemClock, watchOpenFiles } from '../core/index.ts';
import { createHealth } from '../health/index.ts';
import type { NotReadyReason } from '../http/index.ts';
import { createLanguages } from '../language/index.ts';
import { createAddressGuard, createLogoMaker, createMedia } from '../media/index.ts';
import { createSender } from '../messages/index.ts';
import { FailedSignIns, SeenSessions } from '../people/index.ts';
import { createSignIn } from '../portal/index.ts';
import { type LiveEvent, Sessions } from '../sessions/index.ts';
import type { Base } from './base.ts';
import { openAlerts } from './open-alerts.ts';
import { openNetworks } from './open-networks.ts';
import { openStorage, type Stored } from './storage.ts';

/** What the program consists of. It is made once, here, and handed on whole: each part says in an interface of its own what it takes of it. */
export type AppContext = Awaited<ReturnType<typeof createContext>>;

/** Opens every part, each after those that it needs. A stop closes them in the opposite order. */
export async function createContext(base: Base) {
  const { config, clock, log, state, shutdown } = base;
  // The process's own files are looked at in real time, whatever clock it lives by.
  const descriptors = watchOpenFiles({ clock: systemClock, log });
  shutdown.add(() => descriptors.stop());
  const metrics = config.metrics === null ? null : (await import('../metrics/index.ts')).createMetrics(config.networks);
  const stored = await openStorage({ ...base, metrics });
  const { store } = stored;
  const files = await openMedia(base);
  const networks = await openNetworks(stored);
  const shared = await openShared(stored);
  const numbers = await openSessions({ ...stored, ...networks, ...shared });

  const languages = createLanguages();
  const brands = new Brands(stored);
  const notices = openAlerts({ ...stored, ...files, ...numbers, languages, brands });
  const secure = config.tls !== null || config.publicUrl?.startsWith('https:') === true;
  const signIn = createSignIn({ ...stored, secure, passwords: base.overrides.passwords });
  const failedSignIns = new FailedSignIns(stored);
  shutdown.add(() => failedSignIns.idle());
  const seenSessions = new SeenSessions(stored);
  shutdown.add(() => seenSessions.idle());
  const pending = () => stored.outbox.sum();
  const others = shared.cluster?.others ?? null;
  const health = createHealth({ env: process.env, clock }, config, { store, pending, probe: notices.mail, others });
  shutdown.add(() => health.stop());
  const sender = createSender({ ...stored, ...files, ...numbers, hot: store.hot, onRetaken: metrics?.onRetaken });
  const readiness = {
    notReady: (): NotReadyReason | null => (state.phase === 'running' ? numbers.sessions.idleFor : state.phase),
    degraded: () => (shared.cluster?.limiter.fallenBack === true ? (['redis'] as const) : []),
  };
  const people = { languages, signIn, failedSignIns, seenSessions, health, brands };
  return { ...stored, ...files, ...networks, ...shared, ...numbers, ...notices, ...people, sender, readiness };
}

async function openMedia({ config, overrides: { lookup }, clock, log, shutdown }: Base) {
  const guard = createAddressGuard({ allowHosts: config.media.allowHosts, clock, ...(lookup === undefined ? {} : { lookup }) });
  const directory = join(config.dataDir, 'media');
  const media = createMedia({ guard, directory, maxBytes: config.media.maxBytes, clock, log });
  shutdown.add(() => media.close());
  await media.cleanUp();
  const logos = createLogoMaker({ clock, directory, log });
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
