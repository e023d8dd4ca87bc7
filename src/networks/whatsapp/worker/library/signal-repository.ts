import {
  type AuthenticationCreds,
  isLidUser,
  jidNormalizedUser,
  proto,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
  unpadRandomMax16,
} from 'baileys';
import type { Mutex } from '../../../../core/index.ts';
import { KeysUnreadable } from './signal-keys.ts';
import { isSignedBy } from './signatures.ts';

/*
 * What is corrected in Baileys' Signal repository, which decrypts messages and changes SignalSessions. Each function takes what makes a repository and
 * returns what makes the corrected one.
 */

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/** Runs the work for one peer one piece at a time, in the order of the calls. */
export class PeerMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(peer: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(peer) ?? Promise.resolve()).then(work);
    const over = () => {
      if (this.#last.get(peer) === turn) this.#last.delete(peer);
    };
    const turn: Promise<void> = result.then(over, over);
    this.#last.set(peer, turn);
    return result;
  }
}

/**
 * Makes the Signal repository run calls that change a SignalSession one after another. Each such call reads a SignalRecord, changes it and writes it
 * back; two at once would lose a change, and with it messages.
 *
 * All links of the thread that deal with the same peer also take turns. libsignal runs their work for that peer in one queue and in the asynchronous
 * context of the first caller. Baileys identifies its transactions by that context and would write into one that has ended.
 *
 * No SignalSession is started from keys that their owner has not signed. The Signal protocol asks for that check, but libsignal does not make it.
 *
 * A SignalSession that was started under a phone number moves to the LID when a message comes after the LID is known. `onMoved` gets the number's JID.
 */
export function guardSignalSessions(
  make: MakeSignalRepository,
  turns: Mutex,
  peers: PeerMutex,
  onMoved: (pn: string) => void,
): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    const take = <T>(jid: string, work: () => Promise<T>) => turns.take(() => peers.take(repository.jidToSignalProtocolAddress(jid), work));
    return {
      ...repository,
      encryptMessage: (options) => take(options.jid, () => repository.encryptMessage(options)),
      decryptMessage: (options) =>
        take(options.jid, async () => {
          const moved = await moveToLid(repository, auth.keys, options.jid);
          if (moved !== null) onMoved(moved);
          return repository.decryptMessage(options);
        }),
      async injectE2ESession(options) {
        if (!isSignedByOwner(options.session)) {
          log.error('keys of a device are not signed by it and were not used');
          throw new Error('a key bundle with a signature that is not its own');
        }
        await take(options.jid, () => repository.injectE2ESession(options));
      },
      deleteSession: (jids) => turns.take(() => repository.deleteSession(jids)),
      migrateSession: (from, to) => turns.take(() => repository.migrateSession(from, to)),
    };
  };
}

/**
 * Moves the SignalSession with a device from its number to its LID, where libsignal's storage looks once the LID is known. Baileys' `migrateSession` does
 * not: it goes by lists of devices, which are not kept. Resolves to the number's JID; to null when there was nothing to move.
 */
async function moveToLid(repository: SignalRepositoryWithLIDStore, keys: SignalKeyStore, jid: string): Promise<string | null> {
  const { lidMapping } = repository;
  const stored = async (address: string) => (await keys.get('session', [address]))[address];
  const lid = isLidUser(jid) ? jid : await lidMapping.getLIDForPN(jid);
  if (lid === null) return null;
  const to = repository.jidToSignalProtocolAddress(lid);
  if (await stored(to)) return null;
  const pn = lid === jid ? await lidMapping.getPNForLID(jid) : jid;
  if (pn === null) return null;
  const from = repository.jidToSignalProtocolAddress(pn);
  const record = await stored(from);
  if (!record) return null;
  await keys.set({ session: { [from]: null, [to]: record } });
  return jidNormalizedUser(pn);
}

/**
 * Checks the signature over the signed prekey. Each key has a leading byte for its type. That byte is part of the signed bytes, but the identity key
 * is used without it.
 */
function isSignedByOwner({ identityKey, signedPreKey }: KeyBundle): boolean {
  return isSignedBy(identityKey.subarray(1), signedPreKey.publicKey, signedPreKey.signature);
}

/**
 * Lets `keys` store the SignalSessions that are started. They may do so later than a transaction would, but not after a message that was encrypted in
 * one: until that leaves, nothing depends on it, and after a crash another one is started.
 */
