import { type AuthenticationCreds, proto, type SignalDataSet, type SignalKeyStore, type WASocket } from 'baileys';
import type { WorkerLog } from '../library/library-log.ts';
import { movedRecord, settingsKeyRecord, writeBesideKeys } from '../library/signal-keys.ts';
import { changeFacts } from './account-facts.ts';

/** The records that `storeProtocolMessage` writes besides the keys. */
export const protocolMessageRecords: readonly string[] = [movedRecord, settingsKeyRecord];

/**
 * Stores what the phone sends only once, together with the SignalSession that its message has changed: that the account has moved to LID addressing
 * (LIDMigrationMappingSync), and the keys of its app state (AppStateSyncKeyShare). Baileys acknowledges the message first and stores the credentials
 * (and the keys) later, so a process that ends in between would lose them. `applyStored` gives what was stored to the next connection.
 */
export async function storeProtocolMessage({ protocolMessage }: proto.IMessage, keys: SignalKeyStore): Promise<void> {
  if (protocolMessage?.lidMigrationMappingSyncMessage != null) await writeBesideKeys(keys, 'moved-to-lids', true);
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE) return;
  // With their ids in Base64, as Baileys stores them.
  const shared = (protocolMessage.appStateSyncKeyShare?.keys ?? []).flatMap(({ keyId, keyData }) =>
    keyId?.keyId && keyData ? [[Buffer.from(keyId.keyId).toString('base64'), keyData] as const] : [],
  );
  const newest = shared.at(-1)?.[0];
  if (newest === undefined) return;
  await keys.set({ 'app-state-sync-key': Object.fromEntries(shared) } as SignalDataSet);
  await writeBesideKeys(keys, 'settings-key', newest);
}

/** Applies the same messages to the credentials. The records that `storeProtocolMessage` has written are deleted with or after that change. */
export function followProtocolMessages(sock: Pick<WASocket, 'ev' | 'authState'>, log: WorkerLog): void {
  const remove = (name: 'moved-to-lids' | 'settings-key') => {
    writeBesideKeys(sock.authState.keys, name, null).catch((error: unknown) =>
      log.warn({ err: error }, 'a record that is no longer needed could not be deleted'),
    );
  };
  sock.ev.on('messages.upsert', ({ messages }) => {
    if (!messages.some(({ key, message }) => key.fromMe && message?.protocolMessage?.lidMigrationMappingSyncMessage != null)) return;
    changeFacts(sock, { migrated: true });
    remove('moved-to-lids');
  });
  // Baileys itself applies the keys.
  sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
    if (myAppStateKeyId !== undefined) remove('settings-key');
  });
}

/**
 * Adds to the credentials what an earlier connection received and could not store with them. Returns the records to delete when the credentials are
 * stored; none if there was nothing.
 */
export function applyStored(creds: AuthenticationCreds, records: ReadonlyMap<string, unknown>): readonly string[] {
  if (records.has(movedRecord)) creds.additionalData = { ...creds.additionalData, migrated: true };
  const keyId = records.get(settingsKeyRecord);
  if (typeof keyId === 'string') creds.myAppStateKeyId = keyId;
  return protocolMessageRecords.filter((name) => records.has(name));
}
