import type { proto, SignalKeyStore, WASocket } from 'baileys';
import { writeBesideKeys } from '../library/signal-keys.ts';
import { learnFacts } from './account-facts.ts';
import type { SendingLog } from './socket.ts';

/**
 * Stores that the account has moved to LID addressing when its phone says so in this message, together with the SignalSession that the message has
 * changed. The phone says it once, and the credentials are stored only after the message was acknowledged. See `followMigration`.
 */
export async function keepMigration(content: proto.IMessage, keys: SignalKeyStore): Promise<void> {
  if (saysMoved(content)) await writeBesideKeys(keys, 'moved-to-lids', true);
}

/** Learns that the account has moved when its phone says so. What `keepMigration` has stored is deleted with or after the credentials' change. */
export function followMigration(sock: Pick<WASocket, 'ev' | 'authState'>, log: SendingLog): void {
  sock.ev.on('messages.upsert', ({ messages }) => {
    if (!messages.some(({ key, message }) => key.fromMe && saysMoved(message))) return;
    learnFacts(sock, { migrated: true });
    writeBesideKeys(sock.authState.keys, 'moved-to-lids', null).catch((error: unknown) =>
      log.warn({ err: error }, 'a record that is no longer needed could not be deleted'),
    );
  });
}

/** See whatsmeow message.go (LIDMigrationMappingSync). */
function saysMoved(content: proto.IMessage | null | undefined): boolean {
  return content?.protocolMessage?.lidMigrationMappingSyncMessage != null;
}
