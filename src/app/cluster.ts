import { hostname } from 'node:os';
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { createHttpTransport, createPeerKeys, Peers, reachPeer, sharedTime } from '../coordination/index.ts';
import { createRedisBroadcast } from '../coordination/redis/broadcast.ts';
import { openRedis } from '../coordination/redis/connection.ts';
import { createRedisRateLimiter } from '../coordination/redis/rate-limiter.ts';
import { LiveFeed, Periodic, systemClock } from '../core/index.ts';
import type { ServersProbe } from '../health/index.ts';
import type { LiveEvent } from '../sessions/index.ts';
import { requireRightClock } from '../store/index.ts';
import { joinInstallation, readSecretKey } from '../vault/index.ts';
import type { Stored } from './storage.ts';

/** How often listeners are announced to other nodes, and how long an announcement counts. */
const announceEveryMs = 60_000;
const announcedMs = 150_000;
/** How often to count the nodes, for the share of each in a limit while Redis is down, and to look for a new key. */
const countEveryMs = 10_000;

const listening = z.object({ accountId: z.string() });
const live = z.object({
  accountId: z.string(),
  event: z.custom<LiveEvent>((value) => typeof value === 'object' && value !== null),
  forAll: z.boolean(),
});

/** Connects this process with the other servers, and gives what it shares with them. Throws OperatorError when Redis cannot be used. */
export async function openCluster(context: Stored, redisUrl: string) {
  const { config, overrides, store, vault, clock, time, wall, log, shutdown, state } = context;
  const prefix = `gateway:${await joinInstallation(store, readSecretKey(config))}:`;
  const connection = await openRedis(redisUrl, { log });
  shutdown.add(() => connection.close());
  const broadcast = createRedisBroadcast({ connection, prefix, log });
  const nodeIds = async () => ((await store.leases?.nodes()) ?? []).map(({ id }) => id);
  let nodes = 1;
  const limiter = createRedisRateLimiter({
    connection,
    prefix,
    clock,
    log,
    liveNodes: () => nodes,
    ...(overrides.redisTime === undefined ? {} : { serverTime: overrides.redisTime }),
  });
  shutdown.add(async () => limiter.close());
  const keys = createPeerKeys(vault, systemClock);
  const signedBy = sharedTime(time, systemClock);
  const { transport, close } = createHttpTransport({ keys, certFile: config.tls?.certFile ?? null, time: signedBy });
  shutdown.add(close);
  const peers = new Peers({ transport, clock: systemClock, living: nodeIds });

  /** Until when somebody listens to an account elsewhere, by the stopwatch. */
  const listeningUntil = new Map<string, number>();
  const feed = new LiveFeed<LiveEvent>({
    clock,
    log,
    relay: {
      publish: (accountId, event, forAll) => broadcast.publish('live', { accountId, event, forAll }),
      announce: (accountId) => broadcast.publish('listening', { accountId }),
      hasListeners: (accountId) => (listeningUntil.get(accountId) ?? 0) > systemClock.monotonic(),
    },
  });

  let nodeId: string | null = null;
  let left = false;

  await broadcast.subscribe('live', {
    onMessage(message) {
      const { accountId, event, forAll } = live.parse(message);
      feed.onRelayed(accountId, event, forAll);
    },
    onGap: () => feed.onMissed(),
  });
  await broadcast.subscribe('listening', {
    onMessage: (message) => void listeningUntil.set(listening.parse(message).accountId, systemClock.monotonic() + announcedMs),
    onGap: () => undefined,
  });
  const announcing = new Periodic({
    clock: systemClock,
    everyMs: announceEveryMs,
    work() {
      for (const [accountId, until] of listeningUntil) if (until <= systemClock.monotonic()) listeningUntil.delete(accountId);
      for (const accountId of feed.listenedAccounts()) broadcast.publish('listening', { accountId });
    },
  }).start();
  const counting = new Periodic({
    // Without a log, because a store that is away is logged elsewhere.
    clock: systemClock,
    everyMs: countEveryMs,
    async work() {
      keys.look();
      nodes = Math.max(1, (await nodeIds()).length);
    },
  }).start();
  // Changes nothing that is kept, so a store that does not answer is not waited for.
  shutdown.add(async () => void counting.stop());
  shutdown.add(() => announcing.stop());

  const others: ServersProbe = {
    others: async () => ((await store.leases?.nodes()) ?? []).filter(({ id }) => id !== nodeId),
    reach: (node) => reachPeer(peers, node),
  };
  return {
    ...{ peers, limiter, feed, others },
    /** What servers sign their requests to each other with, and PostgreSQL's time, by which those signatures are judged. */
    ...{ keys, time: signedBy },
    /** Where the other nodes reach this one. */
    address: () => nodeUrl(config, state.address),
    /** The id of this node; null while it is none, and after `leave`. */
    nodeId: () => nodeId,
    /** This process is this node from now on. */
    joined(id: string): void {
      if (!left) nodeId = id;
    },
    /** Answers no more requests of other nodes, but for those under way. */
    leave(): void {
      left = true;
      nodeId = null;
    },
    /** Throws OperatorError when this server must not be one of several. */
    mayJoin: async () => {
      if (wall !== null) await requireRightClock(store, wall);
    },
    announceFree: () => broadcast.publish('free_numbers', null),
    /** Calls the listener whenever another node has given numbers up. */
    onFree: (listener: () => void) => broadcast.subscribe('free_numbers', { onMessage: listener, onGap: listener }),
  };
}

/** Where the other servers reach this one, which listens at `address`: NODE_URL, else that address, with the machine's name where it stands for all. */
export function nodeUrl({ nodeUrl: configured, host }: Pick<Config, 'nodeUrl' | 'host'>, address: string): string {
  if (configured !== null) return configured;
  const url = new URL(address);
  if (host === '0.0.0.0' || host === '::') url.hostname = hostname();
  return url.origin;
}
