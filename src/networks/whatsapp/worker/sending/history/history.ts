import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { jidNormalizedUser, proto, type WASocket } from 'baileys';
import { learnFacts } from '../account-facts.ts';
import type { ContactTokens } from '../contact-tokens.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import { download } from './download.ts';
import { type HistoryFacts, readHistory } from './read-history.ts';

type Notification = proto.Message.IHistorySyncNotification;

const { HistorySyncType } = proto.Message;
/** The kinds of history that contain what is needed. The others contain only messages. */
const readTypes = new Set([HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.PUSH_NAME]);
/** How many pairs of numbers and LIDs are stored at a time. */
const storedAtOnce = 500;
const longestMs = 10 * 60 * 1000;

interface HistoryOptions {
  readonly sock: SendingSocket;
  readonly tokens: ContactTokens;
  readonly log: SendingLog;
  readonly agent: Agent | null;
}

/**
 * Reads from the phone's history what sends need (see read-history.ts), one piece at a time. Nothing else is kept, and messages are never decoded.
 * The library confirms that a piece has arrived (receipt `hist_sync`).
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

  readonly #received = ({ messages }: { messages: Parameters<WASocket['upsertMessage']>[0][] }): void => {
    for (const { key, message } of messages) {
      const told = message?.protocolMessage?.historySyncNotification;
      if (!key.fromMe || told?.syncType == null || !readTypes.has(told.syncType)) continue;
      this.#last = this.#last
        .then(() => this.#take(told))
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a piece of history could not be read'));
    }
  };

  async #take(told: Notification): Promise<void> {
    const { sock, tokens } = this.#options;
    if (this.#ended.signal.aborted) return;
    const { creds } = sock.authState;
    const own = [creds.me?.id, creds.me?.lid].map((jid) => jidNormalizedUser(jid));
    const facts = await readHistory(this.#inflated(told), (jid) => own.includes(jid));
    if (facts.salt !== null) learnFacts(sock, { salt: facts.salt });
    this.#name(facts);
    for (let start = 0; start < facts.mappings.length; start += storedAtOnce) {
      await sock.signalRepository.lidMapping.storeLIDPNMappings(facts.mappings.slice(start, start + storedAtOnce));
    }
    await tokens.learn(facts.tokens);
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
