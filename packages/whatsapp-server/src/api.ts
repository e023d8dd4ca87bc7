import type { proto } from 'baileys';
import type { Authenticator } from './authenticator.ts';
import type { Clock } from './clock.ts';
import type { Screen } from './companion-refresh.ts';
import type { HistoryPiece } from './history.ts';
import type { PasskeyScript } from './passkey-phone.ts';
import type { Strictness } from './strictness.ts';

/** Options that hold for the server's whole life. */
export interface WhatsAppServerOptions {
  /** 0 (default) takes a free port. */
  readonly port?: number;
  /** How many QR references one pairing attempt gets; default 6, as on the real network. */
  readonly refs?: number;
  /** Receives one line per connection, pairing and fault; never message text or keys. */
  readonly log?: (line: string) => void;
  /**
   * When phones decrypt what they received. `at_once` (default): on arrival, and a phone that cannot decrypt asks for a retry as a real one does.
   * `when_asked`: kept in order, decrypted by `received()`. `never`: bodies and stanzas are only counted, for benchmarks.
   */
  readonly decrypt?: 'at_once' | 'when_asked' | 'never';
  /** Whether recipients' phones send delivery receipts to the sender; default true, as the real network. */
  readonly receipts?: boolean;
  /** Where to be less strict than the real network; see `strictness.ts`. */
  readonly strictness?: Partial<Strictness>;
  /** The clock that measures how long devices take to answer; by default the machine's. */
  readonly clock?: Clock;
}

export interface WhatsAppServer {
  /** `wss://127.0.0.1:PORT/ws/chat`. Media uploads and downloads are on `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Hex of the Noise root public key (`WHATSAPP_ROOT_KEY`). */
  readonly rootKey: string;
  /** PEM file to trust (`WHATSAPP_CA_FILE`). */
  readonly caFile: string;
  /** The person with this number (digits), created on first use: on the network, with a phone that decrypts what it receives. */
  person(number: string): Person;
  /** Registers a screen where phones can see the codes being shown, for codes that have to be scanned again. */
  showsCodes(screen: Screen): void;
  readonly faults: Faults;
  readonly builds: Builds;
  readonly record: Record_;
  /** Ends every connection and deletes all of the server's files. Rejects when a device appeared online (see `strictness.ts`). */
  close(): Promise<void>;
}

