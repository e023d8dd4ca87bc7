import type { Content, MessageType } from '../kinds/index.ts';

/** All networks; the setting `NETWORKS` enables them. */
export const networkNames = ['whatsapp', 'sandbox'] as const;
export type NetworkName = (typeof networkNames)[number];

/**
 * The contract of a messaging network. There is one object per network and process; it opens one link per instance. The conformance suite in
 * test/networks checks every implementation.
 */
export interface Network {
  readonly name: NetworkName;
  /** How many QR codes one pairing attempt shows before it ends without a link. */
  readonly rotationLimit: number;
  /** A message id in the network's own format, made from at least 32 lower-case hexadecimal digits. The same digits always give the same id. */
  messageId(entropy: string): string;
  /**
   * Starts a link: it logs in when there are stored credentials and starts a pairing attempt when there are none. Returns at once. Events are passed
   * to `context.onEvent`, but never before this call has returned.
   */
  open(context: LinkContext): Link;
  /** Releases the network's own resources. All links must be closed before. */
  close(): Promise<void>;
}

/** What a session gives its link. */
export interface LinkContext {
  readonly instanceId: string;
  readonly accountId: string;
  readonly credentials: CredentialStore;
  /**
   * The proxy for all of the link's connections, as `socks5://…` or `http://…`; null for none. When one is set, the link must never connect without
   * it.
   */
  readonly proxy: string | null;
  onEvent(event: LinkEvent): void;
  /**
   * Stores what became of messages. Resolves when it is stored; the link acknowledges to the network only then. What it rejects for must be reported
   * again. The same may be reported more than once.
   */
  storeEvents(events: readonly MessageNews[]): Promise<void>;
}

