import type { Logger } from 'pino';
import { z } from 'zod';
import { newId } from '../../core/index.ts';
import type { Broadcast } from '../broadcast.ts';
import type { RedisConnection } from './connection.ts';

/** How many publications may be on their way; further ones are lost, as they are while Redis is away. */
const mostUnderWay = 10_000;

/** `payload` absent: the sender could not tell something. */
const published = z.object({ from: z.string(), payload: z.unknown().optional() });

interface Options {
  readonly connection: RedisConnection;
  /** Before every channel's name: tells installations apart that share a server, since channels know no database number. */
  readonly prefix: string;
  readonly log: Logger;
}

/** Broadcasts through Redis' publish and subscribe. Who was cut off from it, or was not told of something, learns that there is a gap. */
export function createRedisBroadcast({ connection, prefix, log }: Options): Broadcast {
  const { commands, subscriptions } = connection;
  const self = newId();
  const listeners = new Map<string, Parameters<Broadcast['subscribe']>[1]>();
  /** Topics with something that others were not told, although they may have been listening the whole time. */
  const untold = new Set<string>();
  let underWay = 0;

  subscriptions.on('message', (channel: string, text: string) => {
    const listener = listeners.get(channel);
    try {
      const { from, payload } = published.parse(JSON.parse(text));
      if (listener === undefined || from === self) return;
      if (payload === undefined) listener.gap();
      else listener.hear(payload);
    } catch (error) {
      log.error({ err: error, channel }, 'what another server told could not be used');
    }
  });

  /** A new connection is subscribed to nothing. */
  async function resubscribe(): Promise<void> {
    try {
      if (listeners.size > 0) await subscriptions.subscribe(...listeners.keys());
    } catch (error) {
      log.warn({ err: error }, 'Redis channels could not be subscribed to');
      // Connects, and subscribes, again.
      return subscriptions.disconnect(true);
    }
    for (const { gap } of listeners.values()) gap();
    tellGaps();
  }

  connection.onChange((up) => {
    if (up) void resubscribe();
  });

  function tellGaps(): void {
    const topics = [...untold];
    untold.clear();
    for (const topic of topics) publish(topic);
  }

  function publish(topic: string, payload?: unknown): void {
    if (underWay >= mostUnderWay || commands.status !== 'ready') return void untold.add(topic);
    underWay++;
    commands
      .publish(prefix + topic, JSON.stringify({ from: self, payload }))
      .then(tellGaps, (error: unknown) => {
        untold.add(topic);
        log.debug({ err: error, topic }, 'other servers were not told');
      })
      .finally(() => underWay--);
  }

  return {
    publish,
    async subscribe(topic, listener) {
      const channel = prefix + topic;
      listeners.set(channel, listener);
      // While the connection is away, the channel is subscribed to with the others when it is back.
      if (subscriptions.status === 'ready') await subscriptions.subscribe(channel).catch(() => subscriptions.disconnect(true));
    },
  };
}
