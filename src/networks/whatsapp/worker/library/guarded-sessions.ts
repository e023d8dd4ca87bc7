import type { SignalRepositoryWithLIDStore, SocketConfig } from 'baileys';
import type { Turns } from '../../../../core/index.ts';
import type { PeerTurns } from './peer-turns.ts';
import { isSignedBy } from './signatures.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
type KeyBundle = Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session'];

/**
 * The Signal repository, with calls that change a Signal session taking turns. Each such call reads a record, changes it and writes it back. Two
 * at once would lose a change, and with it messages.
 *
 * All links of the thread that deal with the same peer take turns, too. libsignal runs their work for that peer in one queue and in the
 * asynchronous context of the first caller. Baileys recognises its transactions by that context, and would write into one that has ended.
 *
 * No Signal session is made from keys that their owner has not signed. The Signal protocol asks for that check; libsignal does not make it.
 */
export function guardSessions(make: MakeSignalRepository, turns: Turns, peers: PeerTurns): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    const repository = make(auth, log, pnToLid);
    const take = <T>(jid: string, work: () => Promise<T>) => turns.take(() => peers.take(repository.jidToSignalProtocolAddress(jid), work));
    return {
      ...repository,
      encryptMessage: (options) => take(options.jid, () => repository.encryptMessage(options)),
      decryptMessage: (options) => take(options.jid, () => repository.decryptMessage(options)),
      async injectE2ESession(options) {
        if (!isSignedByOwner(options.session)) {
          log.error('keys of a device are not signed by it, and were not taken');
          throw new Error('a key bundle with a signature that is not its own');
        }
        await take(options.jid, () => repository.injectE2ESession(options));
      },
      deleteSession: (jids) => turns.take(() => repository.deleteSession(jids)),
      migrateSession: (from, to) => turns.take(() => repository.migrateSession(from, to)),
    };
  };
}

/** Keys come with a leading byte for their type, which is signed along but is no part of the key that signs. */
function isSignedByOwner({ identityKey, signedPreKey }: KeyBundle): boolean {
  return isSignedBy(identityKey.subarray(1), signedPreKey.publicKey, signedPreKey.signature);
}
