import {
  addTransactionCapability,
  DEFAULT_CONNECTION_CONFIG,
  type SignalCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
} from 'baileys';

type Log = typeof DEFAULT_CONNECTION_CONFIG.logger;

const nothing = () => undefined;
const noLog: Log = { level: 'silent', child: () => noLog, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface SignalParts {
  readonly keys: SignalKeyStore;
  readonly repository: SignalRepositoryWithLIDStore;
}

/** Signal sessions of a device of our own, kept in memory. Addresses are `@lid` throughout, so no number is ever looked up. */
export function createSignalParts(creds: SignalCreds): SignalParts {
  const keys = createMemoryKeys();
  const transactional = addTransactionCapability(keys, noLog, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  return { keys, repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: transactional }, noLog, async () => []) };
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
