import type { Actor } from '../accounts/index.ts';
import { Mutex, utcDay } from '../core/index.ts';
import {
  type CloseReason,
  type Link,
  LinkEnded,
  type LinkEvent,
  type NewChats,
  type PasskeyState,
  type Restriction,
} from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import { Attempt } from './attempt.ts';
import type { LossReason } from './history/number-event.ts';
import { LinkState } from './link-state.ts';
import { newChatsColumns } from './new-chats.ts';
import { Reconnect } from './reconnect.ts';
import { keepsAway, replaced, restrictionColumns } from './restriction.ts';
import type { SessionOptions } from './session-options.ts';
import { StoreWait } from './store-wait.ts';

/** How long a login may keep its place among the simultaneous logins, in milliseconds. */
const loginMs = 30_000;
const system: Actor = { kind: 'system' };

/**
 * Owns one instance's link: opens it, handles its events, reopens it after a lost connection, and ends it. Events are handled one after another, in
 * order; events of a link that was dropped are ignored.
 */
export class LinkKeeper {
  readonly #row: Pick<InstanceRow, 'id' | 'account_id'>;
  readonly #options: SessionOptions;
  readonly #state: LinkState;
  readonly #reconnect: Reconnect;
  readonly #storeWait: StoreWait;
  /** Changes run one after another: while one is being stored, the next event waits. */
  readonly #work = new Mutex();
  #stopped = false;
  #unlinking = false;

  constructor(row: InstanceRow, options: SessionOptions) {
    this.#row = row;
    this.#options = options;
    this.#state = new LinkState(row, { clock: options.clock, changed: () => options.changed() });
    this.#storeWait = new StoreWait(options.clock);
    this.#reconnect = new Reconnect(options.clock, options.random, () => void this.#connect());
  }

  /** The state of the link; read-only. */
  get state(): Readonly<LinkState> {
    return this.#state;
  }

  /** True when no link will be opened any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when all events so far are handled and stored. */
  async settled(): Promise<void> {
    await this.#work.ended();
  }

  /** Somebody wants to be told other events of its messages now. */
  follow(): void {
    this.#state.link?.follow(this.#options.wantedEvents());
  }

  /** Connects a linked instance; a banned one once its ban is over. Does nothing when the instance is parked or not linked. */
  resume(): void {
    if (!this.#state.linked || this.#state.parked) return;
    this.#options.happened({ event: 'starting' });
    this.#state.become('connecting');
    const { restriction } = this.#state;
    if (restriction?.reason !== 'temporarily_banned' || restriction.until === null) return void this.#connect();
    this.#reconnect.notBefore(restriction.until);
    this.#reconnect.later();
  }

  /** Tries soon if it waits to try again: the network can be reached. */
  retrySoon(): void {
    this.#reconnect.soon();
  }

  /** Reconnects a parked number with its stored credentials. Otherwise starts a pairing attempt, unless one is running or the number is linked. */
  pair(startedBy: Actor): Promise<void> {
    return this.#work.take(async () => {
      const { parked, linked, attempt } = this.#state;
      const running = attempt !== null && !attempt.exhausted;
      if (this.#stopped || running || (linked && !parked)) return;
      if (this.#state.conflict) {
        await this.#options.keep({ conflict: 0 });
        this.#state.conflict = false;
      }
      if (parked) return this.#takeBack(startedBy);
      this.#state.attempt = new Attempt(startedBy);
      this.#state.link = this.#open();
    });
  }

