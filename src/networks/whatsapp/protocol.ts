import type { LinkOutcome, MessageEvent, MessageNews, NewChats, OutgoingMessage, Reachability, Restriction } from '../index.ts';
import type { Closing } from './closing.ts';
import type { PackedRecords } from './thread-messages.ts';

/** The setup of a worker, passed when its thread starts. */
export interface WorkerSetup {
  /** The address of the server; null for WhatsApp's own. */
  readonly url: string | null;
  /** The public key that certificates of the Noise handshake must chain up to; null for WhatsApp's own. */
  readonly rootKey: Uint8Array | null;
  /** PEM of a certificate authority to trust in addition to Node's own. */
  readonly ca: string | null;
  /** Whether sent messages are kept in the store; otherwise in memory only. */
  readonly keepSent: boolean;
  /** Whether lines of the level `debug` are written; the others are not handed over. */
  readonly debug: boolean;
  readonly timing: Timing;
}

/** In milliseconds. */
export interface Timing {
  /** The longest pause between two pings of a connection. The shortest is half of it, and an answer may take two thirds of it. */
  readonly keepAliveMs: number;
  /** How long a message waits for its acknowledgement. */
  readonly acknowledgementMs: number;
  /** How long a worker may be silent before it counts as hung and is replaced. */
  readonly workerSilenceMs: number;
}

/** After this many sends, both threads collect their garbage as soon as they are idle. */
export const manySends = 10_000;

/** The calls of a link to its worker, each with its argument and its answer. */
export interface Calls {
  readonly send: { readonly with: OutgoingMessage; readonly answer: LinkOutcome };
  /** Whether there is a chat with this number (digits); null when the link is not open. */
  readonly knows: { readonly with: string; readonly answer: boolean | null };
  readonly check: { readonly with: readonly string[]; readonly answer: readonly Reachability[] };
  readonly probe: { readonly with: null; readonly answer: boolean };
  /** Replaces the number's signed pre-key if it is due at this time (epoch milliseconds). */
  readonly rotate_key: { readonly with: number; readonly answer: null };
  /** Takes the phone's digits; answers the code, or null when no attempt is running. */
  readonly pairing_code: { readonly with: string; readonly answer: string | null };
  readonly passkey_sign: { readonly with: GivenPasskey; readonly answer: null };
  /** A person has compared the codes. */
  readonly passkey_confirm: { readonly with: null; readonly answer: null };
  /** Ends a pairing attempt. False when a phone has scanned or the network has asked for a passkey meanwhile, so that the attempt goes on. */
  readonly abandon: { readonly with: null; readonly answer: boolean };
  /** Unlinks at the network and ends the link. `ended`: it had ended by itself, and nothing was done. Fails when the network did not confirm it. */
  readonly logout: { readonly with: null; readonly answer: 'ended' | null };
  /** Ends the link. Answered when everything is stored. */
  readonly close: { readonly with: null; readonly answer: null };
}
export type CallKind = keyof Calls;

/** The passkey, as a person's browser gave it. */
export interface GivenPasskey {
  readonly credentialId: Uint8Array;
  /** The credential as JSON text. */
  readonly assertion: string;
  /** Whether to prove that this device showed the code that was scanned; the network takes the proof for five minutes. */
  readonly prove: boolean;
}

/** The progress of linking with a passkey. */
export type PasskeyEvent =
  /** The network asks for the passkey with these WebAuthn options (JSON text). It may ask again with others. */
  | { readonly type: 'passkey_requested'; readonly options: string }
  /** The network has accepted the passkey. */
  | { readonly type: 'passkey_signed' }
  /** A person has to compare this code with the one on the phone. */
  | { readonly type: 'passkey_code'; readonly code: string }
  /** The phone has everything it needs to link. */
  | { readonly type: 'passkey_confirmed' }
  | { readonly type: 'passkey_failed'; readonly failure: PasskeyFailure };

/**
 * `no_options`: the network did not name the passkey it wants. `refused`: the network refused a step or did not answer. `not_understood`: the
 * phone's answer cannot be read.
 */
export type PasskeyFailure = 'no_options' | 'refused' | 'not_understood';

export type CallMessage = {
  [Kind in CallKind]: {
    readonly type: 'call';
    readonly link: number;
    readonly call: number;
    readonly kind: Kind;
    readonly with: Calls[Kind]['with'];
  };
}[CallKind];

