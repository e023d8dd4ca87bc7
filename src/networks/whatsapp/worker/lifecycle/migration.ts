import type { WASocket } from 'baileys';
import { learnFacts } from '../sending/index.ts';

/** Records that the account has moved to LID addressing when its phone says so. See whatsmeow message.go (LIDMigrationMappingSync). */
export function followMigration(sock: Pick<WASocket, 'ev' | 'authState'>): void {
  sock.ev.on('messages.upsert', ({ messages }) => {
    const isTold = messages.some(({ key, message }) => key.fromMe && message?.protocolMessage?.lidMigrationMappingSyncMessage != null);
    if (isTold) learnFacts(sock, { migrated: true });
  });
}