  /** Reconnects because the proxy has changed; a running pairing attempt starts again. Does nothing when there is no link. */
  reopen(): Promise<void> {
    return this.#work.take(async () => {
      const { link, linked, attempt } = this.#state;
      if (this.#stopped || link === null) return;
      this.#state.link = null;
      try {
        await link.close();
      } finally {
        if (linked) {
          this.#tellLoss('proxy');
          this.#state.become('connecting');
          void this.#connect();
        } else if (attempt !== null) {
          this.#state.attempt = new Attempt(attempt.startedBy);
          this.#state.link = this.#open();
        }
      }
    });
  }

  /** Unlinks at the network and ends a running pairing attempt. If that fails, a linked number reconnects as after a lost connection. */
  disconnect(by: Actor): Promise<void> {
    return this.#work.take(async () => {
      const { linked } = this.#state;
      this.#state.disconnection = { actor: by, now: this.#options.clock.now() };
      await this.#unlink().finally(() => {
        this.#state.disconnection = null;
      });
      if (linked) this.#options.happened({ event: 'disconnected', actor: by });
    });
  }

  /**
   * Unlinks at the network, then removes the instance with `remove`. Nothing is started after that. If either step fails, the instance stays as it is
   * and can be paired or removed again.
   */
  retire(remove: () => Promise<void>): Promise<void> {
    return this.#work.take(async () => {
      await this.#unlink();
      await remove();
      this.#stopped = true;
    });
  }

  /**
   * Closes the connection, at once: what is being handled may wait for the store, and another server may open the number soon. Resolves when that
   * work has ended too. The number stays linked.
   */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#storeWait.stop();
    this.#reconnect.cancel();
    const closing = this.#closeLink();
    // It is awaited below, after what may fail before.
    closing.catch(() => undefined);
    return this.#work.take(async () => {
      await closing;
      // What was being handled may have opened another one.
      this.#reconnect.cancel();
      await this.#closeLink();
      this.#state.become(this.#state.linked && !this.#state.parked ? 'connecting' : 'close');
    });
  }

  async #closeLink(): Promise<void> {
    const link = this.#state.link;
    this.#state.link = null;
    await link?.close();
  }

  /** Ends the parked state: the number logs in with its stored credentials, unless another instance is connected with the same number. */
  async #takeBack(by: Actor): Promise<void> {
    const { phoneNumber } = this.#state;
    if (phoneNumber !== null && ((await this.#options.linkedOnOtherNode(phoneNumber)) || this.#options.linkedElsewhere(phoneNumber)))
      return this.#conflicts();
    await this.#options.keep(restrictionColumns(null));
    this.#options.happened({ event: 'taken_back', actor: by });
    this.#state.toldRestriction = null;
    this.#state.become('connecting');
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const release = await this.#options.logins.take(null);
    // While this waited, the number may have been paired again and have a link, or a logout may have begun, after which it must not log in.
    if (this.#stopped || this.#unlinking || !this.#state.linked || this.#state.link !== null) return release();
    const timer = this.#options.clock.after(loginMs, release);
    this.#state.link = this.#open();
    await this.#state.until(() => this.#state.status !== 'connecting' || this.#state.link === null, loginMs);
    timer.cancel();
    release();
  }

  #open(): Link {
    const opened: Link = this.#options.network.open({
      instanceId: this.#row.id,
      accountId: this.#row.account_id,
      credentials: this.#options.credentials,
      proxy: this.#options.proxy(),
      tellOfMessages: (news) => this.#options.tellOfMessages(news),
      onEvent: (event) => {
        void this.#work
          .take(async () => {
            if (this.#state.link !== opened) return;
            await this.#handle(event, opened);
          })
          .catch((error) => {
            this.#options.log.error({ err: error, instance_id: this.#row.id, event: event.type }, 'a link event could not be handled');
            this.#comeBackLater(opened);
          });
      },
    });
    opened.follow(this.#options.wantedEvents());
    return opened;
  }

  async #handle(event: LinkEvent, link: Link): Promise<void> {
    switch (event.type) {
      case 'code':
        // A link shows a code only when it has no credentials, so the number is not linked.
        this.#state.linked = false;
        // The network gives codes only to a version that it accepts.
        if (this.#state.toldRestriction?.reason === 'version_refused') await this.#restrict(null);
        this.#state.attempt ??= new Attempt(system);
        this.#state.attempt.show(event.code, event.sequence, event.expiresAt, this.#options.clock.now());
        this.#state.become('connecting');
        this.#options.pairing({
          step: 'code',
          sequence: event.sequence,
          limit: this.#options.network.rotationLimit,
          expiresAt: event.expiresAt,
        });
        return;
      case 'pairing_code':
        if (this.#state.attempt?.renewPairingCode(event.code)) this.#options.pairing({ step: 'typed_code' });
        return;
      case 'passkey':
        return this.#passkeyWent(event.passkey, link);
      case 'open':
        return this.#opened(event.phoneNumber, link);
      case 'restriction':
        return this.#restrict(event.restriction);
      case 'new_chats':
        return this.#countNewChats(event.newChats);
      case 'closed':
        return this.#closed(event.reason, event.notBefore ?? 0);
    }
  }

  /** The attempt goes on without codes. After a failure it is over, and the next one starts from the beginning. */
  async #passkeyWent(passkey: PasskeyState, link: Link): Promise<void> {
    this.#state.attempt ??= new Attempt(system);
    this.#state.attempt.passkeyWent(passkey);
    const failed = passkey.stage === 'failed';
    if (failed) {
      this.#state.link = null;
      this.#options.happened({ event: 'pairing_failed', detail: 'passkey', note: passkey.reason });
    }
    this.#state.become(failed ? 'close' : 'connecting');
    this.#options.pairing({ step: 'passkey', stage: passkey.stage });
    if (failed) await link.close();
  }

  async #opened(phoneNumber: string, link: Link): Promise<void> {
    // Only a newly linked number can be a duplicate; a number that reconnects was here first.
    const newlyLinked = this.#state.attempt !== null || this.#state.phoneNumber !== phoneNumber;
    const linkedBy = this.#state.attempt?.startedBy ?? system;
    // Nothing comes between the look at this process's own sessions and what follows it.
    if (newlyLinked && ((await this.#options.linkedOnOtherNode(phoneNumber)) || this.#options.linkedElsewhere(phoneNumber)))
      return this.#dropCollision(link);
    this.#state.linked = true;
    this.#state.attempt = null;
    this.#reconnect.reset();
    // A number that reconnects unchanged writes nothing, because after a restart a thousand numbers may reconnect.
    const changed = this.#state.phoneNumber !== phoneNumber || keepsAway(this.#state.toldRestriction);
    const ended = keepsAway(this.#state.toldRestriction) ? this.#state.toldRestriction : null;
    if (ended !== null) this.#state.toldRestriction = null;
    const before = this.#state.phoneNumber;
    // Set before it is stored, so that a second instance linked at the same moment sees it.
    this.#state.phoneNumber = phoneNumber;
    const learned = { phone_number: phoneNumber, ...restrictionColumns(this.#state.toldRestriction) };
    try {
      if (newlyLinked) {
        const isTheFirst = await this.#storeWait.stored(() => this.#options.keepLinked(learned, linkedBy));
        if (!isTheFirst) {
          this.#state.phoneNumber = before;
          return this.#dropCollision(link);
        }
      } else if (changed) await this.#keepTold(learned);
    } catch (error) {
      // Restored, because otherwise the next login would believe that the number is already stored.
      this.#state.phoneNumber = before;
      throw error;
    }
    this.#options.happened(newlyLinked ? { event: 'linked', actor: linkedBy } : { event: 'back' });
    if (ended !== null) this.#options.happened({ event: 'unrestricted', detail: ended.reason, until: null });
    await this.#options.seenConnected(phoneNumber, utcDay(this.#options.clock.now()));
    this.#state.become('open');
  }

  /** Unlinks again, because the number is already connected on another instance, which keeps it. */
  async #dropCollision(link: Link): Promise<void> {
    this.#state.link = null;
    this.#state.attempt = null;
    // The phone lists it as linked until the logout succeeds. If the logout fails, the number reconnects and this is tried again.
    this.#state.linked = true;
    try {
      await link.logout();
    } catch (error) {
      this.#comeBackLater(null);
      throw error;
    }
    this.#state.linked = false;
    await this.#conflicts();
  }

  async #conflicts(): Promise<void> {
    this.#options.happened({ event: 'pairing_failed', detail: 'conflict', note: null });
    await this.#options.keep({ conflict: 1 });
    this.#state.conflict = true;
    this.#state.become('close');
    this.#options.pairing({ step: 'conflict' });
  }

  async #restrict(restriction: Restriction | null): Promise<void> {
    const { toldRestriction: told } = this.#state;
    // An unchanged restriction is not written again.
    if (told?.reason === restriction?.reason && told?.until === restriction?.until) return;
    this.#state.toldRestriction = restriction;
    const lifted = restriction === null ? told : null;
    if (restriction !== null) this.#options.happened({ event: 'restricted', detail: restriction.reason, until: restriction.until });
    else if (lifted !== null) this.#options.happened({ event: 'unrestricted', detail: lifted.reason, until: null });
    this.#options.changed();
    await this.#keepTold(restrictionColumns(restriction));
  }

  /** Stores what the network has said; waits while the store is unavailable. */
  #keepTold(change: Parameters<SessionOptions['keep']>[0]): Promise<void> {
    return this.#storeWait.stored(() => this.#options.keep(change));
  }

  async #countNewChats(newChats: NewChats | null): Promise<void> {
    const { toldNewChats: told } = this.#state;
    if (told?.used === newChats?.used && told?.quota === newChats?.quota && told?.cycleEndsAt === newChats?.cycleEndsAt) return;
    this.#state.toldNewChats = newChats;
    this.#options.changed();
    await this.#keepTold(newChatsColumns(newChats));
  }

  async #closed(reason: CloseReason, notBefore: number): Promise<void> {
    this.#options.linkEnded(reason);
    this.#state.link = null;
    switch (reason) {
      case 'restart':
        return this.#restart();
      case 'lost':
        this.#reconnect.notBefore(notBefore);
        this.#tellLoss('lost', notBefore === 0 ? null : notBefore);
        if (this.#state.linked) return this.#comeBackLater(null);
        // If the link ended between the scan and the first login, the phone lists the number as linked. The attempt then goes on without a code.
        this.#state.linked = await this.#options.hasCredentials();
        this.#state.attempt = this.#state.linked ? new Attempt(this.#state.attempt?.startedBy ?? system) : null;
        if (this.#state.linked) return this.#comeBackLater(null);
        break;
      case 'codes_exhausted':
        this.#state.attempt?.exhaust();
        this.#options.happened({ event: 'pairing_failed', detail: 'codes_exhausted', note: null });
        this.#state.become('close');
        return this.#options.pairing({ step: 'exhausted' });
      case 'replaced':
        return this.#park();
      case 'unlinked':
      case 'banned':
      case 'refused':
        this.#options.log.warn({ instance_id: this.#row.id, reason }, 'a number is no longer linked');
        this.#options.happened(this.#state.linked ? { event: reason } : { event: 'pairing_failed', detail: 'refused', note: null });
        return this.#numberGone();
    }
    this.#state.become('close');
  }

  /** Keeps the credentials and stays disconnected. If both programs reconnected, they would disconnect each other forever. */
  async #park(): Promise<void> {
    this.#options.log.warn({ instance_id: this.#row.id, reason: 'replaced' }, 'a number is used by another program and stays disconnected');
    this.#options.happened({ event: 'parked' });
    this.#state.linked = true;
    this.#state.attempt = null;
    this.#reconnect.reset();
    const show = () => {
      this.#state.toldRestriction = replaced;
      this.#state.become('close');
    };
    if (this.#options.lease === null) show();
    // With several servers the other program may be the one that owns the number now, and then nothing is to be done by a person.
    else this.#state.become('connecting');
    await this.#keepTold(restrictionColumns(replaced));
    if (this.#options.lease !== null) show();
  }

  /** Opens a new link at once. A linked number waits for its turn to log in, because the network may restart many numbers together. */
  #restart(): void {
    if (!this.#state.linked) this.#state.link = this.#open();
    else if (this.#state.status === 'open') {
      this.#tellLoss('restart');
      this.#state.become('connecting');
      void this.#connect();
    }
    // A number that is restarted at every login waits longer each time.
    else this.#comeBackLater(null);
  }

  async #unlink(): Promise<void> {
    this.#reconnect.cancel();
    // A banned or parked number cannot log in to unlink itself, and its owner should not have to wait until it can.
    const unreachable = this.#state.link === null && keepsAway(this.#state.restriction);
    const link = this.#state.link ?? (this.#state.linked && !unreachable ? this.#open() : null);
    this.#state.link = null;
    this.#state.attempt = null;
    this.#unlinking = true;
    try {
      if (link !== null) await this.#logOut(link);
      else if (this.#state.linked) await this.#options.credentials.clear();
    } catch (error) {
      if (this.#state.linked) this.#comeBackLater(null);
      else this.#state.become('close');
      throw error;
    } finally {
      this.#unlinking = false;
    }
    await this.#numberGone();
  }

  /** Unlinks over this link, or over a new one if this one has just closed by itself. */
  async #logOut(link: Link): Promise<void> {
    try {
      await link.logout();
    } catch (error) {
      if (!(error instanceof LinkEnded)) throw error;
      if (this.#state.linked) await this.#open().logout();
    }
  }

  /** The number is no longer linked. Its restrictions are removed with it, except `version_refused`, which concerns the gateway. */
  async #numberGone(): Promise<void> {
    this.#state.linked = false;
    this.#state.attempt = null;
    this.#reconnect.reset();
    this.#state.become('close');
    const { toldRestriction, toldNewChats } = this.#state;
    const stays = toldRestriction === null || toldRestriction.reason === 'version_refused';
    if (stays && toldNewChats === null) return;
    if (!stays) this.#state.toldRestriction = null;
    this.#state.toldNewChats = null;
    this.#options.changed();
    await this.#options.keep({ ...(stays ? {} : restrictionColumns(null)), ...newChatsColumns(null) });
  }

  #comeBackLater(failed: Link | null): void {
    if (failed !== null && this.#state.link !== failed) return;
    this.#state.link = null;
    failed?.close().catch((error) => this.#options.log.error({ err: error, instance_id: this.#row.id }, 'a link could not be closed'));
    if (this.#stopped) return;
    this.#tellLoss('lost');
    this.#state.become('connecting');
    this.#reconnect.later();
  }

  /** Only an open link is lost; later tries that fail are part of the same interruption. */
  #tellLoss(detail: LossReason, until: number | null = null): void {
    if (this.#state.status === 'open') this.#options.happened({ event: 'lost', detail, until });
  }
}