/** Messages from the main thread to a worker. The side that begins a link, a call or a store request gives it its number. */
export type ToWorker =
  /** `asksFirst`: the link may log in only after it has asked (`may_log_in`), because other servers may own the number too. */
  | {
      readonly type: 'open';
      readonly link: number;
      readonly instanceId: string;
      readonly proxy: string | null;
      readonly asksFirst: boolean;
    }
  | CallMessage
  /** Which events of the link's messages are reported from now on. */
  | { readonly type: 'follow'; readonly link: number; readonly events: readonly MessageEvent[] }
  /** The version (its `client_revision`) for all connections begun from now on. No connection is begun before the first of these messages. */
  | { readonly type: 'version'; readonly revision: number }
  /** The answer to `store`. */
  | { readonly type: 'stored'; readonly link: number; readonly request: number; readonly result: StoreResult }
  /** Checks that the worker is alive. */
  | { readonly type: 'beat' }
  /** Ends the thread. */
  | { readonly type: 'end' };

/** What a link asks of its credential store. Only `names`, `read` and `recall` are answered with records. */
export type StoreRequest =
  /** The names of the next records after this one, which are answered without their contents. */
  | { readonly type: 'names'; readonly after: string }
  | { readonly type: 'read'; readonly names: readonly string[] }
  | { readonly type: 'write'; readonly records: PackedRecords; readonly sent: PackedRecords }
  /** Reads kept messages; `forget` deletes them. */
  | { readonly type: 'recall'; readonly messageIds: readonly string[] }
  | { readonly type: 'forget'; readonly messageIds: readonly string[] }
  /** Whether the link may log in: answered as a failure when it may not. */
  | { readonly type: 'may_log_in' }
  | { readonly type: 'message_events'; readonly events: readonly MessageNews[] };

/** `away`: the store is unavailable right now; the same request may succeed later. `unreadable`: what is stored cannot be opened. */
export type StoreResult =
  | { readonly ok: true; readonly records: PackedRecords | null }
  | { readonly ok: false; readonly reason: string; readonly fault: 'away' | 'unreadable' | null };

/** Messages from a worker to the main thread. */
export type FromWorker =
  | { readonly type: 'event'; readonly link: number; readonly event: WorkerEvent }
  | { readonly type: 'answer'; readonly link: number; readonly call: number; readonly result: CallResult }
  | { readonly type: 'store'; readonly link: number; readonly request: number; readonly with: StoreRequest }
  /** The answer that the worker is alive. */
  | { readonly type: 'beat' }
  | { readonly type: 'log'; readonly level: 'debug' | 'warn' | 'error'; readonly line: LogLine };

export type CallResult = { readonly ok: true; readonly value: Calls[CallKind]['answer'] } | { readonly ok: false; readonly reason: string };

/** The events of a link in its worker. `closed` is the last one; the worker has dropped the link by then. */
export type WorkerEvent =
  /** The contents of all QR codes of the attempt. Sent again when they have all changed. */
  | { readonly type: 'codes'; readonly codes: readonly string[] }
  /** Replaces the code that was given to type on the phone. */
  | { readonly type: 'typed_code'; readonly code: string }
  | PasskeyEvent
  /** A phone has linked and the credentials are stored. The login comes next. */
  | { readonly type: 'paired' }
  /**
   * Logged in; the network accepts the version (`client_revision`) of this connection. `keySince`: since when the number's signed pre-key is in use
   * (epoch milliseconds); null when that is not known.
   */
  | { readonly type: 'open'; readonly phoneNumber: string; readonly revision: number; readonly keySince: number | null }
  /** When the network will stop accepting this connection's version (epoch milliseconds); null when it will not. */
  | { readonly type: 'version_expires'; readonly revision: number; readonly at: number | null }
  | { readonly type: 'restriction'; readonly restriction: Restriction | null }
  | { readonly type: 'new_chats'; readonly newChats: NewChats | null }
  /** `revision`: the version of the last connection; null when there was none. */
  | { readonly type: 'closed'; readonly closing: Closing; readonly pairing: boolean; readonly revision: number | null };

/** One line for the log. It contains words only and none of the objects that the library logs with them. */
export interface LogLine {
  /** null when the line belongs to no single link. */
  readonly instanceId: string | null;
  readonly message: string;
  readonly error: string | null;
}