export function storeStartsIn(keys: SignalKeyStore, make: MakeSignalRepository): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    const { isInTransaction } = auth.keys as SignalKeyStoreWithTransaction;
    let made: SignalRepositoryWithLIDStore | null = null;
    const starting = () => {
      if (made !== null) return made;
      const withoutTransactions: SignalKeyStoreWithTransaction = { ...keys, isInTransaction: () => false, transaction: (work) => work() };
      made = make({ ...auth, keys: withoutTransactions }, log, pnToLid);
      // Asks, and remembers, like everything else.
      made.lidMapping.getLIDForPN = (pn) => repository.lidMapping.getLIDForPN(pn);
      return made;
    };
    return {
      ...repository,
      async injectE2ESession(options) {
        // Read here first, because Baileys would replace a SignalRecord that cannot be read, as if there were none.
        await auth.keys.get('session', [repository.jidToSignalProtocolAddress(options.jid)]);
        await (isInTransaction() ? repository : starting()).injectE2ESession(options);
      },
    };
  };
}

/**
 * Stores in `keys` which LID belongs to a number of which none is stored, in Baileys' form. Resolves to false, with nothing stored, when one is: Baileys
 * remembers that one, so it must be the one to replace it.
 */
export async function storeFirstMapping(keys: SignalKeyStore, pnUser: string, lidUser: string): Promise<boolean> {
  if ((await keys.get('lid-mapping', [pnUser]))[pnUser] !== undefined) return false;
  await keys.set({ 'lid-mapping': { [pnUser]: lidUser, [`${lidUser}_reverse`]: pnUser } });
  return true;
}

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

/**
 * Lets `look` see each message of a person inside the transaction in which it is decrypted. What `look` writes to the keys is therefore stored together
 * with the changed SignalSession, and before Baileys acknowledges the message. `look` must not throw because of what is in the message.
 */
export function lookAtPlaintexts(
  make: MakeSignalRepository,
  look: (plaintext: Plaintext, keys: SignalKeyStore) => Promise<void>,
): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    // Baileys passes all credentials and a store with transactions; its types promise less.
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const { creds } = auth as { creds: Partial<AuthenticationCreds> };
    return {
      ...repository,
      decryptMessage: (options) =>
        // Baileys' own transaction inside joins this one.
        keys.transaction(async () => {
          const padded = await repository.decryptMessage(options);
          const { jid, ciphertext } = options;
          const user = jidNormalizedUser(jid);
          const isOwn = [creds.me?.id, creds.me?.lid].some((own) => own !== undefined && jidNormalizedUser(own) === user);
          const message = contentOf(padded);
          // A copy of what another own device has sent to somebody names its chat; what is for this device only does not.
          const copy = isOwn ? message?.deviceSentMessage : null;
          const content = copy?.message ?? message;
          const chat = isOwn ? copy?.destinationJid || null : jid;
          if (content !== null) await look({ content, isOwn, chat, ciphertext }, keys);
          return padded;
        }, options.jid),
    };
  };
}

/** What a message contains; null when it is malformed, which Baileys reports. */
function contentOf(padded: Uint8Array): proto.IMessage | null {
  try {
    return proto.Message.decode(unpadRandomMax16(padded));
  } catch {
    return null;
  }
}

/** What happens when keys cannot be read. */
interface UnreadableListener {
  /** Whether the connection has ended. What the library still does then (it waits 15 s for answers) reads from records that are closed. */
  isOver(): boolean;
  unreadable(error: KeysUnreadable): void;
}

/**
 * Calls `unreadable` when a message cannot be read because the store cannot be read. Baileys acknowledges the message all the same, or reports that
 * there is something wrong with it, and what the phone of the account sends once would be lost; so the connection must end before that.
 */
export function watchUnreadable(make: MakeSignalRepository, listener: UnreadableListener): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    const watched =
      <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        try {
          return await call(...given);
        } catch (error) {
          if (error instanceof KeysUnreadable && !listener.isOver()) listener.unreadable(error);
          throw error;
        }
      };
    // What Baileys calls with a message; it uses the same object elsewhere.
    const { lidMapping } = repository;
    lidMapping.getLIDForPN = watched(lidMapping.getLIDForPN.bind(lidMapping));
    lidMapping.getPNForLID = watched(lidMapping.getPNForLID.bind(lidMapping));
    lidMapping.storeLIDPNMappings = watched(lidMapping.storeLIDPNMappings.bind(lidMapping));
    return {
      ...repository,
      decryptMessage: watched(async (options) => {
        // Read here first, because Baileys takes a SignalRecord that cannot be read for one that does not exist.
        await auth.keys.get('session', [repository.jidToSignalProtocolAddress(options.jid)]);
        return repository.decryptMessage(options);
      }),
      migrateSession: watched(repository.migrateSession),
    };
  };
}
