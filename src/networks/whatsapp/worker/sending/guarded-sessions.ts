import type { SocketConfig } from 'baileys';
import type { Turns } from './turns.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/**
 * The Signal repository with everything that changes a session made to take turns. Each such call reads a record, changes it and writes it back;
 * two at once would lose one's change, and with it messages.
 */
export function guardSessions(make: MakeSignalRepository, turns: Turns): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
    return {
      ...repository,
      encryptMessage: (options) => turns.take(() => repository.encryptMessage(options)),
      decryptMessage: (options) => turns.take(() => repository.decryptMessage(options)),
      injectE2ESession: (options) => turns.take(() => repository.injectE2ESession(options)),
      deleteSession: (jids) => turns.take(() => repository.deleteSession(jids)),
      migrateSession: (from, to) => turns.take(() => repository.migrateSession(from, to)),
    };
  };
}
