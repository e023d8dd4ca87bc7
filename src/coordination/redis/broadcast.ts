import type { Logger } from 'pino';
import { z } from 'zod';
import { newId, OperatorError } from '../../core/index.ts';
import type { RedisConnection } from './connection.ts';

/** How many publications may be on their way; further ones are lost, as they are while Redis is away. */
const mostUnderWay = 10_000;

/** How long to wait after Redis did not let this server subscribe. */
const forbiddenMs = 10_000;

/** `payload` absent: the sender could not publish something. */
const published = z.object({ from: z.string(), payload: z.unknown().optional() });

/** Messages to the other servers, with best effort and nothing stored. Listeners of the same server do not get them: they know already. */
interface Broadcast {
  publish(topic: string, payload: unknown): void;
  /** `onGap`: something may have been missed. Throws OperatorError when Redis does not let its user subscribe. */
  subscribe(topic: string, listener: { readonly onMessage: (payload: unknown) => void; readonly onGap: () => void }): Promise<void>;
}

interface Options {
  readonly connection: RedisConnection;
  /** Before every channel's name: keeps installations apart that share a server, since channels know no database number. */
  readonly prefix: string;
  readonly log: Logger;
}

/** Broadcasts through Redis' publish and subscribe. A subscriber that may have missed something is notified of a gap. */
export function createRedisBroadcast({ connection, prefix, log }: Options): Broadcast {
  const { commands, subscriptions } = connection;
  const self = newId();
  const listeners = new Map<string, Parameters<Broadcast['subscribe']>[1]>();
  /** Topics with a message that could not be published, although others may have been listening the whole time. */
  const unpublished = new Set<string>();
  let underWay = 0;
  let nextTry: NodeJS.Timeout | undefined;

  subscriptions.on('message', (channel: string, text: string) => {
    const listener = listeners.get(channel);
    try {
      const { from, payload } = published.parse(JSON.parse(text));
      if (listener === undefined || from === self) return;
      if (payload === undefined) listener.onGap();
      else listener.onMessage(payload);
    } catch (error) {
      log.error({ err: error, channel }, 'a message of another server could not be used');
    }
  });

  /** A new connection is subscribed to nothing. */
  async function resubscribe(): Promise<void> {
    clearTimeout(nextTry);
    try {
      if (listeners.size > 0) await subscriptions.subscribe(...listeners.keys());
    } catch (error) {
      log.warn({ err: error }, 'Redis channels could not be subscribed to');
      if (!isForbidden(error)) {
        // Connects, and subscribes, again.
        return subscriptions.disconnect(true);
      }
      // A new connection would be refused as well, and so on without a pause.
      nextTry = setTimeout(() => {
        if (connection.up) void resubscribe();
      }, forbiddenMs).unref();
      return;
    }
    for (const { onGap } of listeners.values()) onGap();
    publishGaps();
  }

  connection.onChange((up) => {
    if (up) void resubscribe();
  });

  function publishGaps(): void {
    const topics = [...unpublished];
    unpublished.clear();
    for (const topic of topics) publish(topic);
  }

  function publish(topic: string, payload?: unknown): void {
    if (underWay >= mostUnderWay || commands.status !== 'ready') return void unpublished.add(topic);
    underWay++;
    commands
      .publish(prefix + topic, JSON.stringify({ from: self, payload }))
      .then(publishGaps, (error: unknown) => {
        unpublished.add(topic);
        log.debug({ err: error, topic }, 'a message to other servers could not be published');
      })
      .finally(() => underWay--);
  }

  return {
    publish,
    async subscribe(topic, listener) {
      const channel = prefix + topic;
      listeners.set(channel, listener);
      // While the connection is away, the channel is subscribed to with the others when it is back.
      if (subscriptions.status !== 'ready') return;
      await subscriptions.subscribe(channel).catch((error: unknown) => {
        if (isForbidden(error)) throw forbidden(error);
        subscriptions.disconnect(true);
      });
    },
  };
}

/** Whether the user of REDIS_URL lacks the right: since Redis 7 a new user may use no channel. */
function isForbidden(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('NOPERM');
}

function forbidden({ message }: Error): OperatorError {
  return new OperatorError(
    `the user in REDIS_URL may not subscribe to channels (${message}); let it use those of the gateway: ACL SETUSER <user> &gateway:*`,
  );
}
