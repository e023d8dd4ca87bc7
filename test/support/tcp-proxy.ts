import { connect, createServer } from 'node:net';
import { listening } from './listening.ts';

/** A way to a server on this machine that can be cut and blocked. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections, and every new one at once. */
  cut(): void;
  /** Lets connections through again. */
  mend(): void;
  /** From now on answers of the server are swallowed, on connections that stay open. */
  swallowAnswers(): void;
  /** How many bytes clients have sent. */
  readonly sent: number;
  /** Lets so many more bytes of clients through and then none; resolves when it comes to that. Mended by `mend`, for new connections. */
  haltAfter(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let whole = true;
  let swallowing = false;
  let sent = 0;
  let halt: { at: number; reached: () => void } | null = null;
  const server = createServer((client) => {
    if (!whole) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    track(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      const passing = halt === null ? chunk : chunk.subarray(0, Math.max(0, halt.at - sent));
      sent += passing.length;
      if (!upstream.write(passing)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
      if (passing.length < chunk.length) halt?.reached();
    });
    upstream.on('data', (chunk) => void (swallowing || client.write(chunk)));
  });
  const { port, track, cut: breakAll, close: stop } = await listening(server);
  return {
    port,
    cut() {
      whole = false;
      breakAll();
    },
    mend() {
      whole = true;
      swallowing = false;
      halt = null;
    },
    get sent() {
      return sent;
    },
    haltAfter(bytes) {
      const { promise, resolve: reached } = Promise.withResolvers<void>();
      halt = { at: sent + bytes, reached };
      return promise;
    },
    swallowAnswers() {
      swallowing = true;
    },
    close() {
      whole = false;
      return stop();
    },
  };
}
