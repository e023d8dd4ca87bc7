import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '../wire/live.ts';

/** How much may be buffered for a client that does not read. Beyond that it is disconnected, and reconnects for the events it missed. */
const mostWaitingBytes = 256 * 1024;
/** How soon a browser comes back after a stream has ended. */
const comeBackMs = 1000;

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies that gather an answer before they pass it on would gather this one for ever.
  'x-accel-buffering': 'no',
};

/** One client's server-sent events (HTML Standard §9.2), as the rest of an answer that has begun. */
export class EventStream {
  readonly #response: FastifyReply['raw'];

  /** Begins the answer. From here on no other code may answer. `closed` is called once, however it ends. */
  constructor(reply: FastifyReply, closed: () => void) {
    reply.headers(streamHeaders).hijack();
    this.#response = reply.raw;
    // One that left while it was let in has closed already and emits nothing more.
    if (this.#response.destroyed) process.nextTick(closed);
    else this.#response.once('close', closed);
    // `closed` reports that the client has gone.
    this.#response.on('error', () => undefined);
    this.#response.writeHead(200, reply.getHeaders() as Record<string, string>);
    this.#write(`retry: ${comeBackMs}\n\n`);
  }

  /** True when nothing can be sent any more. */
  get ended(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Sends an event; `id` is what the client names when it comes back. */
  send({ event, data }: LiveEvent, id: string): void {
    this.#write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends a comment, so that proxies keep the connection open. */
  beat(): void {
    this.#write(':\n\n');
  }

  /** Ends it after what was sent. */
  end(): void {
    if (!this.ended) this.#response.end();
  }

  /** Ends it now, whatever still waits. */
  drop(): void {
    this.#response.destroy();
  }

  #write(text: string): void {
    if (this.ended) return;
    this.#response.write(text);
    if (this.#response.writableLength > mostWaitingBytes) this.drop();
  }
}