export interface Person {
  readonly number: string;
  /** The digits of the person's `@lid` address. */
  readonly lid: string;
  /**
   * The phone scans a QR string as the gateway showed it. Resolves when the companion has logged in as a linked device. Unless `strictness` says
   * otherwise, the network first asks the device for a new secret and the phone scans again: the code from `again`, or one on a registered screen.
   * Without either this rejects with ScanAgain, and the next call is the second scan. Rejects when no open attempt shows the code, when the network
   * asks for a passkey, or after a minute.
   */
  scan(code: string, again?: () => Promise<string>): Promise<void>;
  /** The phone enters an 8-character pairing code. Resolves and rejects like `scan`; also rejects for a wrong code. */
  enterPairingCode(code: string): Promise<void>;
  /** The network asks for another pairing code in place of the one for this number; `manually`: because the phone's owner wants one. */
  refreshPairingCode(how?: { manually?: boolean }): Promise<void>;
  /** The phone removes all its linked devices. They get 401 `device_removed` and can never log in again. */
  unlink(): Promise<void>;
  /**
   * The messages that this person's phone received, and copies of what its linked devices sent, decrypted, oldest first. One entry per sender and
   * message id. Rejects when the server was started with `decrypt: 'never'`.
   */
  received(): Promise<readonly ReceivedMessage[]>;
  /** The same, with what the phone had received before the app was reinstalled. */
  everReceived(): Promise<readonly ReceivedMessage[]>;
  /** The first received message that matches, including those already received. Rejects after a minute (or `timeoutMs`). */
  nextReceived(match: (message: ReceivedMessage) => boolean, timeoutMs?: number): Promise<ReceivedMessage>;
  /** The person's passkey for WhatsApp. */
  readonly authenticator: Authenticator;
  /** The last linking with a passkey, as the phone saw it. Throws if there was none. */
  readonly ceremony: Ceremony;
  /** Sends a text from this person's phone to every device of another number. Resolves with the message id once the network has it. */
  send(to: string, text: string): Promise<string>;
  /** The phone fetches the keys of every linked device of another number and starts Signal sessions with them. Nothing is sent. */
  fetchKeysOf(number: string): Promise<void>;
  /** The phone sets the timer of the chat with another number, in seconds (0: off), and tells both sides. Resolves with the message id. */
  setTimer(to: string, expiration: number, setAt?: number): Promise<string>;
  /** The person sets the timer that new chats are to have, in seconds. Everybody with whom there is a chat is told. */
  setDefaultTimer(expiration: number): void;
  /** Sends any message, like `send`. */
  sendMessage(to: string, message: proto.IMessage): Promise<string>;
  /** Moves the account to LID addressing; its phone tells its companions. */
  migrate(): Promise<void>;
  /** Gives this person another LID. Messages to the old one still arrive, and their acknowledgements carry `refresh_lid`. */
  renewLid(): void;
  /**
   * Gives another number a contact token: by a notification at once, or with `along` in a message with that text. `at`: the time of the token, in
   * epoch seconds. `told: false`: only the network knows of it.
   */
  giveToken(to: string, how?: { at?: number; along?: string; told?: boolean }): Promise<Buffer>;
  /** The phone sends its companions a piece of history, in the message itself or as a file on the media server. */
  handHistory(piece: HistoryPiece, as: 'inline' | 'blob'): Promise<void>;
  /** The key of the account's client-signed tokens; null when it has none. Companions get it in the history. */
  salt: Buffer | null;
  /** Sets this key in the account's settings, or removes it with null. `told: false`: companions are not notified and see it when they ask. */
  changeSalt(salt: Buffer | null, how?: { told?: boolean }): void;
  /** Sets the name that recipients see in the account's settings; companions are notified. */
  changeName(name: string): void;
  /** The phone shares the key with which companions decrypt its settings. */
  shareSettingsKey(): Promise<void>;
  /** Sends the linked devices a message whose content the network does not have, so that they ask their phone for it. */
  getsUnavailable(from: string): void;
  /** The network loses the keys of the linked devices. They are told when they ask for the digest of their keys. */
  losesKeys(): void;
  /** Changes what the network knows of this person. */
  is(change: PersonChange): void;
  /**
   * Stanzas for which the library changes its credentials: few one-time keys are left, or something of the account has changed, told in one of two
   * ways.
   */
  nudges(about: 'few_keys' | 'account_sync' | 'dirty'): void;
  /** Sends this many stanzas of groups, broadcasts and calls to the linked devices. They wait for devices that are not connected. */
  isBusy(stanzas: number): void;
  /** How many stanzas the linked devices have not acknowledged. */
  readonly unacknowledged: number;
  /**
   * Reinstalls the app on the phone: a new identity and registration, no Signal sessions, no messages. The phone asks again for messages that were
   * encrypted for the old identity. `silently`: the network does not announce the new identity.
   */
  reinstall(how?: { silently?: boolean }): void;
  /**
   * This person's phone sends a retry receipt for a message of another number's linked devices, even for one that it never got. `afresh`: as if for the
   * first time, under another registration and without keys, however often it has asked.
   */
  askFor(from: string, messageId: string, how?: { afresh?: boolean }): Promise<void>;
  /** This person's phone tells another number's linked devices (or its own) that it has read a message. */
  reads(from: string, messageId: string): void;
}

export interface Ceremony {
  /** The code that the phone shows for comparison, once it is known. */
  readonly code: Promise<string>;
  /** Resolves when the device is linked and has logged in. */
  readonly linked: Promise<void>;
}

export interface PersonChange {
  readonly onNetwork?: boolean;
  readonly hasDevices?: boolean;
  /** Whether the person has a LID. Without one everybody writes to the number. */
  readonly hasLid?: boolean;
  /** Whether the person's phone and simulated companions have uploaded keys. */
  readonly hasKeys?: boolean;
  /** Queries for this number are answered with this other number; null ends that. */
  readonly answersAs?: string | null;
  /** How many simulated companions the person has, besides the phone and the devices linked by code. */
  readonly companions?: number;
  /** The change of devices is not announced. */
  readonly silently?: boolean;
  /** The phone is off. Messages wait until it is back. */
  readonly away?: boolean;
  /** Whether newly linked devices are told that the account is addressed by LID. null: they are told nothing, and the account stays as it is. */
  readonly lidMigrated?: boolean | null;
  /** Whether the account is addressed by LID. Nobody is told; `migrate` tells them. */
  readonly migrated?: boolean;
}

export interface ChatTimer {
  /** How long messages stay, in seconds. */
  readonly expiration: number;
  /** When it was set, in epoch seconds. */
  readonly setAt: number;
}

