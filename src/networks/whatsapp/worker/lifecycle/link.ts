import { type AuthenticationCreds, initAuthCreds } from 'baileys';
import { Signal, systemClock } from '../../../../core/index.ts';
import type { MessageEvent } from '../../../index.ts';
import { type Closing, leavesLinked, noReason } from '../../closing.ts';
import type { Calls, WorkerEvent } from '../../protocol.ts';
import { createSignalKeys, credsRecord } from '../library/signal-keys.ts';
import { keptSignedPreKeys } from '../library/signed-pre-keys.ts';
import { applyStored } from '../sending/protocol-messages.ts';
import { KeptMessages } from '../sending/receipts/sent-messages.ts';
import { Sending } from '../sending/sending.ts';
import { type Connection, connect } from './connection.ts';
import type { Identity, WorkerLinkOptions } from './link-options.ts';
import { LinkRecords, RecordUnreadable } from './link-records.ts';
import { firstRecords, recordsOfLogin } from './login-records.ts';
import { isRemoval, mayComeBack } from './network-notices.ts';
import { createProxyAgent } from './proxy-agent.ts';
import { ping, removeCompanion } from './questions.ts';
import { rotateSignedPreKey } from './signed-pre-key-rotation.ts';

/**
 * `starting`: reads the credentials. `pairing`: waits for a phone to scan. `linking`: a phone has scanned and the first login comes next. `login`:
 * logs in with stored credentials. `ended`: nothing happens any more.
 */
type State = 'starting' | 'pairing' | 'linking' | 'login' | 'open' | 'ended';

/** How long to wait before each try to log in after a scan, in milliseconds. There is no wait when the network asks for a restart. */
const firstLoginDelaysMs = [0, 1_000, 2_000, 4_000];
/** How long a logout waits for a login in progress, in milliseconds. */
const logoutLoginMs = 15_000;
/** How long a request for a pairing code waits for the attempt to begin, in milliseconds. */
const firstCodesMs = 10_000;
const notOpen: Calls['send']['answer'] = { outcome: 'not_open' };

/** One instance's link inside a worker, from its credentials or the scan to its end. */
export class WorkerLink {
  readonly #options: WorkerLinkOptions;
  readonly #records: LinkRecords;
  readonly #changes = new Signal(systemClock);
  #state: State = 'starting';
  #codesShown = false;
  /** Resolves when the last call of `rotateKey` is done. */
  #rotations: Promise<void> = Promise.resolve();
  /** Until the credentials have been read, it may be. */
  #linked = true;
  #identity: Identity | null = null;
  #connection: Connection | null = null;
  #sending: Sending | null = null;
  #lastClosing = noReason;
  /** The stored credentials cannot be read, although the store works: their key is lost, or they are damaged. */
  #unreadable = false;
  /** The version of the last connection; null before the first. */
  #revision: number | null = null;
  #followed: ReadonlySet<MessageEvent> = new Set();
  #retries = 0;
  #retry: NodeJS.Timeout | undefined;
  /** Set once the link begins to end, by itself or from outside. From then on `closed` is its only event. */
  #ending: Promise<void> | null = null;

