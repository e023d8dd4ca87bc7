import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys';

/** Keys and Signal sessions in memory, for Baileys. `records` holds them under `type:id`, where a test may read and change them. */
export function createMemoryKeys(records = new Map<string, unknown>()): SignalKeyStore {
  return {
    get: async <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        const value = records.get(`${type}:${id}`);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T];
      }
      return found;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, changes] of Object.entries(data)) {
        for (const [id, value] of Object.entries(changes ?? {})) {
          if (value === null) records.delete(`${type}:${id}`);
          else records.set(`${type}:${id}`, value);
        }
      }
    },
  };
}
