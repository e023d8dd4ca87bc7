import type { LinkOutcome, NewChats, OutgoingMessage, Reachability, Restriction } from '../index.ts';
import type { Closing } from './closing.ts';
import type { PackedRecords } from './packed-records.ts';

/** How a worker is set up; given when its thread starts. */
export interface WorkerSetup {
  /** null: WhatsApp's own server. */
  readonly url: string | null;
  /** The public key that certificates of the Noise handshake must chain up to; null: WhatsApp's own. */
  readonly rootKey: Uint8Array | null;
  /** PEM of an authority to trust in addition to Node's own. */
  readonly ca: string | null;
  /** Whether sent messages are kept in the store; else in memory only. */
  readonly keepSent: boolean;
  readonly timing: Timing;
}

/** In milliseconds. */
export interface Timing {
  /** The longest pause between two questions whether a connection lives; the shortest is half of it, and an answer has two thirds of it. */
  readonly keepAliveMs: number;
  /** How long a message waits for its acknowledgement. */
  readonly acknowledgementMs: number;
  /** How long a worker may say nothing at all before it counts as hung and is replaced. */
  readonly workerSilenceMs: number;
}

/** After how many sends the garbage of both threads is worth a collection of its own, once they are idle. */
export const manySends = 10_000;

/** What a link asks of its worker: for each kind what goes along and what comes back. */
export interface Calls {
  readonly send: { readonly with: OutgoingMessage; readonly answer: LinkOutcome };
  readonly check: { readonly with: readonly string[]; readonly answer: readonly Reachability[] };
  readonly probe: { readonly with: null; readonly answer: boolean };
  /** The phone's digits; the code, or null when no attempt is running. */
  readonly pairing_code: { readonly with: string; readonly answer: string | null };
  readonly passkey_sign: { readonly with: GivenPasskey; readonly answer: null };
  /** A person has compared the codes. */
  readonly passkey_confirm: { readonly with: null; readonly answer: null };
  /** Ends a pairing attempt; false when a phone has scanned or the network asked for a passkey meanwhile, and the attempt goes on. */
  readonly abandon: { readonly with: null; readonly answer: boolean };
  /** Unlinks at the network and ends the link. Fails when the network could not be told. */
  readonly logout: { readonly with: null; readonly answer: null };
  /** Ends the link; answered when everything it had to store is stored. */
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

/** How linking with a passkey goes on. */
export type PasskeyEvent =
  /** The network asks for the passkey with these WebAuthn options (JSON text). It may ask again with others. */
  | { readonly type: 'passkey_requested'; readonly options: string }
  /** The network has taken the passkey. */
  | { readonly type: 'passkey_signed' }
  /** A person is to compare this code with the phone's. */
  | { readonly type: 'passkey_code'; readonly code: string }
  /** The phone was given all it needs to link. */
  | { readonly type: 'passkey_confirmed' }
  | { readonly type: 'passkey_failed'; readonly failure: PasskeyFailure };

/** `no_options`: the network did not say which passkey. `refused`: it said no, or nothing, to what was sent. `not_understood`: the phone's answer cannot be read. */
export type PasskeyFailure = 'no_options' | 'refused' | 'not_understood';

/** One call of one kind. */
export type CallMessage = {
  [Kind in CallKind]: {
    readonly type: 'call';
    readonly link: number;
    readonly call: number;
    readonly kind: Kind;
    readonly with: Calls[Kind]['with'];
  };
}[CallKind];

/** From the main thread to a worker. Links, calls and store requests are numbered by the side that begins them. */
export type ToWorker =
  | { readonly type: 'open'; readonly link: number; readonly instanceId: string; readonly proxy: string | null }
  | CallMessage
  /** The version (its `client_revision`) that every connection begun from now on uses; none begins before the first of these. */
  | { readonly type: 'version'; readonly revision: number }
  /** The answer to `read`, `recall` or `write`. */
  | { readonly type: 'stored'; readonly link: number; readonly request: number; readonly result: StoreResult }
  /** Asks for a sign of life. */
  | { readonly type: 'beat' }
  /** The thread ends. */
  | { readonly type: 'end' };

/** `away`: the store cannot be used right now, and the same request may succeed later. */
export type StoreResult =
  | { readonly ok: true; readonly records: PackedRecords | null }
  | { readonly ok: false; readonly reason: string; readonly away: boolean };

/** From a worker to the main thread. */
export type FromWorker =
  | { readonly type: 'told'; readonly link: number; readonly event: WorkerEvent }
  | { readonly type: 'answer'; readonly link: number; readonly call: number; readonly result: CallResult }
  | { readonly type: 'read'; readonly link: number; readonly request: number; readonly names: readonly string[] }
  | {
      readonly type: 'write';
      readonly link: number;
      readonly request: number;
      readonly records: PackedRecords;
      readonly sent: PackedRecords;
    }
  /** Kept messages: asks for them, and lets them go. */
  | { readonly type: 'recall'; readonly link: number; readonly request: number; readonly messageIds: readonly string[] }
  | { readonly type: 'forget'; readonly link: number; readonly messageIds: readonly string[] }
  /** The sign of life. */
  | { readonly type: 'beat' }
  | { readonly type: 'log'; readonly level: 'debug' | 'warn' | 'error'; readonly line: LogLine };

export type CallResult = { readonly ok: true; readonly value: Calls[CallKind]['answer'] } | { readonly ok: false; readonly reason: string };

/** What a worker tells of a link. After `closed` it knows the link no more. */
export type WorkerEvent =
  /** Everything a QR code holds, for each code of the attempt. Told again when all of them have changed. */
  | { readonly type: 'codes'; readonly codes: readonly string[] }
  | PasskeyEvent
  /** A phone has linked; its credentials are stored, and the login follows. */
  | { readonly type: 'paired' }
  /** Logged in; the network accepts the version (`client_revision`) of this connection. */
  | { readonly type: 'open'; readonly phoneNumber: string; readonly revision: number }
  /** The network says when the version of this connection ends (epoch milliseconds), or with null that it does not. */
  | { readonly type: 'version_expires'; readonly revision: number; readonly at: number | null }
  | { readonly type: 'restriction'; readonly restriction: Restriction | null }
  | { readonly type: 'new_chats'; readonly newChats: NewChats | null }
  /** `revision`: the version of the last connection; null when there was none. */
  | { readonly type: 'closed'; readonly closing: Closing; readonly pairing: boolean; readonly revision: number | null };

/** One line for the log: words only, never what the library wanted to show along with them. */
export interface LogLine {
  /** null: of no link in particular. */
  readonly instanceId: string | null;
  readonly message: string;
  readonly error: string | null;
}
