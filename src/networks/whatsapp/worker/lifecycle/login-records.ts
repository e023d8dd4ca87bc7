import { type AuthenticationCreds, jidDecode } from 'baileys';
import { credsRecord, preKeyRecord, waitingHistoryRecord } from '../library/signal-keys.ts';
import { limitsRecord } from '../sending/new-chats/limits.ts';
import { protocolMessageRecords } from '../sending/protocol-messages.ts';

// What a login reads. It is asked for in two requests instead of one by one, because after a restart numbers log in by the hundred, and each request
// costs the main thread a turn.

/** What is read before a connection is made. */
export const firstRecords: readonly string[] = [credsRecord, ...protocolMessageRecords, limitsRecord, waitingHistoryRecord];

/** What Baileys (7.0.0-rc14, socket.js) asks for while it logs in: whether the newest one-time key is there, and which LID the own number has. */
export function recordsOfLogin({ nextPreKeyId, me }: Pick<AuthenticationCreds, 'nextPreKeyId' | 'me'>): readonly string[] {
  const own = jidDecode(me?.id)?.user;
  return [...(nextPreKeyId > 1 ? [preKeyRecord(String(nextPreKeyId - 1))] : []), ...(own === undefined ? [] : [`lid-mapping:${own}`])];
}
