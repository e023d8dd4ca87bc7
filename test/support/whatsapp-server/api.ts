import type { proto } from 'baileys';
import type { Clock } from '../../../src/core/index.ts';
import type { Authenticator } from './authenticator.ts';
import type { Screen } from './companion-refresh.ts';
import type { HistoryPiece } from './history.ts';
import type { PasskeyScript } from './passkey-phone.ts';
import type { Strictness } from './strictness.ts';

/** How the server behaves for its whole life. */
export interface WhatsAppServerOptions {
  /** 0 (default) takes a free port. */
  readonly port?: number;
  /** How many QR references one pairing attempt gets; default 6, as the real network. */
  readonly refs?: number;
  /** Told one line per connection, pairing and fault; never message text or keys. */
  readonly log?: (line: string) => void;
  /**
   * When phones decrypt what they received. `at_once` (default): on arrival, and a phone that cannot decrypt asks for a retry as a real one does.
   * `when_asked`: kept in order, decrypted by `received()`. `never`: bodies and stanzas are only counted, for benchmarks.
   */
  readonly decrypt?: 'at_once' | 'when_asked' | 'never';
  /** Whether recipients' phones send delivery receipts to the sender; default true, as the real network. */
  readonly receipts?: boolean;
  /** What to be less strict about than the real network; see `strictness.ts`. */
  readonly strictness?: Partial<Strictness>;
  /** By which the devices' time to answer is measured; default: the machine's. */
  readonly clock?: Clock;
}

export interface WhatsAppServer {
  /** `wss://127.0.0.1:PORT/ws/chat`. Media uploads and downloads are on `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Hex of the Noise root public key (`WHATSAPP_ROOT_KEY`). */
  readonly rootKey: string;
  /** PEM file to trust (`WHATSAPP_CA_FILE`). */
  readonly caFile: string;
  /** The person with this number (digits): made on first use, on the network, with a phone that decrypts what it receives. */
  person(number: string): Person;
  /** Says where phones can see the codes on show, for when one has to be scanned again. */
  showsCodes(screen: Screen): void;
  readonly faults: Faults;
  readonly builds: Builds;
  readonly record: Record_;
  /** Ends every connection and removes every file of the server. */
  close(): Promise<void>;
}

export interface Person {
  readonly number: string;
  /** The number the network knows this person by internally (digits of its `@lid` address). */
  readonly lid: string;
  /**
   * The phone scans a QR string as the gateway showed it. Resolves when the companion has logged in as a linked device.
   * The network first asks the device for another secret (unless `strictness` says otherwise), and the phone scans the code again: what `again`
   * resolves with, or what a screen shows that the server was told of. Without either it rejects with ScanAgain, and the next call is the second scan.
   * Rejects when no open attempt shows the code, when the network asks for a passkey, or after 15 s.
   */
  scan(code: string, again?: () => Promise<string>): Promise<void>;
  /** The phone enters an 8-character pairing code. Resolves and rejects like `scan`; also rejects for a wrong code. */
  enterPairingCode(code: string): Promise<void>;
  /** The phone removes all its linked devices: they are told 401 `device_removed` and can never log in again. */
  unlink(): Promise<void>;
  /**
   * What this person's phone received or (sent from a linked device) was copied, decrypted, oldest first: one entry per sender and message id.
   * Rejects when the server was started with `decrypt: 'never'`.
   */
  received(): Promise<readonly ReceivedMessage[]>;
  /** The first received message that matches, those already there included. Rejects after 15 s (or `timeoutMs`). */
  nextReceived(match: (message: ReceivedMessage) => boolean, timeoutMs?: number): Promise<ReceivedMessage>;
  /** The person's passkey for WhatsApp. */
  readonly authenticator: Authenticator;
  /** The last linking with a passkey, as the phone saw it. Throws when there was none. */
  readonly ceremony: Ceremony;
  /** Sends a text from this person's phone to every device of another number. Resolves with the message id once it was handed to the network. */
  send(to: string, text: string): Promise<string>;
  /** Sends any message, like `send`. */
  sendMessage(to: string, message: proto.IMessage): Promise<string>;
  /** The account moves to LID addressing, and its phone tells its companions so. */
  migrate(): Promise<void>;
  /** The network gives this person another LID. Messages to the old one arrive, and their acknowledgement asks for `refresh_lid`. */
  renewLid(): void;
  /**
   * Gives another number a contact token: told at once, or with `along` together with a message of that text. `at`: when, in epoch seconds.
   * `told: false`: the network knows of it, and nobody is told.
   */
  giveToken(to: string, how?: { at?: number; along?: string; told?: boolean }): Promise<Buffer>;
  /** The phone hands its companions a piece of history, in the message itself or as a file on the media server. */
  handHistory(piece: HistoryPiece, as: 'inline' | 'blob'): Promise<void>;
  /** The key of the account's client-signed tokens; null: it has none. Companions are told by history. */
  salt: Buffer | null;
  /** Changes what the network knows of this person. */
  is(change: PersonChange): void;
  /** So many stanzas of groups, broadcasts and calls arrive for the linked devices, or wait for them. */
  isBusy(stanzas: number): void;
  /** How many stanzas the linked devices have not acknowledged. */
  readonly unacknowledged: number;
  /**
   * The app is installed anew on the phone: another identity and registration, no sessions, no messages. What was encrypted for the old one it asks
   * for again. `silently`: the network tells nobody of the new identity.
   */
  reinstall(how?: { silently?: boolean }): void;
  /** This person's phone sends a retry receipt for a message of another number's linked devices, whether it ever got that message or not. */
  askFor(from: string, messageId: string): Promise<void>;
}

