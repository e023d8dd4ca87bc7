import type { Content, MessageType } from '../kinds/index.ts';

/** The networks this program knows; `NETWORKS` says which are enabled. */
export const networkNames = ['whatsapp', 'sandbox'] as const;
export type NetworkName = (typeof networkNames)[number];

/**
 * What every messaging network fulfils. One object per network and process; it makes one link per instance.
 * The conformance suite in test/networks holds every implementation to this contract.
 */
export interface Network {
  readonly name: NetworkName;
  /** How many QR codes one pairing attempt shows before it is exhausted. */
  readonly rotationLimit: number;
  /** A message id in the network's own format, made from at least 32 lower-case hexadecimal digits: the same digits give the same id. */
  messageId(entropy: string): string;
  /**
   * Starts a link. With stored credentials it logs in, without them it starts a pairing attempt.
   * Returns at once; everything that happens is told through `context.onEvent`, never synchronously from within this call.
   */
  open(context: LinkContext): Link;
  /** Releases what the network holds for itself. Links are closed before. */
  close(): Promise<void>;
}

/** What a link is given by its session. */
export interface LinkContext {
  readonly instanceId: string;
  readonly accountId: string;
  readonly credentials: CredentialStore;
  /** The proxy for everything the link connects to, as `socks5://…` or `http://…`; without it the link must not connect. null: none. */
  readonly proxy: string | null;
  onEvent(event: LinkEvent): void;
}

/** The encrypted credentials of one instance: named records of bytes, written before anything that depends on them is sent. */
export interface CredentialStore {
  /** The records with these names; absent ones are left out. */
  read(names: readonly string[]): Promise<Map<string, Buffer>>;
  /**
   * Writes (or with null deletes) all records in one transaction, and with them messages, by id, that are about to be sent: they are kept, encrypted,
   * for devices that could not read them (decisions §12).
   */
  write(records: ReadonlyMap<string, Uint8Array | null>, sent?: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The kept messages with these ids; absent ones are left out. */
  recall(messageIds: readonly string[]): Promise<Map<string, Buffer>>;
  /** Deletes kept messages. A power cut may bring the last of them back, until their time is over. */
  forget(messageIds: readonly string[]): Promise<void>;
  /** Deletes every record and every kept message: the number must be paired again. */
  clear(): Promise<void>;
}

/** What a link tells its session. After `closed` a link says nothing more and is dropped. */
export type LinkEvent =
  /**
   * A QR code to show. `sequence` counts from 1 within the attempt; `expiresAt` is in epoch milliseconds. Told again for the same sequence when
   * the network wants another code in its place.
   */
  | { readonly type: 'code'; readonly code: string; readonly sequence: number; readonly expiresAt: number }
  /** The network asks for a passkey before it links: the codes are void, and the attempt lives on as this says. After `failed` the session closes the link. */
  | { readonly type: 'passkey'; readonly passkey: PasskeyState }
  /** Linked and able to send. `phoneNumber` is digits only. */
  | { readonly type: 'open'; readonly phoneNumber: string }
  /** The network restricts, or with null no longer restricts, what this number may do. May come at any time while linked. */
  | { readonly type: 'restriction'; readonly restriction: Restriction | null }
  /** The network has told how many chats the number may start, or with null that it has no such bound. */
  | { readonly type: 'new_chats'; readonly newChats: NewChats | null }
  /** `notBefore` (epoch milliseconds) goes with `lost`: the network will refuse every earlier login. */
  | { readonly type: 'closed'; readonly reason: CloseReason; readonly notBefore?: number };

/** The stages of linking with a passkey. */
export const passkeyStages = ['requested', 'signed', 'confirming', 'failed'] as const;

/** How far linking with a passkey has come (decisions §11). */
export interface PasskeyState {
  /**
   * `requested`: somebody has to give the passkey. `signed`: the network has taken it, and the phone is to go on. `confirming`: the phone has, and
   * with a `confirmationCode` somebody has to compare it. `failed`: the attempt is over.
   */
  readonly stage: (typeof passkeyStages)[number];
  /** The WebAuthn request options as the network sent them, while the passkey is waited for. Never to be logged. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** When this stage is given up, in epoch milliseconds; null after a failure. */
  readonly expiresAt: number | null;
  /** What the phone shows too, for as long as somebody has to compare the two; null otherwise. */
  readonly confirmationCode: string | null;
  /** Why it failed, as one plain sentence; null otherwise. */
  readonly reason: string | null;
}

/**
 * What became of a passkey that was given. `not_asked`: none is waited for. With `problem`, one plain sentence, it was not sent,
 * since it cannot be right; the network waits on.
 */
export type PasskeyAnswer = 'sent' | 'not_asked' | { readonly problem: string };

/** A limit the network has put on a number, shown as `restriction` in its status. */
export interface Restriction {
  /**
   * `reach_out_blocked`: it may not start new chats. `new_chats_capped`: it has started as many as it may for now. `temporarily_banned`: it may not connect. `version_refused`: the network asks for a newer gateway.
   * `replaced`: another program uses its credentials, so it stays disconnected until somebody takes it back. The session sets this one itself.
   */
  readonly reason: 'reach_out_blocked' | 'new_chats_capped' | 'temporarily_banned' | 'version_refused' | 'replaced';
  /** Epoch milliseconds; null when the network does not say. */
  readonly until: number | null;
}

/** How many chats a number may start in a cycle of the network's, and how many it has started. */
export interface NewChats {
  readonly used: number;
  readonly quota: number;
  /** Epoch milliseconds; null when the network does not say. */
  readonly cycleEndsAt: number | null;
}

/**
 * Why a link ended. `restart`: open again at once. `lost`: back off and open again. `codes_exhausted`: the pairing attempt is over.
 * `replaced`: another program has logged in with the same credentials. They are still good and are kept; open again only when a person asks for it.
 * The rest mean that the network has declared the credentials worthless. A person must scan again, and the link has cleared them:
 * `unlinked` on the phone, `banned`, `refused` by the network. Nothing else that a network tells may clear credentials.
 */
export type CloseReason = 'restart' | 'lost' | 'codes_exhausted' | 'unlinked' | 'replaced' | 'banned' | 'refused';

/** One instance's connection to the network. */
export interface Link {
  /**
   * Hands a message over and waits (bounded) for the acknowledgement. Messages to one recipient are put on the wire in the order of the calls.
   * A message leaves only after a write of the link's credentials that was begun for it, or is itself kept in the gateway's store: with that
   * write everything written before is on the disk too, the claim of its idempotency key among it (design §4). Never throws.
   */
  send(message: OutgoingMessage): Promise<LinkOutcome>;
  /** Asks which numbers (digits) are reachable; one answer per number, in order. Never throws. */
  check(numbers: readonly string[]): Promise<Reachability[]>;
  /** True when the network answered a live check, false when it did not in time. */
  probe(): Promise<boolean>;
  /** An 8-character pairing code for this phone number during a pairing attempt; null where the network has none. */
  requestPairingCode(phoneNumber: string): Promise<string | null>;
  /** Gives the passkey that is asked for: what the browser's `credential.toJSON()` gave. What the network makes of it is told as events. Never throws. */
  givePasskey(credential: unknown): Promise<PasskeyAnswer>;
  /** Says that the phone shows the same code. False when nobody was asked to compare one. Never throws. */
  confirmPasskey(): Promise<boolean>;
  /** Unlinks at the network, clears the credentials and closes. Emits nothing. Rejects with LinkEnded when the link has closed by itself and nothing was done. */
  logout(): Promise<void>;
  /** Closes and keeps the credentials: the number stays linked. Emits nothing. */
  close(): Promise<void>;
}

/** The link had closed by itself before it was asked; its `closed` may still be on its way to the session. */
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
}

