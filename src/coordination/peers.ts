import { type Clock, Periodic } from '../core/index.ts';

/** A server of the installation. */
export interface Peer {
  readonly id: string;
  /** Where the others reach it, for example `http://10.0.0.7:3000`. */
  readonly address: string;
}

/** An HTTP request that another server is to answer. */
export interface PeerRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: none. */
  readonly body: string | null;
  readonly requestId: string;
  /** Whether the caller came by https. */
  readonly https: boolean;
  /** How long the answer is waited for, in milliseconds. */
  readonly deadlineMs: number;
  /** Ends the wait, when the caller has left. */
  readonly signal?: AbortSignal;
}

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The status for a request that is not this server's to answer; nothing was done (RFC 9110 §15.5.20). */
export const misdirected = 421;

/**
 * Carries a request to a server; resolves to null when what listens at its address is not this server. Rejects with PeerError `unreachable` when
 * nothing has been sent, and with any other error when it is not known what became of it.
 */
export type Transport = (peer: Peer, request: PeerRequest, signal: AbortSignal) => Promise<PeerAnswer | null>;

/** Why another server did not answer, and whether it may have done what it was asked for. */
const failures = {
  unreachable: { done: 'no', message: 'nothing answers at the address of that server' },
  not_there: { done: 'no', message: 'at the address of that server there is another one' },
  busy: { done: 'no', message: 'too many requests to other servers are under way' },
  lost: { done: 'perhaps', message: 'the connection to the other server broke, or its time as a server is over' },
  timeout: { done: 'perhaps', message: 'the other server did not answer in time' },
} as const;

/** A request that another server did not answer. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly reason: keyof typeof failures;

  constructor(reason: keyof typeof failures, cause?: unknown) {
    super(failures[reason].message, { cause });
    this.reason = reason;
  }

  /** `no`: the request may safely be made again, anywhere. */
  get done(): 'no' | 'perhaps' {
    return failures[this.reason].done;
  }
}

/** How many requests may be under way, in all and to one server. */
const most = { altogether: 8000, toOne: 2000 };
/** How often it is looked whether the servers that are waited for still live. */
const lookMs = 2_000;

interface Options {
  readonly transport: Transport;
  readonly clock: Clock;
  /** The ids of the servers whose leases hold. */
  living(): Promise<readonly string[]>;
}

interface Pending {
  readonly peerId: string;
  readonly since: number;
  /** Its server was not among the living at the last look. */
  missed: boolean;
  fail(error: unknown): void;
}

/**
 * Requests to the other servers of the installation. A slow answer proves nothing, so a server is given up only when its lease is over at two looks
 * in a row: at the first its last answer may still be on its way.
 */
export class Peers {
  readonly #options: Options;
  readonly #pending = new Set<Pending>();
  readonly #toPeer = new Map<string, number>();
  /** Rounds for as long as there are requests under way. */
  readonly #looks: Periodic;

  constructor(options: Options) {
    this.#options = options;
    this.#looks = new Periodic({ clock: options.clock, everyMs: Number.POSITIVE_INFINITY, work: () => this.#endThoseOfTheGone() });
  }

  /** Throws PeerError when the server does not answer, and the signal's reason when the signal ended the wait. */
  async request(peer: Peer, request: PeerRequest): Promise<PeerAnswer> {
    const { transport, clock } = this.#options;
    const { signal } = request;
    signal?.throwIfAborted();
    const toPeer = this.#toPeer.get(peer.id) ?? 0;
    if (this.#pending.size >= most.altogether || toPeer >= most.toOne) throw new PeerError('busy');
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    const pending: Pending = { peerId: peer.id, since: clock.monotonic(), missed: false, fail };
    const deadline = clock.after(request.deadlineMs, () => fail(new PeerError('timeout')));
    const leave = () => fail(signal?.reason);
    signal?.addEventListener('abort', leave);
    this.#pending.add(pending);
    this.#toPeer.set(peer.id, toPeer + 1);
    this.#looks.wake(lookMs);
    const stop = new AbortController();
    try {
      const answer = await Promise.race([transport(peer, request, stop.signal), failed]);
      if (answer === null) throw new PeerError('not_there');
      return answer;
    } catch (error) {
      stop.abort();
      throw error instanceof PeerError || signal?.aborted === true ? error : new PeerError('lost', error);
    } finally {
      deadline.cancel();
      signal?.removeEventListener('abort', leave);
      this.#pending.delete(pending);
      const left = (this.#toPeer.get(peer.id) ?? 1) - 1;
      if (left === 0) this.#toPeer.delete(peer.id);
      else this.#toPeer.set(peer.id, left);
    }
  }

  async #endThoseOfTheGone(): Promise<void> {
    const { clock, living } = this.#options;
    if (this.#pending.size > 0) this.#looks.wake(lookMs);
    const old = [...this.#pending].filter(({ since }) => clock.monotonic() - since >= lookMs);
    if (old.length === 0) return;
    // While the store is away, nothing is known of others.
    const ids = await living().then(
      (all) => new Set(all),
      () => null,
    );
    if (ids === null) return;
    for (const pending of old) {
      const wasMissed = pending.missed;
      pending.missed = !ids.has(pending.peerId);
      if (wasMissed && pending.missed) pending.fail(new PeerError('lost'));
    }
  }
}
