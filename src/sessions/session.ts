import { type Clock, type Timer, utcDay } from '../core/index.ts';
import type {
  CloseReason,
  CredentialStore,
  Link,
  LinkEvent,
  Network,
  OutgoingMessage,
  Reachability,
  SendOutcome,
} from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import { backoffMs } from './backoff.ts';
import type { Slots } from './slots.ts';

export type Status = 'open' | 'connecting' | 'close';

/** A pairing attempt as callers see it. */
export interface Attempt {
  /** null while the network has not given the first code, and after exhaustion. */
  readonly code: string | null;
  readonly pairingCode: string | null;
  /** Codes issued so far. */
  readonly sequence: number;
  readonly exhausted: boolean;
}

/** What a session needs from the registry. */
export interface SessionWorld {
  readonly network: Network;
  readonly credentials: CredentialStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** Bounds how many sessions log in at once. */
  readonly logins: Slots;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Whether another session of the account is linked with this number. */
  linkedElsewhere(phoneNumber: string): boolean;
  /** Stores what was learned; resolves when it is kept. */
  keep(change: { phone_number?: string; conflict?: number }): Promise<void>;
  /** The number was seen connected on this UTC day. */
  seenConnected(phoneNumber: string, day: string): Promise<void>;
}

/** How long a send waits for a link that is coming back (decisions §5). */
const linkWaitMs = 5_000;
/** How long a live check may take. */
const probeMs = 5_000;
/** How long a login may take before another may begin in its place. */
const loginMs = 30_000;

/**
 * One instance's life: pairing, being connected, coming back after a lost connection, being unlinked.
 * Everything a link tells is handled in order; a link that was given up is no longer listened to.
 */
