import { type AuthenticationCreds, proto, type SignalKeyStoreWithTransaction, type SignedKeyPair, type SocketConfig } from 'baileys';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
type WithAdditionalData = Pick<AuthenticationCreds, 'additionalData'>;

/** What is kept of a number's signed pre-keys besides the current one. */
interface KeptSignedPreKeys {
  /** When the current one was put in place, in epoch milliseconds; null when unknown. */
  readonly since: number | null;
  /** The one to come. It is kept before the network gets it, because the network may have it although it did not confirm it. */
  readonly next: SignedKeyPair | null;
  /** Earlier ones, the latest first. */
  readonly earlier: readonly SignedKeyPair[];
}

const none: KeptSignedPreKeys = { since: null, next: null, earlier: [] };

/** Reads them from `additionalData`, which the library leaves to its user. They are stored with the credentials, and encrypted like them. */
export function keptSignedPreKeys({ additionalData }: WithAdditionalData): KeptSignedPreKeys {
  const kept: unknown = typeof additionalData === 'object' ? additionalData?.signedPreKeys : undefined;
  return typeof kept === 'object' ? { ...none, ...kept } : none;
}

/** Changes them in memory. */
export function keepSignedPreKeys(creds: WithAdditionalData, change: Partial<KeptSignedPreKeys>): void {
  creds.additionalData = { ...creds.additionalData, signedPreKeys: { ...keptSignedPreKeys(creds), ...change } };
}

/**
 * Lets messages be read that were written with another signed pre-key than the current one, as long as it is kept. The library takes the current one
 * whichever a message names.
 */
export function readWithKeptPreKeys(make: MakeSignalRepository): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    // Baileys passes all credentials; its types promise less.
    const creds = auth.creds as AuthenticationCreds;
    return {
      ...repository,
      async decryptMessage(options) {
        const signedPreKey = options.type === 'pkmsg' ? keptKey(creds, options.ciphertext) : null;
        if (signedPreKey === null) return repository.decryptMessage(options);
        const then: AuthenticationCreds = Object.create(creds, { signedPreKey: { value: signedPreKey } });
        const other = make({ creds: then, keys: auth.keys as SignalKeyStoreWithTransaction }, log, pnToLid);
        // Asks, remembers and is watched like everything else.
        other.lidMapping.getLIDForPN = (pn) => repository.lidMapping.getLIDForPN(pn);
        try {
          return await other.decryptMessage(options);
        } finally {
          other.lidMapping.close();
        }
      },
    };
  };
}

/** The key that a message names; null when it is the current one, or not kept. */
function keptKey(creds: AuthenticationCreds, ciphertext: Uint8Array): SignedKeyPair | null {
  const id = signedPreKeyIn(ciphertext);
  if (id === null || id === creds.signedPreKey.keyId) return null;
  const { next, earlier } = keptSignedPreKeys(creds);
  return [next, ...earlier].find((key) => key?.keyId === id) ?? null;
}

/** The id of the signed pre-key with which a first message was written; null when it is malformed. */
function signedPreKeyIn(ciphertext: Uint8Array): number | null {
  try {
    // After a byte with the version.
    return proto.PreKeySignalMessage.decode(ciphertext.subarray(1)).signedPreKeyId ?? null;
  } catch {
    return null;
  }
}
