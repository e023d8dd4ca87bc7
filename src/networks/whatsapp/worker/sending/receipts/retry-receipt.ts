import {
  type BinaryNode,
  extractE2ESessionFromRetryReceipt,
  getBinaryNodeChild,
  getBinaryNodeChildUInt,
  type SignalRepositoryWithLIDStore,
} from 'baileys';

/** The keys from which a SignalSession is started. */
type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/** A device's request to get a message again. */
export interface Asked {
  readonly id: string;
  /** JID of the device that asks. */
  readonly device: string;
  /** How often it has asked, from 1. */
  readonly count: number;
  readonly registrationId: number | null;
  /** The keys for a new SignalSession; null when the device sent none. */
  readonly keys: KeyBundle | null;
  /** The attributes of the receipt that the answer repeats. */
  readonly copied: { readonly recipient?: string; readonly participant?: string };
}

/** Reads a retry receipt; null when it is malformed. For its format see tulir/whatsmeow, retry.go. */
export function readRetryReceipt(receipt: BinaryNode): Asked | null {
  const { id, from, participant, recipient } = receipt.attrs;
  const count = Number(getBinaryNodeChild(receipt, 'retry')?.attrs.count ?? 1);
  const device = participant ?? from;
  if (id === undefined || device === undefined || !Number.isInteger(count) || count < 1) return null;
  return {
    ...{ id, device, count },
    registrationId: getBinaryNodeChildUInt(receipt, 'registration', 4) ?? null,
    // The library's type allows an `undefined` one-time key instead of a missing one.
    keys: extractE2ESessionFromRetryReceipt(receipt) as KeyBundle | null,
    copied: { ...(recipient === undefined ? {} : { recipient }), ...(participant === undefined ? {} : { participant }) },
  };
}
