import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from './config/index.ts';
import { createHttpTransport, Peers, peersKeyOf, reachPeer, type SharedTime, sharedTime } from './coordination/index.ts';
import { createRedisBroadcast } from './coordination/redis/broadcast.ts';
import { openRedis } from './coordination/redis/connection.ts';
import { createRedisRateLimiter, type SharedRateLimiter } from './coordination/redis/rate-limiter.ts';
import { type AgeTime, type Clock, LiveFeed, Periodic, systemClock, type Vault } from './core/index.ts';
import type { ServersProbe } from './health/index.ts';
import type { Installation } from './installation.ts';
import type { LiveEvent } from './sessions/index.ts';
import { requireRightClock, type Store } from './store/index.ts';

/** How often listeners are announced to other nodes, and how long an announcement counts. */
const announceEveryMs = 60_000;
const announcedMs = 150_000;
/** How often to count the nodes, for the share of each in a limit while Redis is down. */
const countEveryMs = 10_000;

const listening = z.object({ accountId: z.string() });
const live = z.object({
  accountId: z.string(),
  event: z.custom<LiveEvent>((value) => typeof value === 'object' && value !== null),
  forAll: z.boolean(),
});

/** What this process shares with the other servers of its installation. */
export interface Cluster {
  readonly peers: Peers;
  /** What servers sign their requests to each other with. */
  readonly key: KeyObject;
  /** PostgreSQL's time, by which those signatures are judged. */
  readonly time: SharedTime;
  readonly limiter: SharedRateLimiter;
  /** Events of all nodes. */
  readonly feed: LiveFeed<LiveEvent>;
  /** The id of this node; null while it is none, and after `leave`. */
  nodeId(): string | null;
  /** This process is this node from now on. */
  joined(nodeId: string): void;
  /** Throws OperatorError when this server must not be one of several. */
  mayJoin(): Promise<void>;
  announceFree(): void;
  /** The other nodes, for who looks whether they can be reached. */
  readonly others: ServersProbe;
  /** Answers no more requests of other nodes, but for those under way. */
  leave(): void;
  /** Calls the listener whenever another node tells of free numbers. */
  onFree(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

interface ClusterOptions {
  readonly store: Store;
  readonly installation: Installation;
  readonly vault: Pick<Vault, 'derive'>;
  readonly clock: Clock;
  readonly time: AgeTime;
  readonly log: Logger;
  /** What is compared with the database's clock; null: nothing is. */
  readonly wall: Pick<Clock, 'now'> | null;
  /** Instead of Redis' own clock, in milliseconds. */
  readonly serverTime?: (() => number) | undefined;
}

/** Connects this process with the other servers. Throws OperatorError when Redis cannot be used. */
export async function openCluster(
  config: Config & { readonly redisUrl: string },
  { store, installation, vault, clock, time, wall, log, serverTime }: ClusterOptions,
): Promise<Cluster> {
  const connection = await openRedis(config.redisUrl, { log });
  const prefix = `gateway:${installation.id}:`;
  const broadcast = createRedisBroadcast({ connection, prefix, log });
  const key = peersKeyOf(vault);
  const signedBy = sharedTime(time, systemClock);
  const way = createHttpTransport({ key, certFile: config.tls?.certFile ?? null, time: signedBy });
  const nodeIds = async () => ((await store.leases?.nodes()) ?? []).map(({ id }) => id);
  const peers = new Peers({ transport: way.transport, clock: systemClock, living: nodeIds });
  let nodes = 1;
  const limiter = createRedisRateLimiter({
    connection,
    prefix,
    clock,
    log,
    liveNodes: () => nodes,
    ...(serverTime === undefined ? {} : { serverTime }),
  });

  /** Until when somebody listens to an account elsewhere, by the stopwatch. */
  const heardUntil = new Map<string, number>();
  const feed = new LiveFeed<LiveEvent>({
    clock,
    log,
    relay: {
      publish: (accountId, event, forAll) => broadcast.publish('live', { accountId, event, forAll }),
      listens: (accountId) => broadcast.publish('listening', { accountId }),
      isHeard: (accountId) => (heardUntil.get(accountId) ?? 0) > systemClock.monotonic(),
    },
  });

  let nodeId: string | null = null;
  let left = false;

  await broadcast.subscribe('live', {
    hear(told) {
      const { accountId, event, forAll } = live.parse(told);
      feed.relayed(accountId, event, forAll);
    },
    gap: () => feed.missed(),
  });
  await broadcast.subscribe('listening', {
    hear: (told) => void heardUntil.set(listening.parse(told).accountId, systemClock.monotonic() + announcedMs),
    gap: () => undefined,
  });
  const announcing = new Periodic({
    clock: systemClock,
    everyMs: announceEveryMs,
    work() {
      for (const [accountId, until] of heardUntil) if (until <= systemClock.monotonic()) heardUntil.delete(accountId);
      for (const accountId of feed.listenedTo()) broadcast.publish('listening', { accountId });
    },
  }).start();
  const counting = new Periodic({
    // Without a log, because a store that is away is logged elsewhere.
    clock: systemClock,
    everyMs: countEveryMs,
    async work() {
      nodes = Math.max(1, (await nodeIds()).length);
    },
  }).start();

  return {
    ...{ peers, key, time: signedBy, limiter, feed },
    nodeId: () => nodeId,
    joined(id) {
      if (!left) nodeId = id;
    },
    leave() {
      left = true;
      nodeId = null;
    },
    others: {
      others: async () => ((await store.leases?.nodes()) ?? []).filter(({ id }) => id !== nodeId),
      reach: (node) => reachPeer(peers, node),
    },
    mayJoin: async () => {
      if (wall !== null) await requireRightClock(store, wall);
    },
    announceFree: () => broadcast.publish('free_numbers', null),
    onFree: (listener) => broadcast.subscribe('free_numbers', { hear: listener, gap: listener }),
    async close() {
      await announcing.stop();
      // Changes nothing that is kept, so a store that does not answer is not waited for.
      void counting.stop();
      await way.close();
      limiter.close();
      await connection.close();
    },
  };
}
