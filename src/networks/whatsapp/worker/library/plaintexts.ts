import {
  type AuthenticationCreds,
  jidNormalizedUser,
  proto,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
  unpadRandomMax16,
} from 'baileys';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/** A decrypted message. */
export interface Plaintext {
  readonly content: proto.IMessage;
  /** Whether another device of the account has sent it. */
  readonly isOwn: boolean;
  /** The other person of its chat, as a JID; null for what an own device sends to this one only. */
  readonly chat: string | null;
  /** The bytes that were decrypted, as they stand in the stanza. */
  readonly ciphertext: Uint8Array;
}

/** Must not throw because of what is in the message. */
type LookAt = (plaintext: Plaintext, keys: SignalKeyStore) => Promise<void>;

/**
 * Lets `look` see each message of a person inside the transaction in which it is decrypted. What `look` writes to the keys is therefore stored together
 * with the changed SignalSession, and before Baileys tells the network that the message has arrived.
 */
export function lookAtPlaintexts(make: MakeSignalRepository, look: LookAt): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    // Baileys passes all credentials and a store with transactions; its types promise less.
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const { creds } = auth as { creds: Partial<AuthenticationCreds> };
    const isOwn = (jid: string) =>
      [creds.me?.id, creds.me?.lid].some((own) => own !== undefined && jidNormalizedUser(own) === jidNormalizedUser(jid));
    return {
      ...repository,
      decryptMessage: (options) =>
        // Baileys' own transaction inside joins this one.
        keys.transaction(async () => {
          const padded = await repository.decryptMessage(options);
          const { jid, ciphertext } = options;
          const seen = isOwn(jid) ? ownPlaintext(contentOf(padded)) : { content: contentOf(padded), isOwn: false, chat: jid };
          if (seen.content !== null) await look({ ...seen, content: seen.content, ciphertext }, keys);
          return padded;
        }, options.jid),
    };
  };
}

/** A copy of what another own device has sent to somebody names its chat; what is for this device only does not. */
function ownPlaintext(message: proto.IMessage | null): Pick<Plaintext, 'isOwn' | 'chat'> & { readonly content: proto.IMessage | null } {
  const copy = message?.deviceSentMessage;
  return { content: copy?.message ?? message, isOwn: true, chat: copy?.destinationJid || null };
}

/** What a message contains; null when it is malformed, which Baileys reports. */
function contentOf(padded: Uint8Array): proto.IMessage | null {
  try {
    return proto.Message.decode(unpadRandomMax16(padded));
  } catch {
    return null;
  }
}
