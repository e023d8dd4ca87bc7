import {
  type BinaryNode,
  extractE2ESessionFromRetryReceipt,
  getBinaryNodeChild,
  getBinaryNodeChildUInt,
  type SignalRepositoryWithLIDStore,
} from 'baileys';
import { type SessionStart, startSignalSessions } from '../../library/session-starts.ts';
import type { Wire } from '../link-memory.ts';

type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/** A device's request to get a message again. */
export interface RetryRequest {
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

/** From this retry count on, a device that cannot read a message is assumed to have lost its SignalSession. */
const renewFromCount = 2;

/** Reads a retry receipt; null when it is malformed. For its format see tulir/whatsmeow, retry.go. */
export function readRetryReceipt(receipt: BinaryNode): RetryRequest | null {
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

/**
 * Repairs the SignalSession with a device that could not read a message, by the rules of tulir/whatsmeow (retry.go) and WhatsApp Web. Keys that come
 * with the request start a new one. A SignalSession for another registration, or one in which the same message has failed before, is deleted. Prekeys
 * are fetched at most once an hour per device, so that nobody can make the gateway use them up; until then the SignalSession stays. Must be called
 * before the message is encrypted again. `count`: how often the device has asked. `signalJid` is the JID under which the device's SignalRecord is
 * stored. False when the device has no SignalSession and gets none for now.
 */
export async function renewSession(wire: Wire, request: RetryRequest, count: number, signalJid: string): Promise<boolean> {
  const { sock, memory, log } = wire;
  const { signalRepository } = sock;
  if (request.keys !== null) {
    try {
      await signalRepository.injectE2ESession({ jid: signalJid, session: request.keys });
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the keys of a device that asked for a message again could not be used');
    }
  }
  // Read here first, because Baileys takes a SignalRecord that cannot be read for one that does not exist.
  await sock.authState.keys.get('session', [signalRepository.jidToSignalProtocolAddress(signalJid)]);
  const hasSignalSession = async () => (await signalRepository.validateSession(signalJid)).exists;
  const useless = await isUseless(wire, request, count, signalJid);
  if (!useless && count < renewFromCount && (await hasSignalSession())) return true;
  const fetched = memory.prekeysFetched.get(signalJid);
  if (fetched !== undefined) {
    // A device that asks for several messages at once gets all in the SignalSession that is started for the first.
    await fetched;
    if (await hasSignalSession()) return true;
    log.warn({}, 'a device that asked for a message again has given no keys within the hour');
    return false;
  }
  const starting = startAnew(sock, signalJid, useless);
  memory.prekeysFetched.set(signalJid, starting);
  const start = await starting.catch((error: unknown) => {
    // The network gave no answer, and so no keys.
    memory.prekeysFetched.delete(signalJid);
    throw error;
  });
  if (start !== 'started') throw new Error('a device that asked for a message again gave no keys', { cause: start });
  return true;
}

async function startAnew(sock: Wire['sock'], signalJid: string, useless: boolean): Promise<SessionStart | undefined> {
  if (useless) await sock.signalRepository.deleteSession([signalJid]);
  const [start] = await startSignalSessions(sock, [signalJid], { anew: true });
  return start;
}

/** Whether the device cannot read what is encrypted in its SignalSession. */
async function isUseless({ sock, memory }: Wire, { id, registrationId }: RetryRequest, count: number, signalJid: string): Promise<boolean> {
  const signalSession = await sock.signalRepository.getSessionInfo(signalJid);
  if (signalSession === null) return false;
  if (registrationId !== null && signalSession.registrationId !== registrationId) return true;
  if (count < renewFromCount) return false;
  const name = `${id} ${signalJid}`;
  const key = Buffer.from(signalSession.baseKey).toString('base64');
  const same = memory.failedSignalSessions.get(name) === key;
  memory.failedSignalSessions.set(name, key);
  return same;
}
