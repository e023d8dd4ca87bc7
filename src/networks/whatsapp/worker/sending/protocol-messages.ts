import { type AuthenticationCreds, proto, type SignalDataSet, type SignalKeyStore, type WASocket } from 'baileys';
import { movedRecord, settingsKeyRecord, writeBesideKeys } from '../library/signal-keys.ts';
import { learnFacts, markMigrated } from './account-facts.ts';
import type { SendingLog } from './socket.ts';

/** The records that `keepSaidOnce` writes besides the keys. */
export const saidOnceRecords: readonly string[] = [movedRecord, settingsKeyRecord];

/**
 * Stores what the phone says only once, together with the SignalSession that its message has changed: that the account has moved to LID addressing,
 * and the keys of the account's settings. Baileys acknowledges the message first and stores the credentials (and the keys) later, so a process that
 * ends in between would lose them. `learnSaidOnce` gives what was stored to the next connection.
 */
export async function keepSaidOnce(content: proto.IMessage, keys: SignalKeyStore): Promise<void> {
  if (saysMoved(content)) await writeBesideKeys(keys, 'moved-to-lids', true);
  const shared = keysIn(content);
  const newest = shared.at(-1)?.id;
  if (newest === undefined) return;
  await keys.set({ 'app-state-sync-key': Object.fromEntries(shared.map(({ id, key }) => [id, key])) } as SignalDataSet);
  await writeBesideKeys(keys, 'settings-key', newest);
}

/** Follows the same messages and learns what they say. What `keepSaidOnce` has stored is deleted with or after the credentials' change. */
export function followSaidOnce(sock: Pick<WASocket, 'ev' | 'authState'>, log: SendingLog): void {
  const forget = (name: 'moved-to-lids' | 'settings-key') => {
    writeBesideKeys(sock.authState.keys, name, null).catch((error: unknown) =>
      log.warn({ err: error }, 'a record that is no longer needed could not be deleted'),
    );
  };
  sock.ev.on('messages.upsert', ({ messages }) => {
    if (!messages.some(({ key, message }) => key.fromMe && saysMoved(message))) return;
    learnFacts(sock, { migrated: true });
    forget('moved-to-lids');
  });
  // Baileys itself learns the keys.
  sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
    if (myAppStateKeyId !== undefined) forget('settings-key');
  });
}

/**
 * Adds to the credentials what an earlier connection was told and could not store with them. Returns the records to delete when the credentials are
 * stored; none if there was nothing.
 */
export function learnSaidOnce(creds: AuthenticationCreds, records: ReadonlyMap<string, unknown>): readonly string[] {
  if (records.has(movedRecord)) markMigrated(creds);
  const keyId = records.get(settingsKeyRecord);
  if (typeof keyId === 'string') creds.myAppStateKeyId = keyId;
  return saidOnceRecords.filter((name) => records.has(name));
}

/** See whatsmeow message.go (LIDMigrationMappingSync). */
function saysMoved(content: proto.IMessage | null | undefined): boolean {
  return content?.protocolMessage?.lidMigrationMappingSyncMessage != null;
}

/** The keys of the account's settings in a message of its phone, with their ids in Base64, as Baileys stores them. */
function keysIn({ protocolMessage }: proto.IMessage): { id: string; key: proto.Message.IAppStateSyncKeyData }[] {
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE) return [];
  return (protocolMessage.appStateSyncKeyShare?.keys ?? []).flatMap(({ keyId, keyData }) =>
    keyId?.keyId && keyData ? [{ id: Buffer.from(keyId.keyId).toString('base64'), key: keyData }] : [],
  );
}
