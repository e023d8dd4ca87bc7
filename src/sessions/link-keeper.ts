import type { Act, Actor } from '../accounts/index.ts';
import { Changes, Turns, utcDay } from '../core/index.ts';
import { type CloseReason, type Link, LinkEnded, type LinkEvent, type Restriction } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import { Attempt } from './attempt.ts';
import { Reconnect } from './reconnect.ts';
import { inForce, keepsAway, restrictionColumns, storedRestriction } from './restriction.ts';
import type { SessionWorld } from './session-world.ts';

export type Status = 'open' | 'connecting' | 'close';

/** How long a login may take before another may begin in its place. */
const loginMs = 30_000;
const system: Actor = { kind: 'system' };

/**
 * Keeps one instance's link: opens it, reacts to what it tells, brings it back when it is lost, and gives it up.
 * Everything a link tells is handled in order; a link that was given up is no longer listened to.
 */
export class LinkKeeper {
  readonly #row: Pick<InstanceRow, 'id' | 'account_id'>;
  readonly #world: SessionWorld;
  readonly #changes: Changes;
  readonly #reconnect: Reconnect;
  #link: Link | null = null;
  #status: Status = 'close';
  #linked: boolean;
  #conflict: boolean;
  #phoneNumber: string | null;
  #attempt: Attempt | null = null;
  #restriction: Restriction | null;
  /** One change at a time: an event that arrives while another is being stored waits for it. */
  readonly #work = new Turns();
  #stopped = false;
  #unlinking = false;
  #disconnection: Act | null = null;

  constructor(row: InstanceRow, world: SessionWorld) {
    this.#row = row;
    this.#world = world;
    this.#linked = row.linked === 1;
    this.#conflict = row.conflict === 1;
    this.#phoneNumber = row.phone_number;
    this.#restriction = storedRestriction(row, world.clock.now());
    this.#changes = new Changes(world.clock);
    this.#reconnect = new Reconnect(world.clock, world.random, () => void this.#connect());
  }

  /** The link that is open, being opened, or pairing; null while there is none. */
  get link(): Link | null {
    return this.#link;
  }

  get status(): Status {
    return this.#status;
  }

  get linked(): boolean {
    return this.#linked;
  }

  get conflict(): boolean {
    return this.#conflict;
  }

  get phoneNumber(): string | null {
    return this.#phoneNumber;
  }

  get attempt(): Attempt | null {
    return this.#attempt;
  }

  /** Who is disconnecting the number right now; null while nobody is, and while it is removed altogether. */
  get disconnection(): Act | null {
    return this.#disconnection;
  }