/** The encrypted credentials of one instance: named records of bytes. A link writes a record before it sends anything that depends on it. */
export interface CredentialStore {
  /** The names of the records that follow this one in the store's order, as many as are read at once; none when there are no more. */
  names(after: string): Promise<string[]>;
  /** The records with these names; absent ones are left out. */
  read(names: readonly string[]): Promise<Map<string, Buffer>>;
  /**
   * Writes all records in one transaction; null deletes a record. `sent` are messages about to be sent, by id. They are stored, encrypted, in the
   * same transaction, so that they can be sent again to devices that could not read them (decisions §12).
   */
  write(records: ReadonlyMap<string, Uint8Array | null>, sent?: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The kept messages with these ids; absent ones are left out. */
  recall(messageIds: readonly string[]): Promise<Map<string, Buffer>>;
  /** Deletes kept messages. After a power cut the most recently deleted ones may be back; they then expire as usual. */
  forget(messageIds: readonly string[]): Promise<void>;
  /**
   * Asked just before the link logs in. Rejects when another server owns the number by now: a login would disconnect that one, and a process
   * that was halted learns only here that its time is over. null: there is no other server, so nothing is to be asked.
   */
  readonly mayLogIn: (() => Promise<void>) | null;
  /** Deletes every record and every kept message. The number must then be paired again. */
  clear(): Promise<void>;
}

/** The events of a link. `closed` is the last one; the session then drops the link. */
export type LinkEvent =
  /**
   * A QR code to show. `sequence` counts from 1 within the attempt; `expiresAt` is in epoch milliseconds. The same sequence may come again with
   * another code that replaces the first.
   */
  | { readonly type: 'code'; readonly code: string; readonly sequence: number; readonly expiresAt: number }
  /** The code to type on the phone, which `requestPairingCode` has given, has been replaced by this one. */
  | { readonly type: 'pairing_code'; readonly code: string }
  /**
   * The network asks for a passkey before it links. The codes are no longer valid; the attempt goes on by `passkey`. After the stage `failed`
   * the session closes the link.
   */
  | { readonly type: 'passkey'; readonly passkey: PasskeyState }
  /** Linked and able to send. `phoneNumber` is digits only. */
  | { readonly type: 'open'; readonly phoneNumber: string }
  /** The network restricts what this number may do; null lifts the restriction. May come at any time while the number is linked. */
  | { readonly type: 'restriction'; readonly restriction: Restriction | null }
  /** How many chats the network lets the number start; null when there is no limit. */
  | { readonly type: 'new_chats'; readonly newChats: NewChats | null }
  /** `notBefore` (epoch milliseconds) comes only with `lost`: the network refuses every login before that time. */
  | { readonly type: 'closed'; readonly reason: CloseReason; readonly notBefore?: number };

export const passkeyStages = ['requested', 'signed', 'confirming', 'failed'] as const;

/** The state of linking with a passkey (decisions §11). */
export interface PasskeyState {
  /**
   * `requested`: a person has to give the passkey. `signed`: the network has accepted it and waits for the phone. `confirming`: the phone has
   * answered; if there is a `confirmationCode`, a person has to compare it with the one on the phone. `failed`: the attempt is over.
   */
  readonly stage: (typeof passkeyStages)[number];
  /** The WebAuthn request options as the network sent them, only in the stage `requested`. Must not be logged. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** When this stage times out, in epoch milliseconds; null after a failure. */
  readonly expiresAt: number | null;
  /** The code that the phone also shows, while a person has to compare the two; null otherwise. */
  readonly confirmationCode: string | null;
  /** Why it failed, in one plain sentence; null otherwise. */
  readonly reason: string | null;
}

/**
 * What became of a passkey that a person gave. `not_asked`: the network is not waiting for one. `problem`: why the passkey is certainly wrong, in one
 * plain sentence. It was not sent then, and the network still waits for the right one.
 */
export type PasskeyAnswer = 'sent' | 'not_asked' | { readonly problem: string };

/** What can become of a message after it was accepted. */
export const messageEvents = ['delivered', 'read', 'lost'] as const;
export type MessageEvent = (typeof messageEvents)[number];

/**
 * `delivered`: a device of its recipient has it. `read`: its recipient has read or played it; its `delivered` may come later or never. `lost`: a
 * device of its recipient could not read it and has asked for it again, and it cannot be given any more.
 */
export interface MessageNews {
  readonly event: MessageEvent;
  readonly messageId: string;
  /** Epoch milliseconds, by the network; null: now. */
  readonly at: number | null;
  /** The link knows that it has sent the message. Where it does not, whoever stores the event finds that out, and drops what was not sent here. */
  readonly sentHere: boolean;
}

/** Nobody follows any. */
export const noMessageEvents: ReadonlySet<MessageEvent> = new Set();

/** A limit the network has put on a number, shown as `restriction` in its status. */
export interface Restriction {
  /**
   * `reach_out_blocked`: it may not start new chats. `new_chats_capped`: it has started as many chats as it may for now. `temporarily_banned`: it may
   * not connect. `version_refused`: the network asks for a newer version of the gateway. `replaced`: another program uses its credentials, so it
   * stays disconnected until a person reconnects it. The session itself sets `replaced`.
   */
  readonly reason: 'reach_out_blocked' | 'new_chats_capped' | 'temporarily_banned' | 'version_refused' | 'replaced';
  /** Epoch milliseconds; null when the network gives none. */
  readonly until: number | null;
}

/** Which restrictions last until a person does something; the others end by themselves. */
const needsPerson: Readonly<Record<Restriction['reason'], boolean>> = {
  reach_out_blocked: false,
  new_chats_capped: false,
  temporarily_banned: false,
  version_refused: true,
  replaced: true,
};

export const restrictionReasons = Object.keys(needsPerson) as readonly Restriction['reason'][];

/** The reasons of restrictions that only a person can end. */
export const lastingRestrictions: readonly Restriction['reason'][] = restrictionReasons.filter((reason) => needsPerson[reason]);

/** The reasons of restrictions that end by themselves. */
export const passingRestrictions: readonly Restriction['reason'][] = restrictionReasons.filter((reason) => !needsPerson[reason]);

/** How many chats a number may start in one cycle of the network, and how many it has started. */
export interface NewChats {
  readonly used: number;
  readonly quota: number;
  /** Epoch milliseconds; null when the network gives none. */
  readonly cycleEndsAt: number | null;
}

/**
 * Why a link ended. `restart`: open a new link at once. `lost`: open a new link after a pause. `codes_exhausted`: the pairing attempt is over.
 * `replaced`: another program has logged in with the same credentials. They are still valid and are kept, but only a person may reconnect the number.
 * With the other reasons the network has ended the credentials: `unlinked` on the phone, `banned`, or `refused` by the
 * network. The link has deleted them, and a person must scan again. Credentials are deleted for no other reason.
 */
export const closeReasons = ['restart', 'lost', 'codes_exhausted', 'unlinked', 'replaced', 'banned', 'refused'] as const;
export type CloseReason = (typeof closeReasons)[number];

/** One instance's connection to the network. */
export interface Link {
  /** Which events of messages are reported from now on; none before. What nobody wants costs nothing. */
  follow(events: ReadonlySet<MessageEvent>): void;
  /**
   * Sends a message and waits, for a limited time, for the acknowledgement. Messages to one recipient go out in the order of the calls. Never throws.
   * Before a message is sent, either a write of the link's credentials that was started for it has finished, or the message itself has been stored by
   * the gateway. Such a write also flushes every earlier write to disk, so the claim of the message's idempotency key is safe by then (design §4).
   */
  send(message: OutgoingMessage): Promise<LinkOutcome>;
  /**
   * Whether the number has a chat with this one (digits) already. The network is not asked. Never throws; false when that cannot be read, null when
   * the link is not open.
   */
  knows(number: string): Promise<boolean | null>;
  /** Asks which numbers (digits) are on the network. One answer per number, in the same order. Never throws. */
  check(numbers: readonly string[]): Promise<Reachability[]>;
  /** Whether the network answered a live check in time. */
  probe(): Promise<boolean>;
  /** An 8-character pairing code for this phone number during a pairing attempt; null where the network has none. */
  requestPairingCode(phoneNumber: string): Promise<string | null>;
  /**
   * Gives the passkey that the network asks for: the result of the browser's `credential.toJSON()`. The network's reaction comes as events. Never
   * throws.
   */
  givePasskey(credential: unknown): Promise<PasskeyAnswer>;
  /** A person confirms that the phone shows the same code. False when there was no code to compare. Never throws. */
  confirmPasskey(): Promise<boolean>;
  /**
   * Unlinks at the network, deletes the credentials and closes the link without an event. Rejects with LinkEnded when the link had closed by itself,
   * or was doing so; nothing was done then.
   */
  logout(): Promise<void>;
  /** Closes the link without an event and keeps the credentials: the number stays linked. */
  close(): Promise<void>;
}

/** The link had already closed by itself. Its `closed` event may not have reached the session yet. */
export class LinkEnded extends Error {
  constructor() {
    super('the link has closed by itself');
  }
}

/** A message ready for the wire. */
export interface OutgoingMessage {
  readonly messageId: string;
  /** Digits of the recipient. */
  readonly to: string;
  readonly type: MessageType;
  /** The kind's fields after normalisation, without addressing and without the media link. */
  readonly content: Content;
  readonly quoted: Quoted | null;
  /** The fetched file of a media kind. */
  readonly media: MediaFile | null;
  /** An earlier try with this id may have reached the recipient. */
  readonly mayHaveArrived: boolean;
}

interface Quoted {
  readonly messageId: string;
  readonly fromMe: boolean;
}

/**
 * A file on local disk, downloaded through the guard against internal addresses and converted where its kind needs it. It is removed after the send
 * has been answered.
 */
export interface MediaFile {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
  /** Hex. */
  readonly sha256: string;
  /** What is known about the file from preparing it; absent when nothing is. */
  readonly facts?: MediaFacts;
}

/** What a recipient's app shows of a file before downloading it. */
export interface MediaFacts {
  /** Pixels, as shown (rotation applied). */
  readonly width?: number;
  readonly height?: number;
  /** A small JPEG, at most 16 KiB. */
  readonly thumbnail?: Uint8Array;
  readonly durationSeconds?: number;
  /** 64 samples from 0 to 100, of a voice note. */
  readonly waveform?: Uint8Array;
  /** Of a sticker. */
  readonly animated?: boolean;
  /** Of an image that moves: the file is a video, to be played again and again without sound. */
  readonly looping?: boolean;
}

/**
 * How a send ended. `accepted`: acknowledged. `refused`: the network refused this recipient; nothing was delivered. `rejected`: the network refused
 * the message for another reason, given with the network's code and a word for it; nothing was delivered. `not_sent`: nothing reached the network.
 * `unknown`: sent but not acknowledged; sending again with the same message id is safe.
 */
export type SendOutcome =
  | { readonly outcome: 'accepted'; readonly providerStatus: string | null }
  | { readonly outcome: 'refused'; readonly reason: string; readonly details?: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'rejected'; readonly code: string; readonly reason: string }
  | { readonly outcome: 'not_sent' }
  | { readonly outcome: 'unknown' };

/**
 * The outcome of `Link.send`. `not_open`: the link was not open, or closed before the message was sent. Nothing was sent, and the next link may send
 * it. The `closed` event may not have reached the session yet.
 */
export type LinkOutcome = SendOutcome | { readonly outcome: 'not_open' };

export interface Reachability {
  /** null when the network gives no answer. */
  readonly reachable: boolean | null;
  /** The number under which the network knows the account; null unless reachable. */
  readonly networkNumber: string | null;
}
