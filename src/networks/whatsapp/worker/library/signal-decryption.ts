import { SessionCipher } from 'libsignal';

/** A SignalSession of a SignalRecord that libsignal has read. */
interface SessionEntry {
  readonly constructor: { deserialize(serialized: object): SessionEntry };
  readonly indexInfo: { used: number };
  serialize(): object;
}

/** The methods with which libsignal (6.0.0) decrypts. Its types leave them out. */
interface Decryption {
  decryptWithSessions(message: Uint8Array, sessions: readonly SessionEntry[]): Promise<{ session: SessionEntry; plaintext: Buffer }>;
  doDecryptWhisperMessage(message: Uint8Array, session: SessionEntry): Promise<Buffer>;
}

/**
 * Corrects how libsignal (6.0.0) tries the SignalSessions of a record on a message, in the whole thread:
 *
 * - A SignalSession that cannot decrypt the message stays as it was. libsignal takes a ratchet step in it before it checks the message, and stores that
 *   with the record when another SignalSession can decrypt the message. A message that was still on its way in an earlier SignalSession would make the
 *   current one useless in both directions.
 * - A message that has been decrypted before is reported as such ("Key used already"), as it is for messages that start a SignalSession. Baileys then
 *   acknowledges it. Otherwise it would ask for the message again, which starts another SignalSession.
 */
export function correctSessionTrials(): void {
  (SessionCipher.prototype as unknown as Decryption).decryptWithSessions = async function (message, sessions) {
    let repeated: Error | null = null;
    for (const session of sessions) {
      const before = session.serialize();
      try {
        const plaintext = await this.doDecryptWhisperMessage(message, session);
        session.indexInfo.used = Date.now();
        return { session, plaintext };
      } catch (error) {
        Object.assign(session, session.constructor.deserialize(before));
        if (error instanceof Error && error.name === 'MessageCounterError') repeated = error;
      }
    }
    throw repeated ?? new Error('No matching sessions found for message');
  };
}
