import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { jidNormalizedUser, type proto, type WASocket } from 'baileys';
import type { Mutex } from '../../../../../core/index.ts';
import { accountFacts, learnFacts } from '../account-facts.ts';
import type { ChatTimers } from '../chat-timers.ts';
import type { ContactTokens } from '../contact-tokens.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import { download } from './download.ts';
import { type HistoryFacts, readHistory } from './read-history.ts';
import { historyIn, notificationOf, settle, waitingPieces } from './waiting-pieces.ts';

type Notification = proto.Message.IHistorySyncNotification;

/** How many pairs of numbers and LIDs are stored at a time. */
const storedAtOnce = 500;
const longestMs = 10 * 60 * 1000;

interface HistoryOptions {
  readonly sock: SendingSocket;
  readonly tokens: ContactTokens;
  readonly timers: Pick<ChatTimers, 'learn'>;
  readonly log: SendingLog;
  readonly agent: Agent | null;
  /** All changes of the link's SignalSessions, and of the pieces that wait, take turns here. */
  readonly turns: Mutex;
}

/**
 * Reads from the phone's history what sends need (see read-history.ts), one piece at a time. Nothing else is kept, and messages are never decoded.
 * The library confirms that a piece has arrived (receipt `hist_sync`). Until it is read it waits in the number's records (see waiting-pieces.ts), so
 * that it is read after the next login when this connection ends before that.
 */
export class History {
  readonly #options: HistoryOptions;
  readonly #ended = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(options: HistoryOptions) {
    this.#options = options;
    options.sock.ev.on('messages.upsert', this.#received);
  }

  /** Ends downloads in progress. */
  close(): void {
    this.#options.sock.ev.off('messages.upsert', this.#received);
    this.#ended.abort(new Error('the connection has ended'));
  }

  /** The connection is logged in. Reads the pieces that arrived over earlier connections. */
  opened(): void {
    this.#inTurn(async () => {
      for (const piece of await waitingPieces(this.#options.sock.authState.keys)) await this.#read(notificationOf(piece), true);
    });
  }

  readonly #received = ({ messages }: { messages: Parameters<WASocket['upsertMessage']>[0][] }): void => {
    for (const { key, message } of messages) {
      const told = historyIn(message);
      if (key.fromMe && told !== null) this.#inTurn(() => this.#read(told, false));
    }
  };

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'waiting pieces of history could not be looked up'));
  }

  async #read(told: Notification, isLate: boolean): Promise<void> {
    const { log, turns, sock } = this.#options;
    const over = (outcome: 'read' | 'failed') => turns.take(() => settle(sock.authState.keys, told, outcome));
    if (this.#ended.signal.aborted) return;
    try {
      await this.#take(told, isLate);
      await over('read');
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      const waits = await over('failed');
      log.warn({ err: error }, `a piece of history could not be read${waits ? '; it is tried again after the next login' : ''}`);
    }
  }

  async #take(told: Notification, isLate: boolean): Promise<void> {
    const { sock, tokens, timers } = this.#options;
    const { creds } = sock.authState;
    const own = [creds.me?.id, creds.me?.lid].map((jid) => jidNormalizedUser(jid));
    const facts = await readHistory(this.#inflated(told), (jid) => own.includes(jid));
    // The settings may have brought a newer one while this piece waited.
    const isWanted = !isLate || accountFacts(sock.authState.creds).salt === null;
    if (facts.salt !== null && isWanted) learnFacts(sock, { salt: facts.salt });
    this.#name(facts);
    for (let start = 0; start < facts.mappings.length; start += storedAtOnce) {
      await sock.signalRepository.lidMapping.storeLIDPNMappings(facts.mappings.slice(start, start + storedAtOnce));
    }
    await tokens.learn(facts.tokens);
    await timers.learn(facts.timers);
  }

  /** Stores the name that recipients see, unless the settings have already given it. */
  #name({ ownName }: HistoryFacts): void {
    const { ev, authState } = this.#options.sock;
    const { me } = authState.creds;
    if (ownName !== null && me !== undefined && me.name === undefined) ev.emit('creds.update', { me: { ...me, name: ownName } });
  }

  #inflated(told: Notification): AsyncIterable<Uint8Array> {
    const inflate = createInflate();
    // Those who read the inflated stream get the failure from there.
    pipeline(this.#bytesOf(told), inflate).catch(() => undefined);
    return inflate;
  }

  #bytesOf({ initialHistBootstrapInlinePayload: inline, mediaKey, directPath }: Notification): Readable {
    if (inline?.length) return Readable.from([inline]);
    if (!mediaKey || !directPath) throw new Error('a piece of history is nowhere');
    const { sock, agent } = this.#options;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(longestMs)]);
    return Readable.from(download({ sock, agent: agent ?? undefined }, { mediaKey, directPath }, 'md-msg-hist', signal));
  }
}
