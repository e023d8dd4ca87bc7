import type { SocketConfig } from 'baileys';
import { KeysUnreadable } from './signal-keys.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/** What happens when keys cannot be read. */
interface UnreadableListener {
  /** Whether the connection has ended. What the library still does then (it waits 15 s for answers) reads from records that are closed. */
  isOver(): boolean;
  unreadable(error: KeysUnreadable): void;
}

/**
 * Calls `unreadable` when a message cannot be read because the store cannot be read. Baileys tells the network all the same that the message has
 * arrived, or that there is something wrong with it, and what the phone of the account says once would be lost; so the connection must end before that.
 */
export function watchUnreadable(make: MakeSignalRepository, listener: UnreadableListener): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
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
    lidMapping.getPNForLID = watched(lidMapping.getPNForLID.bind(lidMapping));
    lidMapping.storeLIDPNMappings = watched(lidMapping.storeLIDPNMappings.bind(lidMapping));
    return {
      ...repository,
      decryptMessage: watched(repository.decryptMessage),
      migrateSession: watched(repository.migrateSession),
    };
  };
}