  /** What the network does not let the number do right now. */
  get restriction(): Restriction | null {
    return inForce(this.#restriction, this.#world.clock.now());
  }

  /** Resolves when the condition over this state holds, or the time is up. */
  until(condition: () => boolean, waitMs: number): Promise<void> {
    return this.#changes.until(condition, waitMs);
  }

  /** Resolves when everything the link has told so far is handled and stored. */
  async settled(): Promise<void> {
    await this.#work.ended();
  }

  /** Connects a linked instance, a banned one when its ban is over; does nothing for others. */
  resume(): void {
    if (!this.#linked) return;
    this.#set('connecting');
    const { restriction } = this;
    if (restriction?.reason !== 'temporarily_banned' || restriction.until === null) return void this.#connect();
    this.#reconnect.notBefore(restriction.until);
    this.#reconnect.later();
  }

  /** Starts a pairing attempt unless one is running or the number is linked. */
  pair(startedBy: Actor): Promise<void> {
    return this.#work.take(async () => {
      if (this.#linked || this.#stopped) return;
      const running = this.#attempt !== null && !this.#attempt.exhausted;
      if (running) return;
      if (this.#conflict) {
        await this.#world.keep({ conflict: 0 });
        this.#conflict = false;
      }
      this.#attempt = new Attempt(startedBy);
      this.#link = this.#open();
    });
  }

  /** Unlinks at the network and ends a running attempt. When it fails, a linked number comes back as after a lost connection. */
  disconnect(by: Actor): Promise<void> {
    return this.#work.take(async () => {
      this.#disconnection = { actor: by, now: this.#world.clock.now() };
      await this.#unlink().finally(() => {
        this.#disconnection = null;
      });
    });
  }

  /** Like `disconnect`, and nothing is started any more: the instance is about to be removed. */
  retire(): Promise<void> {
    return this.#work.take(async () => {
      await this.#unlink();
      this.#stopped = true;
    });
  }

  /** Closes the connection and keeps the number linked, for a stop of the process. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#work.take(async () => {
      this.#reconnect.cancel();
      const link = this.#link;
      this.#link = null;
      await link?.close();
      this.#set(this.#linked ? 'connecting' : 'close');
    });
  }

  #set(status: Status): void {
    this.#status = status;
    this.#changes.tell();
    this.#world.changed();
  }

  async #connect(): Promise<void> {
    const release = await this.#world.logins.take(null);
    // A number that was logged out and paired anew while it waited has its link already; one that is being logged out must not log in beside that.
    if (this.#stopped || this.#unlinking || !this.#linked || this.#link !== null) return release();
    const timer = this.#world.clock.after(loginMs, release);
    this.#link = this.#open();
    await this.#changes.until(() => this.#status !== 'connecting' || this.#link === null, loginMs);
    timer.cancel();
    release();
  }

  #open(): Link {
    const opened: Link = this.#world.network.open({
      instanceId: this.#row.id,
      accountId: this.#row.account_id,
      credentials: this.#world.credentials,
      onEvent: (event) => {
        void this.#work
          .take(async () => {
            if (this.#link !== opened) return;
            await this.#handle(event, opened);
          })
          .catch((error) => {
            this.#world.log.error({ err: error, instance_id: this.#row.id, event: event.type }, 'a link event could not be handled');
            this.#comeBackLater(opened);
          });
      },
    });
    return opened;
  }

  async #handle(event: LinkEvent, link: Link): Promise<void> {
    switch (event.type) {
      case 'code':
        // Whoever shows a code has no credentials, whatever was believed.
        this.#linked = false;
        this.#attempt ??= new Attempt(system);
        this.#attempt.show(event.code, event.sequence, event.expiresAt, this.#world.clock.now());
        this.#set('connecting');
        this.#world.pairing({
          step: 'code',
          sequence: event.sequence,
          limit: this.#world.network.rotationLimit,
          expiresAt: event.expiresAt,
        });
        return;
      case 'passkey_required':
        return this.#passkeyRequired(link);
      case 'open':
        return this.#opened(event.phoneNumber, link);
      case 'restriction':
        return this.#restrict(event.restriction);
      case 'closed':
        return this.#closed(event.reason, event.notBefore ?? 0);
    }
  }

  /** Ends the attempt: whatever is scanned of it would fail on the phone without a word. */
  async #passkeyRequired(link: Link): Promise<void> {
    if (this.#attempt === null) return;
    this.#attempt.requirePasskey();
    this.#link = null;
    this.#set('close');
    this.#world.pairing({ step: 'passkey_required' });
    await link.close();
  }

  async #opened(phoneNumber: string, link: Link): Promise<void> {
    // Only a new link can collide; one that comes back was there first.
    const newlyLinked = this.#attempt !== null || this.#phoneNumber !== phoneNumber;
    const linkedBy = this.#attempt?.startedBy ?? system;
    if (newlyLinked && this.#world.linkedElsewhere(phoneNumber)) return this.#dropCollision(link);
    this.#linked = true;
    this.#attempt = null;
    this.#reconnect.reset();
    // A number that comes back as it was writes nothing: after a restart there may be a thousand of them.
    const changed = this.#phoneNumber !== phoneNumber || keepsAway(this.#restriction);
    if (keepsAway(this.#restriction)) this.#restriction = null;
    // Set before it is stored, so that a second instance linked at the same moment sees it.
    this.#phoneNumber = phoneNumber;
    const learned = { phone_number: phoneNumber, ...restrictionColumns(this.#restriction) };
    if (newlyLinked) await this.#world.keepLinked(learned, linkedBy);
    else if (changed) await this.#world.keep(learned);
    await this.#world.seenConnected(phoneNumber, utcDay(this.#world.clock.now()));
    this.#set('open');
  }

  /** The number is connected on another instance, which keeps it. */
  async #dropCollision(link: Link): Promise<void> {
    this.#link = null;
    this.#attempt = null;
    // Until it is unlinked for sure the phone counts it as linked, and it comes back for another try.
    this.#linked = true;
    try {
      await link.logout();
    } catch (error) {
      this.#comeBackLater(null);
      throw error;
    }
    this.#linked = false;
    await this.#world.keep({ conflict: 1 });
    this.#conflict = true;
    this.#set('close');
    this.#world.pairing({ step: 'conflict' });
  }

  async #restrict(restriction: Restriction | null): Promise<void> {
    this.#restriction = restriction;
    this.#world.changed();
    await this.#world.keep(restrictionColumns(restriction));
  }

  async #closed(reason: CloseReason, notBefore: number): Promise<void> {
    this.#link = null;
    switch (reason) {
      case 'restart':
        return this.#restart();
      case 'lost':
        this.#reconnect.notBefore(notBefore);
        if (this.#linked) return this.#comeBackLater(null);
        // When it ended between the scan and the first login, the phone counts the number as linked; the attempt goes on without a code.
        this.#linked = await this.#world.hasCredentials();
        this.#attempt = this.#linked ? new Attempt(this.#attempt?.startedBy ?? system) : null;
        if (this.#linked) return this.#comeBackLater(null);
        break;
      case 'codes_exhausted':
        this.#attempt?.exhaust();
        this.#set('close');
        return this.#world.pairing({ step: 'exhausted' });
      case 'unlinked':
      case 'replaced':
      case 'banned':
      case 'refused':
        this.#world.log.warn({ instance_id: this.#row.id, reason }, 'a number is no longer linked');
        return this.#numberGone();
    }
    this.#set('close');
  }

  /** Opens again at once; a linked number takes its turn for that, since the network may restart many of them together. */
  #restart(): void {
    if (!this.#linked) this.#link = this.#open();
    else if (this.#status === 'open') {
      this.#set('connecting');
      void this.#connect();
    }
    // One that is restarted whenever it logs in must not go round without end.
    else this.#comeBackLater(null);
  }

  async #unlink(): Promise<void> {
    this.#reconnect.cancel();
    // A number that is kept away cannot log in to unlink itself, and its owner must not have to wait until it can.
    const unreachable = this.#link === null && keepsAway(this.restriction);
    const link = this.#link ?? (this.#linked && !unreachable ? this.#open() : null);
    this.#link = null;
    this.#attempt = null;
    this.#unlinking = true;
    try {
      if (link !== null) await this.#logOut(link);
      else if (this.#linked) await this.#world.credentials.clear();
    } catch (error) {
      if (this.#linked) this.#comeBackLater(null);
      else this.#set('close');
      throw error;
    } finally {
      this.#unlinking = false;
    }
    await this.#numberGone();
  }

  /** A link may have closed by itself a moment ago; the network is told over another one then. */
  async #logOut(link: Link): Promise<void> {
    try {
      await link.logout();
    } catch (error) {
      if (!(error instanceof LinkEnded)) throw error;
      if (this.#linked) await this.#open().logout();
    }
  }

  /** Nothing is linked any more, and what held for the number does not hold for the next one; that a newer gateway is wanted does. */
  async #numberGone(): Promise<void> {
    this.#linked = false;
    this.#attempt = null;
    this.#reconnect.reset();
    this.#set('close');
    if (this.#restriction !== null && this.#restriction.reason !== 'version_refused') await this.#restrict(null);
  }

  #comeBackLater(failed: Link | null): void {
    if (failed !== null && this.#link !== failed) return;
    this.#link = null;
    failed?.close().catch((error) => this.#world.log.error({ err: error, instance_id: this.#row.id }, 'a link could not be closed'));
    if (this.#stopped) return;
    this.#set('connecting');
    this.#reconnect.later();
  }
}
