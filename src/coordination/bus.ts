import type { Logger } from 'pino';
import { z } from 'zod';
import { newId } from '../core/index.ts';
import { read } from './call-texts.ts';
import { checkSize, type Wire } from './wire.ts';

/** How many publications may be on their way; further ones are lost, as they are when the wire is down. */
const mostUnderWay = 10_000;

/** What is told under one name. The payload must be JSON, and the schema must accept its own result again (no transforms). */
export interface Topic<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
}

interface Listener<Payload> {
  /** Must not block. One that throws is reported and keeps listening. */
  readonly hear: (payload: Payload) => void;
  /** Something may have been missed: load again what the topic is about. */
  readonly gap: () => void;
}

/**
 * Tells all nodes, with best effort. Listeners on the sending node hear it before `publish` returns, even while the wire is down;
 * those of other nodes hear it a little later, or learn that there is a gap.
 */
export interface Bus {
  /** Throws TextTooLarge over 1 MiB. */
  publish<Payload>(topic: Topic<Payload>, payload: Payload): void;
  /** Resolves once the topic is listened to, with what ends it. */
  subscribe<Payload>(topic: Topic<Payload>, listener: Listener<Payload>): Promise<() => Promise<void>>;
  /** Ends all listening. */
  close(): Promise<void>;
}

/** `payload` absent: the sender could not tell something. */
const busText = z.object({ from: z.string(), payload: z.unknown().optional() });

/** A bus over a wire, of Redis or of one process. */
export function createBus({ wire, log }: { wire: Wire; log: Logger }): Bus {
  const self = newId();
  const local = new Map<string, Set<Listener<unknown>>>();
  const unlisten = new Map<object, () => Promise<void>>();
  /** Topics with something that was not told, although others may have been listening the whole time. */
  const untold = new Set<string>();
  let underWay = 0;
  let closed = false;

  const safely = (topic: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      log.error({ err: error, topic }, 'a listener of the bus failed');
    }
  };

  async function send(topic: string, text: string): Promise<void> {
    if (underWay >= mostUnderWay) return void untold.add(topic);
    underWay++;
    try {
      await wire.publish(channelOf(topic), text);
      tellGaps();
    } catch (error) {
      untold.add(topic);
      log.debug({ err: error, topic }, 'other nodes were not told');
    } finally {
      underWay--;
    }
  }

  function tellGaps(): void {
    if (untold.size === 0) return;
    const topics = [...untold];
    untold.clear();
    for (const topic of topics) void send(topic, JSON.stringify({ from: self }));
  }

  const forget = wire.onChange((up) => {
    if (!up) return;
    for (const [topic, listeners] of local) for (const { gap } of [...listeners]) safely(topic, gap);
    tellGaps();
  });

  return {
    publish({ name }, payload) {
      if (closed) return;
      const text = JSON.stringify({ from: self, payload });
      checkSize(text);
      for (const listener of [...(local.get(name) ?? [])]) safely(name, () => listener.hear(payload));
      void send(name, text);
    },
    async subscribe(topic, { hear, gap }) {
      const { name } = topic;
      // Typed by its topic only here; two topics with one name would be a mistake, which the schema detects.
      const listener: Listener<unknown> = { hear: (payload) => hear(topic.payload.parse(payload)), gap };
      const listeners = local.get(name) ?? new Set();
      local.set(name, listeners.add(listener));
      const stop = await wire.listen(channelOf(name), (text) => {
        const said = read(busText, text);
        if (said === null) return void log.warn({ topic: name }, 'a message from another node has an unexpected form');
        if (said.from === self) return;
        safely(name, () => (said.payload === undefined ? gap() : listener.hear(said.payload)));
      });
      unlisten.set(listener, stop);
      return async () => {
        listeners.delete(listener);
        if (listeners.size === 0 && local.get(name) === listeners) local.delete(name);
        unlisten.delete(listener);
        await stop();
      };
    },
    async close() {
      closed = true;
      forget();
      local.clear();
      await Promise.all([...unlisten.values()].map((stop) => stop()));
      unlisten.clear();
    },
  };
}

function channelOf(topic: string): string {
  return `topic:${topic}`;
}