export interface Ceremony {
  /** What the phone shows to be compared, once it is known. */
  readonly code: Promise<string>;
  /** Resolves when the device is linked and has logged in. */
  readonly linked: Promise<void>;
}

export interface PersonChange {
  readonly onNetwork?: boolean;
  readonly hasDevices?: boolean;
  /** Questions about this number are answered with that other number; null ends it. */
  readonly answersAs?: string | null;
  /** How many further devices, besides the phone and what was linked by code, the person has. */
  readonly companions?: number;
  /** Nobody is told of the change of devices. */
  readonly silently?: boolean;
  /** The phone is off. What arrives waits until it is back. */
  readonly away?: boolean;
  /** Whether the account is addressed by LID, as newly linked devices are told; null: they are told nothing, and it is as it was. */
  readonly lidMigrated?: boolean | null;
  /** Whether the account is addressed by LID, which nobody is told (`migrate` tells). */
  readonly migrated?: boolean;
}

export interface ReceivedMessage {
  readonly id: string;
  /** Digits of the sender: the person's own number for copies of what its linked devices sent. */
  readonly from: string;
  /** Digits of the recipient: the person itself, or whom its linked device wrote to. */
  readonly to: string;
  /** How often it was delivered and decrypted. */
  readonly times: number;
  /** The decrypted message, unwrapped from `deviceSentMessage`. */
  readonly message: proto.IMessage;
  /** Children of the message stanza besides the encrypted ones: tag names, `biz` for interactive messages for example. */
  readonly extras: readonly string[];
  /** What the recipient would report it with; null when it came without. */
  readonly reportingToken: Uint8Array | null;
  /** The file of a media message from the server's media store: both hashes and the MAC are checked, then it is decrypted. */
  media(): Promise<Buffer>;
}

export type MessageFault =
  /** Not delivered; the acknowledgement carries this error code (463, 479 …). */
  | { readonly kind: 'refuse'; readonly code: number }
  /** Delivered, never acknowledged. */
  | { readonly kind: 'lose_ack' }
  /** Delivered, then the connection is cut before the acknowledgement. */
  | { readonly kind: 'drop' }
  /** The connection is cut and nothing is delivered. */
  | { readonly kind: 'drop_before' }
  /** Delivered and acknowledged this much later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Delivered and acknowledged, but the recipient's phone cannot decrypt it and asks for a retry. */
  | { readonly kind: 'undecryptable' }
  /** Delivered and acknowledged with `refresh_lid`: the network says that the recipient's LID has changed. */
  | { readonly kind: 'stale_lid' };

/** Every rule holds `times` times (default 1, `Infinity` for ever), the oldest matching rule first. A field left out matches everything. Numbers are digits. */
export interface Faults {
  onMessage(match: { to?: string; from?: string; times?: number }, fault: MessageFault): void;
  /** `silence`: never answered; `error`: answered with error 500; `drop`: the connection is cut. */
  onUsync(match: { number?: string; times?: number }, fault: { kind: 'silence' | 'error' | 'drop' }): void;
  /** `refuse`: HTTP 500; `cut`: the connection is cut in the middle of the body; `hang`: the body is read and never answered. */
  onUpload(match: { times?: number }, fault: { kind: 'refuse' | 'cut' | 'hang' }): void;
  /**
   * Cuts the connection of the next pairing attempt a phone links: `before` it gets the phone's statement (the phone's `scan` rejects, nothing is linked),
   * or `after` it has answered it, instead of the restart (the device is linked and may log in).
   */
  onPairing(cut: 'before' | 'after'): void;
  /** Every login of this number fails with this reason until cleared with null. Open connections stay. */
  onLogin(number: string, failure: { code: number; expireSeconds?: number } | null): void;
  /** The keys that are given out for these devices of a number (0 is the phone) are not signed by their owner; an empty list ends it. */
  forgeKeys(number: string, devices: readonly number[]): void;
  /**
   * The number may not start new chats until this epoch second: messages to people without a chat with it are refused with 463,
   * and the restriction is told to the linked devices; null lifts it.
   */
  restrictReachOut(number: string, until: number | null): void;
  /**
   * The number may start only `quota` chats until `cycleEndsAt` (epoch seconds), of which it has started `used`: further ones are refused with
   * 475. Told to the linked devices unless `told` is false, and whenever they ask; null lifts it.
   */
  capNewChats(number: string, cap: { quota: number; used: number; cycleEndsAt: number } | null, told?: boolean): void;
  /** Ends the live connections of a linked number; `silence` keeps the socket and answers nothing any more. */
  end(
    number: string,
    how: { kind: 'drop' } | { kind: 'stream_error'; code: number; conflict?: string } | { kind: 'silence' },
  ): Promise<void>;
  /** New connections are cut at once until called with false. */
  refuseConnections(refuse: boolean): void;
  /** Before a device is linked the network asks for the account's passkey: `scan` rejects, and what comes of it is in `Person.ceremony`. */
  askPasskey(ask: boolean | PasskeyScript): void;
  /** Forgets every rule above. */
  clear(): void;
}

