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
/** Called with the content of a decrypted message. Must not throw because of what is in it. */
type LookAt = (content: proto.IMessage, keys: SignalKeyStore) => Promise<void>;

/**
 * Lets `look` see what the account's own devices send, inside the transaction in which it is decrypted. What `look` writes to the keys is therefore
 * stored together with the changed SignalSession, and before Baileys tells the network that the message has arrived.
 */
export function lookAtOwn(make: MakeSignalRepository, look: LookAt): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    // Baileys passes all credentials and a store with transactions; its types promise less.
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const { creds } = auth as { creds: Partial<AuthenticationCreds> };
    const isOwn = (jid: string) =>
      [creds.me?.id, creds.me?.lid].some((own) => own !== undefined && jidNormalizedUser(own) === jidNormalizedUser(jid));
    return {
      ...repository,
      decryptMessage(options) {
        if (!isOwn(options.jid)) return repository.decryptMessage(options);
        // Baileys' own transaction inside joins this one.
        return keys.transaction(async () => {
          const padded = await repository.decryptMessage(options);
          const content = contentOf(padded);
          if (content !== null) await look(content, keys);
          return padded;
        }, options.jid);
      },
    };
  };
}

/** What a message contains; null when it is malformed, which Baileys reports. */
function contentOf(padded: Uint8Array): proto.IMessage | null {
  try {
    const message = proto.Message.decode(unpadRandomMax16(padded));
    return message.deviceSentMessage?.message ?? message;
  } catch {
    return null;
  }
}
