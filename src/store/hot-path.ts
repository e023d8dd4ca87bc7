import type { Lease } from './leases.ts';
import type { LoggedListener } from './request-log.ts';
import type { RequestRecord } from './schema.ts';

/**
 * The store's part of a send: a handful of operations that collect the calls of one event-loop tick and run them together
 * (design §4, "The hot path is a batch per tick"). A call whose own data are at fault never fails its neighbours; a store that fails throws
 * StoreUnavailable for all of them.
 */
export interface HotPath {
  /**
   * To be called before a message is handed over, so that none is sent that cannot be recorded. null: it can be. Otherwise resolves when it can
   * be again, or throws StoreUnavailable: at once when the store is known not to work, after five seconds of another program's writing.
   */
  ready(): Promise<void> | null;
  /** Who a key belongs to, with everything the checks before the body need; null for an unknown, revoked or expired key. Has the key's last use noted, without waiting for it. */
  admit(call: AdmitCall): Promise<Admission | null>;
  /**
   * What may stand in a send's way, in the contract's order; claims the idempotency key and reserves a trial unit when nothing does.
   * A power cut takes it along only together with everything written after it; before a message leaves, its network writes (`Link.send`).
   */
  claim(call: ClaimCall): Promise<ClaimOutcome>;
  /**
   * Makes an accepted send final: stores the network's status, counts it. Durable when the promise resolves. When it rejects, the work may be
   * done all the same (the answer of the commit was lost); `settleOnce` then does it if it was not.
   */
  settle(call: SettleCall): Promise<void>;
  /** How long a settlement that rejected may still be under way, in milliseconds: `settleOnce` of a send without a key must wait as long. */
  readonly settleDoubtMs: number;
  /** Undoes a claim after a failed send, unless another request has taken it over. */
  release(call: ReleaseCall): Promise<void>;
  /** Writes or deletes credential records of an instance, keeps messages it is about to send, and marks it as linked, all or nothing. Durable when the promise resolves. Throws OwnershipLost when another server owns the number. */
  keep(call: KeepCall): Promise<void>;
  /** Deletes messages that were kept for devices which have them now. */
  forgetSent(call: ForgetSentCall): Promise<void>;
  /** Notes that a number was seen connected on a day; only the first note of a day counts. Durable when the promise resolves. */
  seeNumber(call: NumberSeen): Promise<void>;
  /** Notes a request in the request log, at most a second later. */
  log(request: RequestRecord): void;
  /** Calls the listener, which must not throw, with requests as soon as they can be read in the request log. */
  onLogged(listener: LoggedListener): void;
  /** Resolves when every request noted here until now can be read in the request log, or is lost. */
  logged(): Promise<void>;
}

export interface KeepCall {
  readonly instanceId: string;
  /** null: the store has one server only. */
  readonly lease: Lease | null;
  /** Sealed, by name; null deletes. */
  readonly records: ReadonlyMap<string, Buffer | null>;
  /** Messages that are about to be sent, kept for devices that ask for them again. */
  readonly sent?: readonly { readonly messageId: string; readonly sealed: Buffer; readonly at: number }[];
}

export interface ForgetSentCall {
  readonly instanceId: string;
  readonly messageIds: readonly string[];
}

export interface NumberSeen {
  readonly accountId: string;
  /** Digits. */
  readonly phoneNumber: string;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
}

export interface AdmitCall {
  readonly keyHash: string;
  readonly now: number;
}

export interface Admission extends AccountTerms {
  readonly keyId: string;
}

/** What decides whether an account's request is allowed: it, its provider and its plan as they are in the store now. */
export interface AccountTerms {
  readonly accountId: string;
  readonly accountStatus: 'active' | 'suspended';
  readonly providerStatus: 'active' | 'suspended';
  readonly accessEndsAt: number | null;
  readonly planId: string | null;
  readonly planEndsAt: number | null;
  readonly messagesPerMinute: number | null;
  readonly trialMessageLimit: number | null;
}

export interface ClaimCall {
  readonly accountId: string;
  readonly instanceId: string;
  /** Whether the instance is linked right now, as its session knows; judged after the idempotency record and the instance's existence. */
  readonly linked: boolean;
  /** The lease under which it is linked here; null on a store with one server only. */
  readonly lease: Lease | null;
  readonly keyed: KeyedSend | null;
  /** The trial's total allowance; null when the plan is not a trial. */
  readonly trialLimit: number | null;
  /** Becomes the owner of the claim. */
  readonly requestId: string;
  /** By which the embedded store judges what it has (core/lasting-time.ts); one that several servers share judges by its own time. */
  readonly now: number;
  /** What the embedded store dates the claim. */
  readonly dated: number;
}

export interface KeyedSend {
  readonly key: string;
  readonly fingerprint: string;
  /** For the message of a new claim. */
  readonly messageId: string;
}

export type ClaimOutcome =
  /** `retaken`: an earlier try with this key has an unknown outcome. `messageId`: the claim's, on a retake the earlier try's; null without a key. */
  | { readonly outcome: 'claimed'; readonly retaken: boolean; readonly messageId: string | null }
  /** The request was sent already: under which id, and the network's status of it. */
  | { readonly outcome: 'replay'; readonly messageId: string; readonly providerStatus: string | null }
  | { readonly outcome: 'reused' }
  /** The request `owner` with this key is being sent right now; `here`: by this server, as far as the store knows. */
  | { readonly outcome: 'in_flight'; readonly owner: string; readonly here: boolean }
  | { readonly outcome: 'instance_not_found' }
  | { readonly outcome: 'not_connected' }
  /** Another server owns the number. */
  | { readonly outcome: 'not_owner' }
  | { readonly outcome: 'trial_exhausted' };

export interface SettleCall {
  /** What the settlement of a send without an idempotency key is known by; one with a key is known by its claim. */
  readonly requestId: string;
  /** When the network accepted the send, epoch milliseconds; a store with a time of its own notes that. */
  readonly at: number;
  readonly accountId: string;
  readonly type: string;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** The idempotency key, the id it was sent under, and the network's status. */
  readonly keyed: { readonly key: string; readonly messageId: string; readonly providerStatus: string | null } | null;
  /** The request id under which a trial unit was reserved. */
  readonly reservation: string | null;
}

export interface ReleaseCall {
  /** The request that made or took over the claim. */
  readonly requestId: string;
  readonly accountId: string;
  readonly key: string | null;
  /** True when the message may have reached the network: the claim stays, so that a retry sends the same message id. */
  readonly handedOver: boolean;
  readonly reservation: string | null;
}
