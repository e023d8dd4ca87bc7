import type { Logger } from 'pino';
import { Listeners } from '../listeners.ts';
import { checkSize, NotSent, type Wire } from '../wire.ts';
import type { RedisConnection } from './connection.ts';

/** How many channels are subscribed to with one command after a reconnect. */
const channelsAtOnce = 500;

interface Options {
  readonly connection: RedisConnection;
  /** Before every channel's name: tells installations apart that share a server, since channels know no database number. */
  readonly prefix: string;
  readonly log: Logger;
}

/**
 * A wire over Redis' publish and subscribe: nothing is stored, and the server says at once how many heard a text. Streams would keep texts
 * for a node that is gone, which would be wrong here: a call that is answered late was made again elsewhere.
 */
export function createRedisWire({ connection, prefix, log }: Options): Wire {
  const { commands, subscriptions } = connection;
  const channels = new Map<string, Set<(text: string) => void>>();
  const listeners = new Listeners();
  let up = connection.up;

  const look = (now: boolean) => {
    if (now === up) return;
    up = now;
    listeners.tell(up);
  };

  subscriptions.on('message', (channel: string, text: string) => {
    for (const heard of [...(channels.get(channel) ?? [])]) heard(text);
  });

  async function subscribe(names: readonly string[]): Promise<void> {
    try {
      await subscriptions.subscribe(...names);
    } catch (error) {
      log.warn({ err: error }, 'Redis channels could not be subscribed to');
      // Reconnects, and subscribes to all channels again.
      subscriptions.disconnect(true);
      throw error;
    }
  }

  // A new connection is subscribed to nothing.
  async function resubscribe(): Promise<void> {
    const names = [...channels.keys()];
    for (let from = 0; from < names.length; from += channelsAtOnce) await subscribe(names.slice(from, from + channelsAtOnce));
  }

  connection.onChange((connected) => {
    if (!connected) return look(false);
    resubscribe().then(
      () => look(connection.up),
      () => undefined,
    );
  });

  let gathering = false;
  /** What is published in one turn of the event loop goes into the socket together: each separate write would be a system call. */
  function gather(): void {
    if (gathering) return;
    gathering = true;
    const { stream } = commands;
    stream.cork();
    setImmediate(() => {
      gathering = false;
      stream.uncork();
    });
  }

  return {
    get up() {
      return up;
    },
    onChange: (listener) => listeners.add(listener),
    async publish(channel, text) {
      checkSize(text);
      if (commands.status !== 'ready') throw new NotSent('Redis cannot be used now');
      gather();
      return commands.publish(prefix + channel, text);
    },
    async listen(name, heard) {
      const channel = prefix + name;
      const known = channels.get(channel);
      const all = known ?? new Set();
      // A function of its own, so that one listener may listen twice.
      const own = (text: string) => heard(text);
      channels.set(channel, all.add(own));
      // While the connection is away, the channel is subscribed to with the others when it is back.
      if (subscriptions.status === 'ready') await subscribe([channel]).catch(() => undefined);
      return async () => {
        all.delete(own);
        if (all.size > 0 || channels.get(channel) !== all) return;
        channels.delete(channel);
        if (subscriptions.status === 'ready') await subscriptions.unsubscribe(channel).catch(() => undefined);
      };
    },
  };
}
