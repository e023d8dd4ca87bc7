import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from './config/index.ts';
import { type Calls, createBus, type Handler, openCalls, type Served, type Topic } from './coordination/index.ts';
import { openRedis } from './coordination/redis/connection.ts';
import { createRedisRateLimiter, type SharedRateLimiter } from './coordination/redis/rate-limiter.ts';
import { createRedisWire } from './coordination/redis/wire.ts';
import { type Clock, LiveFeed, newId, systemClock, type Timer } from './core/index.ts';
import type { Installation } from './installation.ts';
import type { LiveEvent } from './sessions/index.ts';
import { requireRightClock, type Store } from './store/index.ts';

/** How often listeners are announced to other nodes, and how long an announcement counts. */
const announceEveryMs = 60_000;
const announcedMs = 150_000;
/** How often to count the nodes, for the share of each in a limit while Redis is down. */
const countEveryMs = 10_000;

const freeNumbers: Topic<null> = { name: 'free_numbers', payload: z.null() };
const listening: Topic<{ accountId: string }> = { name: 'listening', payload: z.object({ accountId: z.string() }) };
const live: Topic<{ from: string; accountId: string; event: LiveEvent; forAll: boolean }> = {
  name: 'live',
  payload: z.object({
    from: z.string(),
    accountId: z.string(),
    event: z.custom<LiveEvent>((value) => typeof value === 'object' && value !== null),
    forAll: z.boolean(),
  }),
};

/** What this process shares with the other servers of its installation. */
export interface Cluster {
  readonly calls: Calls;
  readonly limiter: SharedRateLimiter;
  /** Events of all nodes. */
  readonly feed: LiveFeed<LiveEvent>;
  /** The id of this node; null while it is none. */
  nodeId(): string | null;
  /** This process answers calls to this id from now on, and to an earlier one no more; after `leaveCalls` to none. */
  joined(nodeId: string, handlers: readonly Handler[]): Promise<void>;
  /** Throws OperatorError when this server must not be one of several. */
  mayJoin(): Promise<void>;
  tellFree(): void;
  /** Answers no more calls; resolves when those under way have been answered. */
  leaveCalls(): Promise<void>;
  /** Calls the listener whenever another node tells of free numbers. */
  onFree(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

interface ClusterOptions {
  readonly store: Store;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly log: Logger;
  /** What is compared with the database's clock; null: nothing is. */
  readonly wall: Pick<Clock, 'now'> | null;
  /** Instead of Redis' own clock, in milliseconds. */
  readonly serverTime?: (() => number) | undefined;
}

/** Connects this process with the other servers. Throws OperatorError when Redis cannot be used. */
export async function openCluster(
  config: Config & { readonly redisUrl: string },
  { store, installation, clock, wall, log, serverTime }: ClusterOptions,
): Promise<Cluster> {
  const connection = await openRedis(config.redisUrl, { log });
  const prefix = `gateway:${installation.id}:`;
  const processId = newId();
  const wire = createRedisWire({ connection, prefix, log });
  const bus = createBus({ wire, log });
  const calls = await openCalls({ wire, clock: systemClock, log });
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
      publish: (accountId, event, forAll) => bus.publish(live, { from: processId, accountId, event, forAll }),
      listens: (accountId) => bus.publish(listening, { accountId }),
      isHeard: (accountId) => (heardUntil.get(accountId) ?? 0) > systemClock.monotonic(),
    },
  });

  let nodeId: string | null = null;
  let served: Served | null = null;
  let left = false;
  let joining: Promise<void> = Promise.resolve();
  const join = async (id: string, handlers: readonly Handler[]) => {
    await served?.close();
    if (left) return;
    served = await calls.serve(id, handlers);
    nodeId = id;
  };
  const timers: Timer[] = [];
  const repeat = (everyMs: number, work: () => void) => {
    const place = timers.length;
    const again = () => {
      timers[place] = systemClock.after(everyMs, () => {
        work();
        again();
      });
    };
    again();
  };

  await bus.subscribe(live, {
    // A node hears itself too, and its own feed has told of it already.
    hear: ({ from, accountId, event, forAll }) => {
      if (from !== processId) feed.relayed(accountId, event, forAll);
    },
    gap: () => feed.missed(),
  });
  await bus.subscribe(listening, {
    hear: ({ accountId }) => void heardUntil.set(accountId, systemClock.monotonic() + announcedMs),
    gap: () => undefined,
  });
  repeat(announceEveryMs, () => {
    for (const [accountId, until] of heardUntil) if (until <= systemClock.monotonic()) heardUntil.delete(accountId);
    for (const accountId of feed.listenedTo()) bus.publish(listening, { accountId });
  });
  repeat(countEveryMs, () => {
    store.leases?.nodes().then(
      (all) => {
        nodes = Math.max(1, all.length);
      },
      (error: unknown) => log.debug({ err: error }, 'the nodes could not be counted'),
    );
  });

  return {
    calls,
    limiter,
    feed,
    nodeId: () => nodeId,
    joined(id, handlers) {
      joining = join(id, handlers);
      return joining;
    },
    async leaveCalls() {
      left = true;
      // Whoever began to join is told why it failed.
      await joining.catch(() => undefined);
      const leaving = served;
      served = null;
      nodeId = null;
      await leaving?.close();
    },
    mayJoin: async () => {
      if (wall !== null) await requireRightClock(store, wall);
    },
    tellFree: () => bus.publish(freeNumbers, null),
    async onFree(listener) {
      await bus.subscribe(freeNumbers, { hear: listener, gap: listener });
    },
    async close() {
      for (const timer of timers) timer.cancel();
      await served?.close();
      await calls.close();
      await bus.close();
      limiter.close();
      await connection.close();
    },
  };
}
