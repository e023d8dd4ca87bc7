import {
  DEFAULT_CONNECTION_CONFIG,
  type SignalCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
} from 'baileys';

type Log = typeof DEFAULT_CONNECTION_CONFIG.logger;

const nothing = () => undefined;
const noLog: Log = { level: 'silent', child: () => noLog, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface SignalParts {
  readonly keys: SignalKeyStore;
  readonly repository: SignalRepositoryWithLIDStore;
}

/** The Signal sessions of a simulated device, in memory. All addresses are `@lid`, so no number is ever looked up. */
export function createSignalParts(creds: SignalCreds): SignalParts {
  const keys = createMemoryKeys();
  return { keys, repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: inTurns(keys) }, noLog, async () => []) };
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

function createMemoryKeys(): SignalKeyStore {
  const records = new Map<string, unknown>();
  return {
    get: async <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        const value = records.get(`${type} ${id}`);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T];
      }
      return found;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, changes] of Object.entries(data)) {
        for (const [id, value] of Object.entries(changes ?? {})) {
          if (value === null) records.delete(`${type} ${id}`);
          else records.set(`${type} ${id}`, value);
        }
      }
    },
  };
}
