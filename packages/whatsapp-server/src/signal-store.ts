import {
  DEFAULT_CONNECTION_CONFIG,
  type SignalCreds,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
} from 'baileys';
import { createMemoryKeys } from './memory-keys.ts';
import { silentLog } from './silent-log.ts';

const nothing = () => undefined;

export interface SignalParts {
  readonly keys: SignalKeyStore;
  readonly repository: SignalRepositoryWithLIDStore;
}

/** The Signal sessions of a simulated device, in memory. All addresses are `@lid`, so no number is ever looked up. */
export function createSignalParts(creds: SignalCreds): SignalParts {
  const keys = createMemoryKeys();
  return { keys, repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: inTurns(keys) }, silentLog, async () => []) };
}

/**
 * Transactions with the same key take turns, and their writes apply at once. Baileys' own would lose writes here: they identify their work by its
 * asynchronous context, and libsignal runs the work of all devices of the process with one peer in the context of the first caller.
 */
function inTurns(keys: SignalKeyStore): SignalKeyStoreWithTransaction {
  const turns = new Map<string, Promise<unknown>>();
  return {
    ...keys,
    isInTransaction: () => false,
    transaction(work, key) {
      const result = (turns.get(key) ?? Promise.resolve()).then(work);
      const turn = result.then(nothing, nothing).then(() => {
        if (turns.get(key) === turn) turns.delete(key);
      });
      turns.set(key, turn);
      return result;
    },
  };
}