/** The versions of WhatsApp Web: a version is its `client_revision`, N of 2.3000.N. */
export interface Builds {
  /** Logins of older versions are refused with 405; at first those older than the library's. Open connections stay. */
  refuseBelow(revision: number): void;
  /** The newest one, which the page names; at first a little newer than the library's. */
  readonly newest: number;
  publish(revision: number): void;
  /** What `https://…/sw.js` does: `serve` (at first), `fail` with 503, `hang` without an answer, or answer with this text. */
  page(does: 'serve' | 'fail' | 'hang' | { text: string }): void;
  /** Everybody who is connected, and everybody who logs in, is told that the version ends at this epoch second; null withdraws it. */
  expire(at: number | null): void;
  /** The version of every login and pairing attempt, oldest first. */
  readonly seen: readonly number[];
  /** How often the page was asked for. */
  readonly reads: number;
}

export interface Stanza {
  readonly from: string;
  readonly to: string;
  readonly id: string;
}

/** How a message stanza was addressed, and what came of it. */
export interface Envelope {
  readonly id: string;
  /** JID as it was written. */
  readonly to: string;
  readonly attrs: Readonly<Record<string, string>>;
  /** JIDs of the devices it had a copy for. */
  readonly devices: readonly string[];
  /** `msg` or `pkmsg`, for each of them. */
  readonly types: readonly string[];
  /** Tags of the stanza's children. */
  readonly children: readonly string[];
  /** The code it was refused with; null when it was taken. */
  readonly refusal: string | null;
}

/** A question about users. */
export interface Question {
  readonly from: string;
  /** Tags of what was asked: `contact`, `devices`, `lid` … */
  readonly protocols: readonly string[];
  /** JIDs and `+numbers` as they were asked. */
  readonly users: readonly string[];
}

export interface Record_ {
  /** Numbers with a device linked by code, whether it is connected or not. */
  linked(): readonly string[];
  /** Numbers with such a device logged in right now. */
  connected(): readonly string[];
  /** Most connections that were between TCP accept and `<success>` (or the QR codes of a pairing attempt) at one time, since the last reset. */
  readonly mostLoginsAtOnce: number;
  resetMostLoginsAtOnce(): void;
  /** How many logins succeeded, by number. */
  logins(number: string): number;
  /** How many media uploads were completed. */
  readonly uploads: number;
  /** How many message stanzas were received; counted in every mode. */
  readonly messages: number;
  /** Every message stanza received, refused ones included; empty with `decrypt: 'never'`. */
  readonly stanzas: readonly Stanza[];
  /** Messages that were sent again to some devices only: in answer to a retry receipt with its count, or with 0 to devices that were missing at first. */
  readonly resends: readonly (Stanza & { readonly count: number; readonly devices: readonly string[] })[];
  /** The same stanzas as they were addressed, in order of their answers. */
  readonly envelopes: readonly Envelope[];
  /** Questions about users; empty with `decrypt: 'never'`. */
  readonly questions: readonly Question[];
  /** Whom (JID) linked devices gave the token of their account. */
  readonly issuedTokens: readonly { readonly from: string; readonly to: string }[];
  /** Message stanzas that did not go to exactly the devices of the recipient and the sender's other devices, and were not completed since. */
  readonly incomplete: readonly (Stanza & { readonly missing: readonly string[]; readonly unknown: readonly string[] })[];
  /** What the real network would have refused or a phone could not decrypt, in plain words. */
  readonly problems: readonly string[];
  /** Receipts sent by linked devices, retry receipts included. */
  readonly receipts: readonly (Stanza & { readonly type: string })[];
  /** Messages that a phone could not decrypt, has asked for again and does not have yet. */
  readonly awaited: readonly Stanza[];
  /** How many retry receipts for this message were acknowledged. */
  retriesAcknowledged(messageId: string): number;
  /** How often the LID of this number, and nothing else of it, was asked for. */
  lidQuestions(number: string): number;
  /** Logouts asked for by linked devices, by number. */
  readonly logouts: readonly string[];
  /** Resolves when the condition over the record holds, checked on every change. Rejects after 15 s by default. */
  until(condition: () => boolean, timeoutMs?: number): Promise<void>;
}