export interface ReceivedMessage {
  readonly id: string;
  /** Digits of the sender; the person's own number for copies of what its linked devices sent. */
  readonly from: string;
  /** Digits of the recipient: the person itself, or the one to whom its linked device wrote. */
  readonly to: string;
  /** How often it was delivered and decrypted. */
  readonly times: number;
  /** The decrypted message, unwrapped from `deviceSentMessage`. */
  readonly message: proto.IMessage;
  /** Tags of the message stanza's other children, for example `biz` for interactive messages. */
  readonly extras: readonly string[];
  /** The token with which the recipient could report it; null when it had none. */
  readonly reportingToken: Uint8Array | null;
  /** The timer of disappearing messages that it carries; null for none. */
  readonly timer: ChatTimer | null;
  /** The file of a media message from the server's media store, decrypted after both hashes and the MAC were checked. */
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
  /** Delivered and acknowledged with `refresh_lid`, which says that the recipient's LID has changed. */
  | { readonly kind: 'stale_lid' };

/**
 * Rules for faults. A rule applies `times` times (default 1, `Infinity` for always); the oldest matching rule goes first. A field that is left out
 * matches everything. Numbers are digits.
 */
export interface Faults {
  onMessage(match: { to?: string; from?: string; times?: number }, fault: MessageFault): void;
  /**
   * `silence`: never answered; `error`: answered with error 500; `device_error`: error 429 in place of each list of devices; `drop`: the connection
   * is cut.
   */
  onUsync(match: { number?: string; times?: number }, fault: { kind: 'silence' | 'error' | 'device_error' | 'drop' }): void;
  /** The question which media servers there are is answered with error 503. */
  onMediaServers(match: { times?: number }): void;
  /** `refuse`: HTTP 500; `cut`: the connection is cut in the middle of the body; `hang`: the body is read and never answered. */
  onUpload(match: { times?: number }, fault: { kind: 'refuse' | 'cut' | 'hang' }): void;
  /** The next download of a file from the media server gets no answer. Resolves when that download has begun. */
  hangDownload(): Promise<void>;
  /** The next downloads are cut in the middle of the file. */
  cutDownloads(times: number): void;
  /**
   * Cuts the connection of the next pairing attempt in which a phone scans. `before`: before the device gets the phone's statement; `scan` rejects
   * and nothing is linked. `after`: when the device has answered it, instead of the restart; the device is linked and may log in.
   */
  onPairing(cut: 'before' | 'after'): void;
  /** Every login of this number fails with this reason, until cleared with null. Open connections stay. */
  onLogin(number: string, failure: { code: number; expireSeconds?: number } | null): void;
  /** Answers the next question for this number's settings that hold its salt with an error. */
  onSettings(number: string): void;
  /** From now on the questions for this number's settings that hold its name get no answer. Resolves when the first one has come. */
  silenceName(number: string): Promise<void>;
  /**
   * What becomes of the next signed pre-key with which this number replaces its own: refused with this code, the connection cut before it is taken,
   * or cut after that instead of an answer.
   */
  onRotation(number: string, fault: number | 'cut_before' | 'cut_after'): void;
  /** The keys handed out for these devices of a number (0 is the phone) are not signed by their owner. An empty list ends this. */
  forgeKeys(number: string, devices: readonly number[]): void;
  /**
   * The number may not start new chats until this epoch second: messages to people without a chat are refused with 463, and the linked devices are
   * told of the restriction. null lifts it.
   */
  restrictReachOut(number: string, until: number | null): void;
  /**
   * The number may start only `quota` chats until `cycleEndsAt` (epoch seconds), of which it has started `used`. Further ones are refused with 475.
   * The linked devices are told unless `told` is false, and whenever they ask. null lifts it.
   */
  capNewChats(number: string, cap: { quota: number; used: number; cycleEndsAt: number } | null, told?: boolean): void;
  /** Ends the open connections of a linked number. `silence` keeps the socket open and answers nothing any more. */
  end(
    number: string,
    how: { kind: 'drop' } | { kind: 'stream_error'; code: number; conflict?: string } | { kind: 'silence' },
  ): Promise<void>;
  /** The network writes its own address as `s.whatsapp.net` in notifications, without the empty user in front, until called with false. */
  writeBareServer(bare: boolean): void;
  /** Cuts new connections at once, until called with false. */
  refuseConnections(refuse: boolean): void;
  /** The network asks for the account's passkey before a device is linked. `scan` rejects; the progress is in `Person.ceremony`. */
  askPasskey(ask: boolean | PasskeyScript): void;
  /** Forgets every rule above. */
  clear(): void;
}

/** The versions of WhatsApp Web. A version is its `client_revision`, N of 2.3000.N. */
export interface Builds {
  /** Refuses logins of older versions with 405; initially those older than the library's. Open connections stay. */
  refuseBelow(revision: number): void;
  /** The newest version, which the page names; initially a little newer than the library's. */
  readonly newest: number;
  publish(revision: number): void;
  /** What `https://…/sw.js` does: `serve` (initially), `fail` with 503, `hang` without an answer, or answer with this text. */
  page(does: 'serve' | 'fail' | 'hang' | { text: string }): void;
  /** Tells every device, connected now or logging in later, that the version ends at this epoch second; null withdraws this. */
  expire(at: number | null): void;
  /** The version of every login and pairing attempt, oldest first. */
  readonly seen: readonly number[];
  /** How often the page was requested. */
  readonly reads: number;
}

export interface Stanza {
  readonly from: string;
  readonly to: string;
  readonly id: string;
}

/** How a message stanza was addressed, and the result. */
export interface Envelope {
  readonly id: string;
  /** JID as it was written. */
  readonly to: string;
  readonly attrs: Readonly<Record<string, string>>;
  /** JIDs of the devices for which it had a copy. */
  readonly devices: readonly string[];
  /** `msg` or `pkmsg`, for each of them. */
  readonly types: readonly string[];
  /** Tags of the stanza's children. */
  readonly children: readonly string[];
  /** The code with which it was refused; null when it was accepted. */
  readonly refusal: string | null;
}

/** A query about users. */
export interface Question {
  readonly from: string;
  /** Tags of the requested protocols: `contact`, `devices`, `lid` … */
  readonly protocols: readonly string[];
  /** JIDs and `+numbers` as they were requested. */
  readonly users: readonly string[];
}

export interface Record_ {
  /** Numbers with a device linked by code, whether it is connected or not. */
  linked(): readonly string[];
  /** Numbers with such a device logged in right now. */
  connected(): readonly string[];
  /**
   * The largest number of simultaneous connections between TCP accept and `<success>` (or the QR codes of a pairing attempt) since the last reset.
   */
  readonly mostLoginsAtOnce: number;
  resetMostLoginsAtOnce(): void;
  /** How many logins succeeded, by number. */
  logins(number: string): number;
  /** How many media uploads were completed. */
  readonly uploads: number;
  /** How many message stanzas were received, in every mode. */
  readonly messages: number;
  /** Every received message stanza, including refused ones; empty with `decrypt: 'never'`. */
  readonly stanzas: readonly Stanza[];
  /**
   * Messages that were sent again to some devices only: with its count in answer to a retry receipt, or with 0 to devices that were missing at first.
   */
  readonly resends: readonly (Stanza & { readonly count: number; readonly devices: readonly string[] })[];
  /** The addresses of the same stanzas, in the order in which they were answered. */
  readonly envelopes: readonly Envelope[];
  /** Queries about users; empty with `decrypt: 'never'`. */
  readonly questions: readonly Question[];
  /** The people (JID) to whom linked devices gave their account's token. */
  readonly issuedTokens: readonly { readonly from: string; readonly to: string }[];
  /** Message stanzas that were not addressed to exactly the recipient's devices and the sender's other devices, and were not completed later. */
  readonly incomplete: readonly (Stanza & { readonly missing: readonly string[]; readonly unknown: readonly string[] })[];
  /** What the real network would have refused or a phone could not decrypt, in plain words. */
  readonly problems: readonly string[];
  /** Messages that were refused because they had no valid token; not those that a fault refuses with the same code. */
  readonly withoutToken: readonly Stanza[];
  /** Signed pre-keys that linked devices sent in place of earlier ones: the id in use afterwards, and the code of a refusal. */
  readonly rotations: readonly { readonly number: string; readonly keyId: number | null; readonly refusal: number | null }[];
  /** Receipts sent by linked devices, retry receipts included. */
  readonly receipts: readonly (Stanza & { readonly type: string })[];
  /** Messages that a phone could not decrypt and has asked for again, but does not have yet. */
  readonly awaited: readonly Stanza[];
  /** How many retry receipts for this message were acknowledged. */
  retriesAcknowledged(messageId: string): number;
  /** How often only the LID of this number was asked for. */
  lidQuestions(number: string): number;
  /** Presences of linked devices, oldest first; `number` is null before the login. Without a type they mean `available`. */
  readonly presences: readonly { readonly number: string | null; readonly type: string | null; readonly name: string | null }[];
  /** How often this number's linked devices have uploaded keys. */
  uploadsOfKeys(number: string): number;
  /** Logouts requested by linked devices, by number. */
  readonly logouts: readonly string[];
  /** Resolves when a condition on the record is true; it is checked on every change. Rejects after a minute by default. */
  until(condition: () => boolean, timeoutMs?: number): Promise<void>;
}