  constructor(options: WorkerLinkOptions) {
    this.#options = options;
    this.#records = new LinkRecords({
      store: options.store,
      cache: options.cache,
      onFailure: (error) => {
        options.log.error(error, 'the credentials of a number could not be stored');
        void this.#connection?.end();
      },
    });
  }

  /** Logs in with stored credentials or starts a pairing attempt. Never rejects. */
  async start(): Promise<void> {
    try {
      const records = await this.#records.read(firstRecords).catch((error: unknown) => {
        this.#unreadable = error instanceof RecordUnreadable;
        throw error;
      });
      const stored = records.get(credsRecord);
      if (this.#ended) return;
      const fresh = stored === undefined;
      // An attempt stores nothing before a phone has scanned.
      if (fresh) this.#records.hold();
      else this.#records.readAhead(recordsOfLogin(stored as AuthenticationCreds));
      this.#identity = {
        creds: (stored as AuthenticationCreds | undefined) ?? initAuthCreds(),
        keys: createSignalKeys(this.#records),
        keysSoon: createSignalKeys({
          read: (names) => this.#records.read(names),
          // `onFailure` reports a failure.
          write: async (changes) => void this.#records.writeSoon(changes).catch(() => undefined),
        }),
        memory: this.#options.memory(fresh),
      };
      this.#linked = !fresh;
      this.#applyStored(this.#identity.creds, records);
      const revision = await this.#options.version();
      if (this.#ended) return;
      this.#to(fresh ? 'pairing' : 'login');
      this.#connect(this.#identity, revision);
    } catch (error) {
      this.#options.log.error(error, 'a link could not be started');
      this.#finish(noReason);
    }
  }

  /** Which events of messages are reported from now on. */
  follow(events: readonly MessageEvent[]): void {
    this.#followed = new Set(events);
  }

  async send(message: Calls['send']['with']): Promise<Calls['send']['answer']> {
    const sending = this.#sending;
    const sock = this.#connection?.sock;
    if (sending === null || sock === undefined) return notOpen;
    // Not at the login, because most numbers of a restart do not send at once.
    this.#records.learnNames();
    const sent = await sending.send(message);
    // The connection may be lost shortly before the link notices.
    return sent.outcome === 'not_sent' && (this.#sending !== sending || !sock.ws.isOpen) ? notOpen : sent;
  }

  async knows(number: Calls['knows']['with']): Promise<Calls['knows']['answer']> {
    return this.#sending?.knows(number) ?? null;
  }

  async check(numbers: Calls['check']['with']): Promise<Calls['check']['answer']> {
    return this.#sending?.check(numbers) ?? numbers.map(() => ({ reachable: null, networkNumber: null }));
  }

  /** Whether the network answers. If not, the connection is ended. */
  async probe(): Promise<boolean> {
    const connection = this.#connection;
    if (this.#state !== 'open' || connection === null) return false;
    const answered = await ping(connection.sock);
    if (!answered) void connection.end();
    return answered;
  }

  /** Replaces the signed pre-key if it is due at this time (epoch milliseconds). Never rejects. */
  rotateKey(now: number): Promise<void> {
    this.#rotations = this.#rotations.then(() => this.#rotateKey(now));
    return this.#rotations;
  }

  /** A code to type on the phone with this number (digits); null when no attempt is running. Rejects when the network refuses. */
  async pairingCode(phoneNumber: string): Promise<string | null> {
    const begun = () => this.#codesShown || (this.#state !== 'starting' && this.#state !== 'pairing');
    await this.#changes.until(begun, firstCodesMs);
    if (this.#state !== 'pairing' || !this.#codesShown || this.#connection === null) return null;
    return this.#connection.pairing?.requestCode(phoneNumber) ?? null;
  }

  async signPasskey(passkey: Calls['passkey_sign']['with']): Promise<void> {
    await this.#connection?.pairing?.passkey.sign(passkey);
  }

  async confirmPasskey(): Promise<void> {
    await this.#connection?.pairing?.passkey.confirm();
  }

  /** Ends a pairing attempt; false when a phone has scanned or a passkey is asked for. */
  async abandon(): Promise<boolean> {
    if (this.#connection?.pairing?.passkey.begun === true && !this.#ended) return false;
    if (this.#state !== 'pairing' && this.#state !== 'starting') return this.#ended;
    await this.close();
    return true;
  }

  /**
   * Unlinks at the network and ends the link; `ended` when it had ended by itself, which mostly does not unlink the number. Rejects if the network
   * did not confirm it; the link has ended even then. The network is not asked when the credentials cannot be read.
   */
  async logout(): Promise<Calls['logout']['answer']> {
    if (this.#ending !== null) {
      await this.#ending;
      return this.#endedForGood ? null : 'ended';
    }
    const unlinked = this.#unlink();
    const close = () => this.#close();
    this.#ending = unlinked.then(close, close);
    await this.#ending;
    await unlinked;
    return null;
  }

  /** Ends the link; the number stays linked. Resolves when everything is stored. */
  close(): Promise<void> {
    this.#ending ??= this.#close();
    return this.#ending;
  }

  get #ended(): boolean {
    return this.#state === 'ended';
  }

  /** The network has removed the device, or there are no keys to remove it with. */
  get #endedForGood(): boolean {
    return this.#unreadable || isRemoval(this.#lastClosing);
  }

  #to(state: State): void {
    this.#state = state;
    this.#changes.notify();
  }

  #emit(event: WorkerEvent): void {
    if (this.#ending === null) this.#options.onEvent(event);
  }

  #connect(identity: Identity, revision: number): void {
    this.#revision = revision;
    const { instanceId, store, sent, setup, proxy, asksFirst, log, libraryLog, caches } = this.#options;
    const { creds, keys, keysSoon, memory } = identity;
    const kept = new KeptMessages({ instanceId, memory: sent, store: setup.keepSent ? store : null, records: this.#records, log });
    const agent = proxy === null ? this.#options.agent : createProxyAgent(proxy, setup.ca);
    const connection = connect({
      url: setup.url,
      agent,
      proxied: proxy !== null,
      keepAliveMs: setup.timing.keepAliveMs,
      auth: { creds, keys },
      keysSoon,
      revision,
      log,
      libraryLog,
      caches,
      makeSignalRepository: memory.makeSignalRepository,
      mayLogIn: asksFirst ? () => store.mayLogIn() : null,
      listener: {
        codes: (codes) => {
          if (this.#state !== 'pairing') return;
          this.#codesShown = true;
          this.#changes.notify();
          this.#emit({ type: 'codes', codes });
        },
        typedCode: (code) => {
          if (this.#state === 'pairing') this.#emit({ type: 'typed_code', code });
        },
        passkey: (event) => this.#emit(event),
        paired: () => this.#paired(),
        open: (phoneNumber) => this.#opened(sending, { type: 'open', phoneNumber, revision, keySince: keptSignedPreKeys(creds).since }),
        versionExpires: (at) => this.#emit({ type: 'version_expires', revision, at }),
        // `onFailure` of the records reports a failure, here and below.
        credentialsChanged: () => void this.#records.write([[credsRecord, creds]]).catch(() => undefined),
        closed: (closing) => {
          sending.close();
          kept.close();
          this.#closed(closing);
        },
      },
    });
    // Created at once, because devices may ask for messages again before the login is complete.
    const sending = new Sending({
      sock: connection.sock,
      log,
      agent,
      limits: { acknowledgementMs: setup.timing.acknowledgementMs },
      records: this.#records,
      keysSoon,
      onRestriction: (restriction) => this.#emit({ type: 'restriction', restriction }),
      onNewChats: (newChats) => this.#emit({ type: 'new_chats', newChats }),
      memory,
      kept,
      events: { wants: (event) => this.#followed.has(event), store: (events) => store.storeEvents(events) },
    });
    this.#connection = connection;
  }

  async #paired(): Promise<void> {
    // While the link is being ended it must not become linked, because no one would know of it.
    if (this.#ending !== null) throw new Error('the link is being ended');
    this.#to('linking');
    await this.#records.release();
    this.#linked = true;
    this.#emit({ type: 'paired' });
  }

  async #rotateKey(now: number): Promise<void> {
    const connection = this.#connection;
    const creds = this.#identity?.creds;
    if (this.#state !== 'open' || connection === null || creds === undefined) return;
    const store = () => this.#records.write([[credsRecord, creds]]);
    try {
      await rotateSignedPreKey({ sock: connection.sock, creds, store, now });
    } catch (error) {
      this.#options.log.warn(error, 'the signed pre-key of a number could not be replaced and is tried again');
    }
  }

  /** Applies what the last connection received and could not store with the credentials before it ended. */
  #applyStored(creds: AuthenticationCreds, records: ReadonlyMap<string, unknown>): void {
    const applied = applyStored(creds, records);
    if (applied.length === 0) return;
    this.#records.write([[credsRecord, creds], ...applied.map((name) => [name, null] as const)]).catch(() => undefined);
  }

  #opened(sending: Sending, event: Extract<WorkerEvent, { type: 'open' }>): void {
    if (this.#ended) return;
    this.#sending = sending;
    this.#to('open');
    this.#emit(event);
    sending.opened();
  }

  #closed(closing: Closing): void {
    this.#sending = null;
    this.#connection = null;
    this.#lastClosing = closing;
    const delay = firstLoginDelaysMs[this.#retries];
    if (this.#state !== 'linking' || !mayComeBack(closing) || delay === undefined) {
      this.#finish(closing);
      return;
    }
    this.#retries++;
    const identity = this.#identity;
    const revision = this.#revision;
    if (identity === null || revision === null) return;
    // Uses the version with which the phone has linked.
    this.#retry = setTimeout(() => this.#connect(identity, revision), closing.code === 515 ? 0 : delay);
  }

  #finish(closing: Closing): void {
    if (this.#ended) return;
    const pairing = this.#state === 'pairing' || this.#state === 'starting';
    this.#to('ended');
    if (this.#ending !== null) return;
    this.#ending = this.#release().then(() => this.#options.onEvent({ type: 'closed', closing, pairing, revision: this.#revision }));
  }

  async #close(): Promise<void> {
    this.#to('ended');
    clearTimeout(this.#retry);
    this.#sending?.close();
    await this.#connection?.end();
    await this.#release();
  }

  async #release(): Promise<void> {
    await this.#records.drained();
    this.#records.close();
    this.#options.ended(this.#linked && leavesLinked(this.#lastClosing));
  }

  async #unlink(): Promise<void> {
    await this.#changes.until(() => this.#state === 'open' || this.#state === 'pairing' || this.#ended, logoutLoginMs);
    const connection = this.#connection;
    if (this.#state === 'pairing') return;
    if (this.#state === 'open' && connection !== null) {
      try {
        return await removeCompanion(connection.sock);
      } catch (error) {
        // The network may close a removed device's connection before it answers.
        await this.#changes.until(() => this.#ended, 1_000);
        if (!isRemoval(this.#lastClosing)) throw error;
        return;
      }
    }
    if (!this.#endedForGood) throw new Error('the network could not be reached to unlink the number');
  }
}
