import { type Clock, dayMs, GatewayError, type Timer, withTimeout } from '../../core/index.ts';
import { CodeRotation } from '../code-rotation.ts';
import {
  type Link,
  type LinkContext,
  LinkEnded,
  type LinkEvent,
  type LinkOutcome,
  type MessageEvent,
  type OutgoingMessage,
  type PasskeyAnswer,
  type Reachability,
} from '../index.ts';
import { endsTheLink, reactionTo, refusesVersion, unknownVersionMs } from './closing.ts';
import { checkCredential } from './passkey-credential.ts';
import { PasskeyProgress } from './passkey-progress.ts';
import type { CallKind, Calls, PasskeyEvent, StoreRequest, WorkerEvent } from './protocol.ts';
import { isSignedPreKeyDue } from './signed-pre-key-age.ts';
import { unpackRecords } from './thread-messages.ts';
import type { ClientVersion } from './version/client-version.ts';
import type { LinkSide, WorkerThread } from './worker-thread.ts';

export interface LinkServices {
  readonly clock: Clock;
  readonly log: Record<'error' | 'warn' | 'info', (fields: object, message: string) => void>;
  readonly version: Pick<ClientVersion, 'accepted' | 'expires' | 'refused'>;
  /** Called once when the link has ended; `unlinked` when the number must be paired again. */
  ended(link: WhatsAppLink, unlinked: boolean): void;
}

const notOpen: LinkOutcome = { outcome: 'not_open' };
const unknown: LinkOutcome = { outcome: 'unknown' };
/** How long a call to the worker may take, in milliseconds. The worker's own time limits are shorter. */
const callMs = 60_000;
/** How long each code of an attempt is shown, in milliseconds, as in WhatsApp's own clients. The attempt ends after the last one. */
export const codeLifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000, 20_000];

/** One instance on WhatsApp. It turns what its worker reports into the link's events, in order. */
export class WhatsAppLink implements Link, LinkSide {
  readonly #services: LinkServices;
  readonly #context: LinkContext;
  readonly #thread: WorkerThread;
  readonly #number: number;
  readonly #stores = new Set<Promise<unknown>>();
  #rotation: CodeRotation | null = null;
  #passkey: PasskeyProgress | null = null;
  #open = false;
  #daily: Timer | null = null;
  /** The events of messages that the worker reports, as words. */
  #followed = '';
  /** Set once the passkey has been given, because it is sent only once. */
  #signing = false;
  /** True once the link has ended for the session, whether it was closed or closed by itself. */
  #ended = false;
  #ending: Promise<void> | null = null;
  /** Set once the network has ended the credentials: resolves when they are deleted, or that has failed. */
  #clearing: Promise<void> | null = null;

  constructor(options: { services: LinkServices; context: LinkContext; thread: WorkerThread; number: number }) {
    this.#services = options.services;
    this.#context = options.context;
    this.#thread = options.thread;
    this.#number = options.number;
    const { instanceId, proxy, credentials } = this.#context;
    this.#thread.open({ link: this.#number, instanceId, proxy, asksFirst: credentials.mayLogIn !== null }, this);
  }

  get instanceId(): string {
    return this.#context.instanceId;
  }

