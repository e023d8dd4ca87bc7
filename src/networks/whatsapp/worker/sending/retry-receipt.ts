import {
  type BinaryNode,
  extractE2ESessionFromRetryReceipt,
  getBinaryNodeChild,
  getBinaryNodeChildUInt,
  type SignalRepositoryWithLIDStore,
} from 'baileys';

/** The keys from which a session is made. */
type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/** What a device says that asks for a message again. */
export interface Asked {
  readonly id: string;
  /** JID of the device that asks. */
  readonly device: string;
  /** How often it has asked, from 1. */
  readonly count: number;
  readonly registrationId: number | null;
  /** The keys of a new session; null when it brought none along. */
  readonly keys: KeyBundle | null;
  /** What the answer repeats of the receipt. */
  readonly copied: { readonly recipient?: string; readonly participant?: string };
}

/** Reads a retry receipt; null when it is malformed. Its form is that of tulir/whatsmeow, retry.go. */
export function readRetryReceipt(receipt: BinaryNode): Asked | null {
  const { id, from, participant, recipient } = receipt.attrs;
  const count = Number(getBinaryNodeChild(receipt, 'retry')?.attrs.count ?? 1);
  const device = participant ?? from;
  if (id === undefined || device === undefined || !Number.isInteger(count) || count < 1) return null;
  return {
    ...{ id, device, count },
    registrationId: getBinaryNodeChildUInt(receipt, 'registration', 4) ?? null,
    // Declared with a one-time key of `undefined` where there is none.
    keys: extractE2ESessionFromRetryReceipt(receipt) as KeyBundle | null,
    copied: { ...(recipient === undefined ? {} : { recipient }), ...(participant === undefined ? {} : { participant }) },
  };
}
