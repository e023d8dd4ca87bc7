import { ProtobufStream } from '../../library/protobuf-stream.ts';
import type { ChatTimer } from '../chat-timers.ts';
import { personOf } from '../people.ts';

/** The person of a conversation, as it names them. */
interface Named {
  readonly jid: string;
  readonly otherJid: string | null;
}

/** The tctokens of a conversation. Times are epoch seconds. */
interface HistoryToken {
  /** null when the person issued none. */
  readonly token: Uint8Array | null;
  readonly timestamp: number;
  /** When this account last issued that person a token; 0 for never. */
  readonly senderTimestamp: number;
}

/** Everything that is read from a piece of history. */
export interface HistoryFacts {
  /** The nct salt; null when the piece has none. */
  readonly salt: Uint8Array | null;
  readonly mappings: readonly { readonly pn: string; readonly lid: string }[];
  readonly tokens: readonly (Named & HistoryToken)[];
  /** Of the chats that have a timer. */
  readonly timers: readonly (Named & ChatTimer)[];
  /** The account's own name; null when the piece has none. */
  readonly ownName: string | null;
}

/** Further conversations are ignored, because the phone decides how many it sends. */
const mostEntries = 50_000;
/** The largest size of an inflated piece. */
const mostBytes = 4 * 1024 ** 3;

const conversation = { keep: [1, 9, 10, 21, 22, 28, 39, 42] };
const pair = { keep: [1, 2] };

/** The fields of a piece that are read (see `readHistory`). */
export const wantedOfHistory = { keep: [19], within: { 2: conversation, 7: pair, 15: pair } };

/**
 * Reads an inflated piece of history (HistorySync) as a stream: the nct salt (19), numbers and their LIDs (15), names (7, of which only the account's own
 * is kept), and of each conversation (2) its addresses (1, 39, 42), timer (9, 10) and tokens (21, 22, 28). Messages are skipped without being decoded. Rejects when
 * the piece is malformed or too large.
 */
export async function readHistory(source: AsyncIterable<Uint8Array>, isOwn: (jid: string) => boolean): Promise<HistoryFacts> {
  const mappings: { pn: string; lid: string }[] = [];
  const tokens: HistoryFacts['tokens'][number][] = [];
  const timers: HistoryFacts['timers'][number][] = [];
  let salt: Uint8Array | null = null;
  let ownName: string | null = null;

  const map = (a: string | null, b: string | null) => {
    const { pn, lid } = personOf(a ?? '', b);
    if (pn !== null && lid !== null && mappings.length < mostEntries) mappings.push({ pn, lid });
  };
  const stream = new ProtobufStream({
    ...wantedOfHistory,
    within: {
      2: {
        ...conversation,
        done(chat) {
          const jid = chat.text(1);
          if (jid === null) return;
          const otherJid = chat.text(42) ?? chat.text(39);
          map(jid, otherJid);
          const timer = { expiration: chat.number(9), setAt: chat.number(10) };
          if (timer.expiration > 0 && timers.length < mostEntries) timers.push({ jid, otherJid, ...timer });
          const tctoken = { token: chat.bytes(21), timestamp: chat.number(22), senderTimestamp: chat.number(28) };
          if (tokens.length < mostEntries && (tctoken.token !== null || tctoken.senderTimestamp > 0))
            tokens.push({ jid, otherJid, ...tctoken });
        },
      },
      7: {
        ...pair,
        done(person) {
          if (isOwn(person.text(1) ?? '')) ownName = person.text(2);
        },
      },
      15: { ...pair, done: (addresses) => map(addresses.text(1), addresses.text(2)) },
    },
    done(history) {
      salt = history.bytes(19);
    },
  });
  let read = 0;
  for await (const piece of source) {
    read += piece.length;
    if (read > mostBytes) throw new Error('a piece of history does not end');
    stream.push(piece);
  }
  stream.end();
  return { salt, mappings, tokens, timers, ownName };
}
