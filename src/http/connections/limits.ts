import { neededOpenFiles } from '../../core/index.ts';

/** How many connections the server keeps, and how long it waits for a client that does nothing. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Connections open at once, from all clients together. */
  readonly altogether: number;
  /** Connections open at once from one address, or from one /64 network of IPv6. Trusted proxies are exempt: they speak for many clients. */
  readonly perAddress: number;
  /** For the TLS handshake, and from the connection (or the last answer's next byte) until the whole head of a request has come. */
  readonly headMs: number;
  /** For the next byte of a request, or until the client reads the next byte of its answer. */
  readonly stallMs: number;
  /** Between two requests. Trusted proxies are exempt: they close their idle connections themselves. */
  readonly idleMs: number;
  /** For a whole request, head and body. */
  readonly requestMs: number;
  /** How long a stop waits for the requests that are under way. */
  readonly stopMs: number;
}

/** What docs/operating.md ("Clients that hang") says. Node takes up to twice `stallMs` to see that an answer is not read. */
const connectionLimits: ConnectionLimits = {
  altogether: 5000,
  perAddress: 2000,
  headMs: 10_000,
  stallMs: 8_000,
  idleMs: 15_000,
  requestMs: 60_000,
  stopMs: 15_000,
};

/**
 * The limits of a process that may have so many files and connections open (null: any number). Clients get half of them. The other half is for
 * the store, for media, and for the linked numbers, each of which has a connection of its own.
 */
export function connectionLimitsFor(openFiles: number | null): ConnectionLimits {
  if (openFiles === null || openFiles >= neededOpenFiles) return connectionLimits;
  const { altogether, perAddress } = connectionLimits;
  return {
    ...connectionLimits,
    altogether: Math.floor((altogether * openFiles) / neededOpenFiles),
    perAddress: Math.floor((perAddress * openFiles) / neededOpenFiles),
  };
}
