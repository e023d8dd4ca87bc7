import type { SocketConfig } from 'baileys';
import type { Turns } from '../../../../core/index.ts';
import type { PeerTurns } from './peer-turns.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/**
 * The Signal repository with everything that changes a session made to take turns. Each such call reads a record, changes it and writes it back;
 * two at once would lose one's change, and with it messages.
 *
 * All links of the thread that deal with one peer take turns, too: the Signal library runs what they want of that peer one after another in the
 * asynchronous context of whichever came first, by which Baileys knows its transactions, and would write into one that is over.
 */
export function guardSessions(make: MakeSignalRepository, turns: Turns, peers: PeerTurns): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
    const take = <T>(jid: string, work: () => Promise<T>) => turns.take(() => peers.take(repository.jidToSignalProtocolAddress(jid), work));
    return {
      ...repository,
      encryptMessage: (options) => take(options.jid, () => repository.encryptMessage(options)),
      decryptMessage: (options) => take(options.jid, () => repository.decryptMessage(options)),
      injectE2ESession: (options) => take(options.jid, () => repository.injectE2ESession(options)),
      deleteSession: (jids) => turns.take(() => repository.deleteSession(jids)),
      migrateSession: (from, to) => turns.take(() => repository.migrateSession(from, to)),
    };
  };
}
