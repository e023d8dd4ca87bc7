import { SessionCipher } from 'libsignal';

/** A Signal session of a record, and libsignal's method (6.0.0) that tries several; its types leave both out. */
interface SessionEntry {
  readonly constructor: { deserialize(serialized: object): SessionEntry };
  readonly indexInfo: { used: number };
  serialize(): object;
}
interface Decryption {
  decryptWithSessions(message: Uint8Array, sessions: readonly SessionEntry[]): Promise<{ session: SessionEntry; plaintext: Buffer }>;
  doDecryptWhisperMessage(message: Uint8Array, session: SessionEntry): Promise<Buffer>;
}

/**
 * Makes phones keep a Signal session as it was when it cannot decrypt a message, as real ones do. libsignal takes a ratchet step in it first, and stores
 * that when another session can. Takes effect for the whole process.
 */
export function keepUnusedSessions(): void {
  (SessionCipher.prototype as unknown as Decryption).decryptWithSessions = async function (message, sessions) {
    for (const session of sessions) {
      const before = session.serialize();
      try {
        const plaintext = await this.doDecryptWhisperMessage(message, session);
        session.indexInfo.used = Date.now();
        return { session, plaintext };
      } catch {
        Object.assign(session, session.constructor.deserialize(before));
      }
    }
    throw new Error('no Signal session can decrypt the message');
  };
}
