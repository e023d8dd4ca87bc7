import type { SignalRepositoryWithLIDStore, SocketConfig } from 'baileys';
import type { Mutex } from '../../../../core/index.ts';
import type { PeerTurns } from './peer-turns.ts';
import { isSignedBy } from './signatures.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/**
 * Makes the Signal repository run calls that change a SignalSession one after another. Each such call reads a SignalRecord, changes it and writes it
 * back; two at once would lose a change, and with it messages.
 *
 * All links of the thread that deal with the same peer also take turns. libsignal runs their work for that peer in one queue and in the asynchronous
 * context of the first caller. Baileys identifies its transactions by that context and would write into one that has ended.
 *
 * No SignalSession is started from keys that their owner has not signed. The Signal protocol asks for that check, but libsignal does not make it.
 */
export function guardSignalSessions(make: MakeSignalRepository, turns: Mutex, peers: PeerTurns): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    const take = <T>(jid: string, work: () => Promise<T>) => turns.take(() => peers.take(repository.jidToSignalProtocolAddress(jid), work));
    return {
      ...repository,
      encryptMessage: (options) => take(options.jid, () => repository.encryptMessage(options)),
      decryptMessage: (options) => take(options.jid, () => repository.decryptMessage(options)),
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
 * Checks the signature over the signed prekey. Each key has a leading byte for its type. That byte is part of the signed bytes, but the identity key
 * is used without it.
 */
function isSignedByOwner({ identityKey, signedPreKey }: KeyBundle): boolean {
  return isSignedBy(identityKey.subarray(1), signedPreKey.publicKey, signedPreKey.signature);
}