  follow(events: ReadonlySet<MessageEvent>): void {
    const words = [...events].sort();
    if (this.#ended || words.join() === this.#followed) return;
    this.#followed = words.join();
    this.#thread.follow(this.#number, words);
  }

  async send(message: OutgoingMessage): Promise<LinkOutcome> {
    if (!this.#open) return notOpen;
    return this.#ask('send', message, unknown);
  }

  async knows(number: string): Promise<boolean | null> {
    return this.#open ? this.#ask('knows', number, null) : null;
  }

  async check(numbers: readonly string[]): Promise<Reachability[]> {
    const cannotSay = numbers.map(() => ({ reachable: null, networkNumber: null }));
    if (!this.#open || numbers.length === 0) return cannotSay;
    return [...(await this.#ask('check', numbers, cannotSay))];
  }

  async probe(): Promise<boolean> {
    if (!this.#open) return false;
    return (await this.#ask('probe', null, false)) && this.#open;
  }

  /** Rejects when the network refuses to give a code. */
  async requestPairingCode(phoneNumber: string): Promise<string | null> {
    if (this.#open || this.#ended) return null;
    const code = await this.#bounded(this.#thread.call(this.#number, 'pairing_code', phoneNumber));
    return this.#ended ? null : code;
  }

  async givePasskey(credential: unknown): Promise<PasskeyAnswer> {
    const options = this.#passkey?.options ?? null;
    if (this.#passkey === null || options === null || this.#signing) return 'not_asked';
    const checked = checkCredential(credential, options);
    if ('problem' in checked) return checked;
    this.#signing = true;
    await this.#ask('passkey_sign', { ...checked, prove: this.#passkey.provable }, null);
    return 'sent';
  }

  async confirmPasskey(): Promise<boolean> {
    if (this.#passkey?.awaitsConfirmation !== true) return false;
    this.#passkey.confirmed();
    await this.#ask('passkey_confirm', null, null);
    return true;
  }

  /** Rejects when the network could not be reached or the credentials could not be deleted, and with LinkEnded. */
  async logout(): Promise<void> {
    if (this.#clearing !== null) await this.#clearing;
    if (this.#ending === null && this.#ended) throw new LinkEnded();
    this.#ending ??= this.#logout();
    await this.#ending;
  }

  async close(): Promise<void> {
    this.#ending ??= this.#ended ? Promise.resolve() : this.#close();
    // If a logout fails, its caller gets the error.
    await this.#ending.catch(() => undefined);
  }

  onWorkerEvent(event: WorkerEvent): void {
    if (this.#ended) return;
    switch (event.type) {
      case 'codes':
        this.#rotate(event.codes);
        return;
      case 'typed_code':
        this.#emit({ type: 'pairing_code', code: event.code });
        return;
      case 'paired':
        this.#stopRotation();
        this.#passkey?.stop();
        return;
      case 'restriction':
      case 'new_chats':
        this.#emit(event);
        return;
      case 'open':
        this.#open = true;
        this.#services.version.accepted(event.revision);
        this.#emit({ type: 'open', phoneNumber: event.phoneNumber });
        this.#rotateKeyDaily(event.keySince);
        return;
      case 'version_expires':
        this.#services.version.expires(event.revision, event.at);
        return;
      case 'closed':
        void this.#closedBy(event);
        return;
      default:
        this.#passkeyEvent(event);
    }
  }

  store(request: StoreRequest): Promise<ReadonlyMap<string, Uint8Array> | null> {
    const work = this.#store(request);
    this.#stores.add(work);
    const done = () => void this.#stores.delete(work);
    work.then(done, done);
    return work;
  }

  /** The worker thread has died. */
  lost(): void {
    void this.#finish('lost', async () => {
      await Promise.allSettled(this.#stores);
    });
  }

  async #store(request: StoreRequest): Promise<ReadonlyMap<string, Uint8Array> | null> {
    const { credentials } = this.#context;
    switch (request.type) {
      case 'names':
        return new Map((await credentials.names(request.after)).map((name) => [name, new Uint8Array()]));
      case 'read':
        return credentials.read(request.names);
      case 'recall':
        return credentials.recall(request.messageIds);
      case 'write':
        await credentials.write(unpackRecords(request.records), unpackRecords(request.sent) as Map<string, Uint8Array>);
        return null;
      case 'forget':
        await credentials.forget(request.messageIds).catch((error: unknown) => {
          this.#services.log.warn(
            { err: error, instance_id: this.instanceId },
            'delivered messages could not be deleted before their time',
          );
        });
        return null;
      case 'may_log_in':
        await credentials.mayLogIn?.();
        return null;
      case 'message_events':
        await this.#context.storeEvents(request.events);
        return null;
    }
  }

  #emit(event: LinkEvent): void {
    if (!this.#ended) this.#context.onEvent(event);
  }

  #passkeyEvent(event: PasskeyEvent): void {
    // The codes are no longer valid, so their expiry must not end the attempt.
    this.#stopRotation();
    this.#passkey ??= new PasskeyProgress(this.#services.clock, (passkey) => this.#emit({ type: 'passkey', passkey }));
    this.#passkey.onEvent(event);
  }

  #rotate(codes: readonly string[]): void {
    if (this.#passkey !== null) return;
    if (this.#rotation !== null) {
      this.#rotation.redraw(codes);
      return;
    }
    this.#rotation = new CodeRotation({
      clock: this.#services.clock,
      codes,
      lifetimesMs: codeLifetimesMs,
      onCode: (shown) => this.#emit({ type: 'code', ...shown }),
      onExhausted: () => void this.#exhausted(),
    });
    this.#rotation.begin();
  }

  /** Has the worker replace the signed pre-key, which is in use since then, when it is due: looks now, and once a day while the link is open. */
  #rotateKeyDaily(since: number | null): void {
    if (!this.#open) return;
    const { clock } = this.#services;
    // Not asked at each login, because after a restart a thousand numbers log in.
    if (isSignedPreKeyDue(since, clock.now())) void this.#ask('rotate_key', clock.now(), null);
    // The worker may have replaced it by then.
    this.#daily = clock.after(dayMs, () => this.#rotateKeyDaily(null));
  }

  #stopRotation(): void {
    this.#rotation?.stop();
    this.#rotation = null;
  }

  async #exhausted(): Promise<void> {
    // A phone may have scanned the last code just in time; the link then goes on.
    const abandoned = await this.#ask('abandon', null, true);
    if (abandoned) await this.#finish('codes_exhausted', async () => undefined);
  }

  async #closedBy({ closing, pairing, revision }: Extract<WorkerEvent, { type: 'closed' }>): Promise<void> {
    if (pairing && closing.code === null && this.#rotation?.onLastCode === true) {
      return this.#finish('codes_exhausted', async () => undefined);
    }
    this.#open = false;
    const { version, clock } = this.#services;
    const versionPauseMs = revision !== null && refusesVersion(closing) ? await version.refused(revision) : unknownVersionMs;
    const { reason, notBefore, restriction } = reactionTo(closing, { now: clock.now(), pairing, versionPauseMs });
    const { code, conflict } = closing;
    this.#services.log.info({ instance_id: this.instanceId, code, conflict, reason }, 'the connection of a number has ended');
    const before = async () => {
      if (endsTheLink(reason)) await this.#context.credentials.clear();
      if (restriction !== undefined) this.#emit({ type: 'restriction', restriction });
    };
    const finished = this.#finish(reason, before, notBefore);
    if (endsTheLink(reason)) this.#clearing = finished;
    await finished;
  }

  /** Closes the link by itself, after `before` has finished. If that fails, the number is tried again later. */
  async #finish(reason: Extract<LinkEvent, { type: 'closed' }>['reason'], before: () => Promise<void>, notBefore?: number): Promise<void> {
    this.#open = false;
    this.#stopRotation();
    this.#passkey?.fail('The connection to WhatsApp was lost before the number was linked.');
    let final = reason;
    try {
      await before();
    } catch (error) {
      this.#services.log.error({ err: error, instance_id: this.instanceId }, 'the credentials of a number could not be cleared');
      final = 'lost';
    }
    if (this.#ended) return;
    // Ended before the event is emitted, so that whatever the session calls from within the event cannot reach the network or the credentials.
    this.#endForSession();
    this.#thread.release(this.#number);
    this.#services.ended(this, endsTheLink(final) || final === 'codes_exhausted');
    this.#context.onEvent({ type: 'closed', reason: final, ...(notBefore === undefined ? {} : { notBefore }) });
  }

  async #close(): Promise<void> {
    this.#endForSession();
    await this.#ask('close', null, null);
    await Promise.allSettled(this.#stores);
    this.#services.ended(this, false);
    this.#thread.release(this.#number);
  }

  async #logout(): Promise<void> {
    this.#endForSession();
    let unlinked = false;
    try {
      const answer = await this.#bounded(this.#thread.call(this.#number, 'logout', null)).catch((error: unknown) => {
        this.#services.log.warn({ err: error, instance_id: this.instanceId }, 'a number could not be unlinked at the network');
        throw new GatewayError(
          'upstream_unavailable',
          'The network did not confirm that the number is unlinked; it stays linked. Retry shortly.',
        );
      });
      await Promise.allSettled(this.#stores);
      if (answer === 'ended') throw new LinkEnded();
      await this.#context.credentials.clear();
      unlinked = true;
    } finally {
      this.#thread.release(this.#number);
      this.#services.ended(this, unlinked);
    }
  }

  #endForSession(): void {
    this.#ended = true;
    this.#open = false;
    this.#daily?.cancel();
    this.#stopRotation();
    this.#passkey?.stop();
  }

  /** The worker's answer; `otherwise` when it gives none. */
  async #ask<Kind extends CallKind>(
    kind: Kind,
    argument: Calls[Kind]['with'],
    otherwise: Calls[Kind]['answer'],
  ): Promise<Calls[Kind]['answer']> {
    try {
      return await this.#bounded(this.#thread.call(this.#number, kind, argument));
    } catch (error) {
      this.#services.log.warn({ err: error, instance_id: this.instanceId, call: kind }, 'a WhatsApp worker could not answer');
      return otherwise;
    }
  }

  #bounded<T>(answer: Promise<T>): Promise<T> {
    return withTimeout(this.#services.clock, callMs, answer, () => {
      throw new Error('the WhatsApp worker did not answer in time');
    });
  }
}
