/** The parts of a stored libsignal record that are used here: the SignalSessions with one device. */
interface SignalRecord {
  readonly _sessions: Readonly<Record<string, SignalSession>>;
}

interface SignalSession {
  readonly indexInfo: { readonly closed: number };
  readonly currentRatchet: { readonly lastRemoteEphemeralKey: string };
  readonly _chains: Readonly<Record<string, Chain>>;
}

interface Chain {
  readonly chainType: number;
  readonly messageKeys: Readonly<Record<string, string>>;
}

/** How many closed SignalSessions are kept for messages that are still on their way. libsignal keeps 40 and writes all of them with each message. */
const keptClosedSignalSessions = 4;
/** How many past receiving chains a SignalSession keeps, as in other Signal implementations. libsignal keeps all. */
const keptReceivingChains = 5;
const openMark = -1;
const receivingChain = 2;

/** A copy of the record without old keys that no message will need. Without this it would grow with every reply. */
export function trimSignalRecord(record: unknown): unknown {
  if (!isSignalRecord(record)) return record;
  const entries = Object.entries(record._sessions);
  const open = entries.filter(([, entry]) => entry.indexInfo.closed === openMark);
  const closed = entries.filter(([, entry]) => entry.indexInfo.closed !== openMark);
  const newestClosed = closed.sort(([, a], [, b]) => a.indexInfo.closed - b.indexInfo.closed).slice(-keptClosedSignalSessions);
  const kept = [...newestClosed, ...open].map(([key, entry]) => [key, trimChains(entry)]);
  return { ...record, _sessions: Object.fromEntries(kept) };
}

function trimChains(entry: SignalSession): SignalSession {
  const chains = Object.entries(entry._chains);
  const current = entry.currentRatchet.lastRemoteEphemeralKey;
  const past = chains.filter(([key, chain]) => chain.chainType === receivingChain && key !== current).map(([key]) => key);
  if (past.length <= keptReceivingChains) return entry;
  const dropped = new Set(past.slice(0, -keptReceivingChains));
  return { ...entry, _chains: Object.fromEntries(chains.filter(([key]) => !dropped.has(key))) };
}

function isSignalRecord(record: unknown): record is SignalRecord {
  return typeof record === 'object' && record !== null && '_sessions' in record;
}
