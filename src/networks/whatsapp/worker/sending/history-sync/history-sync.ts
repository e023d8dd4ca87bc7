import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { jidNormalizedUser, type proto, type WASocket } from 'baileys';
import { accountFacts, changeFacts } from '../account-facts.ts';
import { storeTimers } from '../chat-timers.ts';
import type { Wire } from '../link-memory.ts';
import { download } from '../media-transfer/download.ts';
import { personOf } from '../people.ts';
import type { Tctokens } from '../tctoken.ts';
import { notificationIn, notificationOf, pendingPieces, settle } from './pending.ts';
import { readHistory } from './read-history.ts';

type Notification = proto.Message.IHistorySyncNotification;

const mappingsAtOnce = 500;
const longestMs = 10 * 60 * 1000;

/**
 * Reads from the phone's history what sends need (see read-history.ts), one piece at a time. Nothing else is kept, and messages are never decoded.
 * The library confirms that a piece has arrived (receipt `hist_sync`). Until it is read it waits in the number's records (see pending.ts), so that it
 * is read after the next login when this connection ends before that.
 */
export class HistorySync {
  readonly #wire: Wire;
  readonly #tctokens: Tctokens;
  readonly #ended = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(wire: Wire, tctokens: Tctokens) {
    this.#wire = wire;
    this.#tctokens = tctokens;
    wire.sock.ev.on('messages.upsert', this.#received);
  }

  /** Ends downloads in progress. */
  close(): void {
    this.#wire.sock.ev.off('messages.upsert', this.#received);
    this.#ended.abort(new Error('the connection has ended'));
  }

  /** The connection is logged in. Reads the pieces that arrived over earlier connections. */
  opened(): void {
    this.#inTurn(async () => {
      for (const piece of await pendingPieces(this.#wire.sock.authState.keys)) await this.#read(notificationOf(piece), true);
    });
  }

  readonly #received = ({ messages }: { messages: Parameters<WASocket['upsertMessage']>[0][] }): void => {
    for (const { key, message } of messages) {
      const notification = key.fromMe ? notificationIn(message) : null;
      if (notification !== null) this.#inTurn(() => this.#read(notification, false));
    }
  };

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => this.#wire.log.warn({ err: error }, 'pending pieces of history could not be looked up'));
  }

  async #read(notification: Notification, isLate: boolean): Promise<void> {
    const { sock, memory, log } = this.#wire;
    const { keys } = sock.authState;
    if (this.#ended.signal.aborted) return;
    try {
      await this.#apply(notification, isLate);
      await memory.signalSessionMutex.take(() => settle(keys, notification, 'read'));
    } catch (error) {
      // Nor is a connection that ends meanwhile a failure of the piece.
      if (this.#ended.signal.aborted || !sock.ws.isOpen) return;
      const waits = await memory.signalSessionMutex.take(() => settle(keys, notification, 'failed'));
      log.warn({ err: error }, `a piece of history could not be read${waits ? '; it is tried again after the next login' : ''}`);
    }
  }

  async #apply(notification: Notification, isLate: boolean): Promise<void> {
    const { sock, memory } = this.#wire;
    const { creds, keys } = sock.authState;
    const own = [creds.me?.id, creds.me?.lid].map((jid) => jidNormalizedUser(jid));
    const inflated = createInflate();
    // Those who read the inflated stream get the failure from there.
    pipeline(this.#bytesOf(notification), inflated).catch(() => undefined);
    const { salt, ownName, mappings, tokens, timers } = await readHistory(inflated, (jid) => own.includes(jid));
    // The app state may have brought a newer one while this piece waited.
    if (salt !== null && (!isLate || accountFacts(creds).salt === null)) changeFacts(sock, { salt });
    // The name that recipients see, unless the app state has already given it.
    if (ownName !== null && creds.me !== undefined && creds.me.name === undefined) {
      sock.ev.emit('creds.update', { me: { ...creds.me, name: ownName } });
    }
    for (let start = 0; start < mappings.length; start += mappingsAtOnce) {
      await sock.signalRepository.lidMapping.storeLIDPNMappings(mappings.slice(start, start + mappingsAtOnce));
    }
    for (const { jid, otherJid, ...tctoken } of tokens) await this.#tctokens.store(personOf(jid, otherJid), tctoken);
    const chats = timers.map(({ jid, otherJid, ...timer }) => ({ person: personOf(jid, otherJid), timer }));
    await memory.signalSessionMutex.take(() => storeTimers(keys, chats));
  }

  #bytesOf({ initialHistBootstrapInlinePayload: inline, mediaKey, directPath }: Notification): Readable {
    if (inline?.length) return Readable.from([inline]);
    if (!mediaKey || !directPath) throw new Error('a piece of history is nowhere');
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(longestMs)]);
    return Readable.from(download(this.#wire, { mediaKey, directPath }, 'md-msg-hist', signal));
  }
}