export class Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  label: string | null;
  phoneNumber: string | null;
  readonly #world: SessionWorld;
  #link: Link | null = null;
  #status: Status = 'close';
  #linked: boolean;
  #conflict: boolean;
  #attempt: Attempt | null = null;
  #failures = 0;
  #retry: Timer | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #stopped = false;
  readonly #changeListeners = new Set<() => void>();

  constructor(row: InstanceRow, world: SessionWorld) {
    this.id = row.id;
    this.accountId = row.account_id;
    this.createdAt = row.created_at;
    this.label = row.label;
    this.phoneNumber = row.phone_number;
    this.#linked = row.linked === 1;
    this.#conflict = row.conflict === 1;
    this.#world = world;
  }

  get network(): Network {
    return this.#world.network;
  }

  get status(): Status {
    return this.#status;
  }

  /** True while the number is linked, whether or not its connection is up right now. */
  get linked(): boolean {
    return this.#linked;
  }

  /** True after a scan with a number that is connected on another instance, until the next pairing attempt. */
  get conflict(): boolean {
    return this.#conflict;
  }

  get attempt(): Attempt | null {
    return this.#attempt;
  }

  /** Connects a linked instance after a start; does nothing for others. */
  resume(): void {
    if (!this.#linked) return;
    this.#set('connecting');
    void this.#connect();
  }

  /** Starts a pairing attempt unless one is running or the number is linked. Waits up to `waitMs` for the first code. */
  async pair(waitMs: number): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#linked || this.#stopped) return;
      const running = this.#attempt !== null && !this.#attempt.exhausted;
      if (running) return;
      if (this.#conflict) {
        await this.#world.keep({ conflict: 0 });
        this.#conflict = false;
      }
      this.#attempt = { code: null, pairingCode: null, sequence: 0, exhausted: false };
      this.#open();
    });
    await this.#until(() => this.#attempt?.code != null || this.#attempt === null || this.#linked, waitMs);
  }

  /** Adds a pairing code for this phone number to the running attempt, where the network has such codes. */
  async requestPairingCode(phoneNumber: string): Promise<void> {
    const link = this.#link;
    if (link === null || this.#attempt?.code == null) return;
    const pairingCode = await link.requestPairingCode(phoneNumber);
    if (this.#attempt !== null && this.#link === link) this.#attempt = { ...this.#attempt, pairingCode };
  }

  /** Hands a message to the network; while the link is coming back it waits up to 5 s for it. Never throws. */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    return this.#status === 'open' && this.#link !== null ? this.#link.send(message) : this.#sendWhenOpen(message);
  }

  /** Asks the network for numbers (digits); null for each it cannot say. */
  async check(numbers: readonly string[]): Promise<Reachability[]> {
    if (this.#status !== 'open') await this.#until(() => this.#status !== 'connecting', linkWaitMs);
    if (this.#status !== 'open' || this.#link === null) return numbers.map(() => ({ reachable: null, networkNumber: null }));
    return this.#link.check(numbers);
  }

  /** Whether the state is known: a live check came back in time, or the link ended meanwhile. A session that is not open needs no check. */
  async probe(): Promise<boolean> {
    const link = this.#link;
    if (this.#status !== 'open' || link === null) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#world.clock.after(probeMs, () => resolve(false));
    link.probe().then(resolve, () => resolve(false));
    const answered = await promise.finally(() => timer.cancel());
    if (answered) return true;
    await this.#work;
    return this.#link !== link;
  }

  /** Unlinks at the network and ends a running attempt. The instance stays. When it fails, a linked number comes back as after a lost connection. */
  async logout(): Promise<void> {
    await this.#inOrder(() => this.#unlink());
  }

  /** Unlinks for good: the instance is about to be removed and starts nothing any more. */
  async retire(): Promise<void> {
    await this.#inOrder(async () => {
      await this.#unlink();
      this.#stopped = true;
    });
  }

  /** Closes the connection and keeps the number linked, for a stop of the process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#inOrder(async () => {
      this.#retry?.cancel();
      const link = this.#link;
      this.#link = null;
      await link?.close();
      this.#set(this.#linked ? 'connecting' : 'close');
    });
  }

  /** Resolves when everything the link has told so far is handled and stored. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #sendWhenOpen(message: OutgoingMessage): Promise<SendOutcome> {
    await this.#until(() => this.#status !== 'connecting', linkWaitMs);
    if (this.#status !== 'open' || this.#link === null) return { outcome: 'not_sent' };
    return this.#link.send(message);
  }

  /** Resolves when the condition holds or the time is up. */
  async #until(condition: () => boolean, waitMs: number): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = () => {
      if (condition()) resolve();
    };
    const timer = this.#world.clock.after(waitMs, resolve);
    this.#changeListeners.add(listener);
    try {
      await promise;
    } finally {
      timer.cancel();
      this.#changeListeners.delete(listener);
    }
  }

  #set(status: Status): void {
    this.#status = status;
    for (const listener of [...this.#changeListeners]) listener();
  }

  async #unlink(): Promise<void> {
    this.#retry?.cancel();
    const link = this.#link ?? (this.#linked ? this.#openLink() : null);
    this.#link = null;
    this.#attempt = null;
    try {
      await link?.logout();
    } catch (error) {
      if (this.#linked) this.#comeBackLater(null);
      else this.#set('close');
      throw error;
    }
    this.#linked = false;
    this.#set('close');
  }

  // One change at a time: an event that arrives while another is being stored waits for it.
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #connect(): Promise<void> {
    const release = await this.#world.logins.take();
    // A number that was logged out and paired anew while it waited has its link already.
    if (this.#stopped || !this.#linked || this.#link !== null) return release();
    const timer = this.#world.clock.after(loginMs, release);
    this.#open();
    await this.#until(() => this.#status !== 'connecting' || this.#link === null, loginMs);
    timer.cancel();
    release();
  }

  #open(): void {
    this.#link = this.#openLink();
  }

  #openLink(): Link {
    const opened: Link = this.#world.network.open({
      instanceId: this.id,
      accountId: this.accountId,
      credentials: this.#world.credentials,
      onEvent: (event) => {
        void this.#inOrder(async () => {
          if (this.#link !== opened) return;
          await this.#handle(event, opened);
        }).catch((error) => {
          this.#world.log.error({ err: error, instance_id: this.id, event: event.type }, 'a link event could not be handled');
          this.#comeBackLater(opened);
        });
      },
    });
    return opened;
  }

  async #handle(event: LinkEvent, link: Link): Promise<void> {
    switch (event.type) {
      case 'code':
        this.#attempt = { code: event.code, pairingCode: this.#attempt?.pairingCode ?? null, sequence: event.sequence, exhausted: false };
        this.#set('connecting');
        return;
      case 'open':
        return this.#opened(event.phoneNumber, link);
      case 'closed':
        return this.#closed(event.reason);
    }
  }

  async #opened(phoneNumber: string, link: Link): Promise<void> {
    // Only a new link can collide; one that comes back was there first.
    if (this.#attempt !== null && this.#world.linkedElsewhere(phoneNumber)) {
      this.#link = null;
      this.#attempt = null;
      await link.logout();
      await this.#world.keep({ conflict: 1 });
      this.#conflict = true;
      this.#set('close');
      return;
    }
    this.#linked = true;
    this.#attempt = null;
    this.#failures = 0;
    // Set before it is stored, so that a second instance linked at the same moment sees it.
    this.phoneNumber = phoneNumber;
    await this.#world.keep({ phone_number: phoneNumber });
    await this.#world.seenConnected(phoneNumber, utcDay(this.#world.clock.now()));
    this.#set('open');
  }

  async #closed(reason: CloseReason): Promise<void> {
    this.#link = null;
    switch (reason) {
      case 'restart':
        this.#open();
        return;
      case 'lost':
        if (this.#linked) return this.#comeBackLater(null);
        this.#attempt = null;
        break;
      case 'codes_exhausted':
        if (this.#attempt !== null) this.#attempt = { ...this.#attempt, code: null, pairingCode: null, exhausted: true };
        break;
      case 'unlinked':
      case 'replaced':
      case 'banned':
      case 'refused':
        this.#world.log.warn({ instance_id: this.id, reason }, 'a number is no longer linked');
        this.#linked = false;
        this.#attempt = null;
        break;
    }
    this.#set('close');
  }

  #comeBackLater(failed: Link | null): void {
    if (failed !== null && this.#link !== failed) return;
    this.#link = null;
    failed?.close().catch((error) => this.#world.log.error({ err: error, instance_id: this.id }, 'a link could not be closed'));
    if (this.#stopped) return;
    this.#set('connecting');
    this.#retry = this.#world.clock.after(backoffMs(this.#failures++, this.#world.random), () => void this.#connect());
  }
}