interface Quoted {
  readonly messageId: string;
  readonly fromMe: boolean;
}

/** A file on local disk, fetched through the guard and converted where its kind asks for it. It exists until the send has been answered. */
export interface MediaFile {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
  /** Hex. */
  readonly sha256: string;
  /** What was learned of the file while preparing it; absent where nothing was. */
  readonly facts?: MediaFacts;
}

/** What a recipient's app shows of a file before it is downloaded. */
export interface MediaFacts {
  /** Pixels, as shown (rotation applied). */
  readonly width?: number;
  readonly height?: number;
  /** A small JPEG, at most 16 KiB. */
  readonly thumbnail?: Uint8Array;
  readonly durationSeconds?: number;
  /** 64 samples from 0 to 100, of a voice note. */
  readonly waveform?: Uint8Array;
  readonly pageCount?: number;
  /** Of a sticker. */
  readonly animated?: boolean;
}

/**
 * How a send ended. `accepted`: acknowledged. `refused`: the network said no to this recipient, nothing was delivered.
 * `rejected`: the network said no for another reason, with its own code and a word for it; nothing was delivered. `not_sent`: nothing reached the network.
 * `unknown`: handed over, but no acknowledgement; sending the same message id again is safe.
 */
export type SendOutcome =
  | { readonly outcome: 'accepted'; readonly providerStatus: string | null }
  | { readonly outcome: 'refused'; readonly reason: string; readonly details?: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'rejected'; readonly code: string; readonly reason: string }
  | { readonly outcome: 'not_sent' }
  | { readonly outcome: 'unknown' };

/**
 * What a link made of a message. `not_open`: it was not open, or closed before the message was on the wire. Nothing was sent, and the next
 * link may send it; the link's `closed` may still be on its way to the session.
 */
export type LinkOutcome = SendOutcome | { readonly outcome: 'not_open' };

export interface Reachability {
  /** null: the network could not say. */
  readonly reachable: boolean | null;
  /** The number the network answers on; null unless reachable. */
  readonly networkNumber: string | null;
}
