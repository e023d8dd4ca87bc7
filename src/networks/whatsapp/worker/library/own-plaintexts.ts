import {
  type AuthenticationCreds,
  jidNormalizedUser,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from 'baileys';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
/** Called with a decrypted message, which is still padded. Must not throw because of what is in it. */
type LookAt = (padded: Uint8Array, keys: SignalKeyStore) => Promise<void>;

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
          await look(padded, keys);
          return padded;
        }, options.jid);
      },
    };
  };
}
