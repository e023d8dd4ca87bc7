import type { ClaimCall, ClaimOutcome } from '../hot-path.ts';
import type { ArrayStatements } from './array-statements.ts';
import { type BatchWork, Collector } from './collector.ts';
import type { Client, Pool } from './connections.ts';
import { isOneCallsFault, isTransient } from './faults.ts';
import { inTransaction, prepare } from './runner.ts';

/** The finding for one call; `n` is its position among the calls, from 1. */
interface Looked {
  n: number;
  outcome: Exclude<ClaimOutcome['outcome'], 'claimed' | 'trial_exhausted'> | 'free';
  message_id: string | null;
  provider_status: string | null;
  /** The request and the node of a claim that exists already. */
  holder: string | null;
  holder_node: string | null;
  /** Whether there is a record of the key that no longer counts. */
  expired: boolean;
}

/** A claim that was written; `existed`: it replaced an earlier record. */
interface Written {
  n: null;
  account_id: string;
  key: string;
  message_id: string;
  existed: boolean;
}

// Few batches at a time, so that calls gather: a round trip costs about the same for one call as for fifty.
const batches = { concurrency: 2, maxBatch: 200, isOneCallsFault, isTransient };

/** The claim operation: sends without a trial in one round trip or two, those of trials in a transaction that locks their accounts. */
export function createClaims(pool: Pool, statements: ArrayStatements, onBatch?: (calls: number) => void) {
  const collect = (work: BatchWork<ClaimCall, ClaimOutcome>) => new Collector(work, onBatch);
  const claimNew = prepare(pool, 'claim_new', statements.claimNew);
  const look = prepare(pool, 'look', statements.look);
  const claim = prepare(pool, 'claim', statements.claim);
  const lockTrials = prepare(pool, 'lock_trials', statements.lockTrials);
  const countReservations = prepare(pool, 'count_reservations', statements.countReservations);
  const reserveAndClaim = prepare(pool, 'reserve_and_claim', statements.reserveAndClaim);

  const looking: Collector<ClaimCall, ClaimOutcome> = collect({ ...batches, run: lookAndClaim });

  async function lookAndClaim(calls: readonly ClaimCall[]) {
    const keyed = calls.some((call) => call.keyed !== null);
    const rows = keyed ? await claim.run<Looked | Written>(columns(calls)) : await look.run<Looked>(columns(calls));
    const decision = decide(
      calls,
      rows.filter((row) => row.n !== null),
    );
    const lost = finish(
      decision,
      rows.filter((row) => row.n === null),
    );
    // Another batch claimed these keys between this statement's look and its writing: their calls look again.
    return calls.map((call, i) => (lost.has(idOf(call) ?? '') ? looking.call(call) : outcomeOf(decision, i)));
  }

  const plain: Collector<ClaimCall, ClaimOutcome> = collect({
    ...batches,
    // Most keys are new, and then writing the claim tells that as well as looking first.
    run: (calls: readonly ClaimCall[]) => (mayAllBeNew(calls) ? claimNewOnes(calls) : lookAndClaim(calls)),
  });

  async function claimNewOnes(calls: readonly ClaimCall[]) {
    const rows = await claimNew.run<{ account_id: string; key: string }>(columns([...calls].sort(byKey)));
    const written = new Set(rows.map((row) => `${row.account_id} ${row.key}`));
    return calls.map((call) => (written.has(idOf(call) ?? '') ? claimedAnew(call) : looking.call(call)));
  }

  const trial: Collector<ClaimCall, ClaimOutcome> = collect({
    ...batches,
    async run(calls: readonly ClaimCall[]) {
      try {
        return await inTransaction(pool, (client) => claimTrials(client, calls));
      } catch (error) {
        if (error instanceof LostRace) return calls.map((call) => trial.call(call));
        throw error;
      }
    },
  });

  async function claimTrials(client: Pick<Client, 'query'>, calls: readonly ClaimCall[]): Promise<ClaimOutcome[]> {
    const account = [...new Set(calls.map((call) => call.accountId))];
    const accounts = await lockTrials.on<{ id: string; trial_used: number }>(client, { account });
    const taken = new Map(accounts.map((row) => [row.id, row.trial_used]));
    // Counted by a statement of its own: only one that begins after the locks are held sees everything they protect.
    for (const row of await countReservations.on<{ account_id: string; reserved: number }>(client, { account })) {
      const used = taken.get(row.account_id);
      if (used !== undefined) taken.set(row.account_id, used + row.reserved);
    }
    const decision = decide(calls, await look.on<Looked>(client, columns(calls)), taken);
    const granted = calls.filter((_, i) => decision.outcomes[i]?.outcome === 'claimed');
    if (granted.length > 0) {
      const { instance: _, linked: __, epoch: ___, ...claimed } = columns(granted.filter((call) => call.keyed !== null).sort(byKey));
      const reservation = granted.map((call) => call.requestId);
      const reserving = granted.map((call) => call.accountId);
      const reserver = granted.map((call) => call.lease?.nodeId ?? null);
      const values = { reservation, reserving, reserver, ...claimed };
      if (finish(decision, await reserveAndClaim.on<Written>(client, values)).size > 0) throw new LostRace();
    }
    return decision.outcomes;
  }

  return {
    claim: (call: ClaimCall) => (call.trialLimit === null ? plain : trial).call(call),
    drain: async () => {
      await Promise.all([plain.drain(), trial.drain()]);
      // Calls of `plain` may have gone on to it.
      await looking.drain();
    },
  };
}

/** Another claim appeared between the check and the insert. Nothing was written, and the batch must be done again. */
class LostRace extends Error {}

/** A claim's identity within a batch; null without an idempotency key. */
function idOf(call: ClaimCall): string | null {
  return call.keyed === null ? null : `${call.accountId} ${call.keyed.key}`;
}

/** Whether only a record of its key could refuse each call. Calls that share a key are judged one after the other instead. */
function mayAllBeNew(calls: readonly ClaimCall[]): boolean {
  return calls.every((call) => call.linked && call.keyed !== null) && new Set(calls.map(idOf)).size === calls.length;
}

function claimedAnew({ keyed }: ClaimCall): ClaimOutcome {
  return { outcome: 'claimed', retaken: false, messageId: keyed?.messageId ?? null };
}

interface Decision {
  readonly outcomes: ClaimOutcome[];
  /** Which call claims which key: its place among the calls, and whether it replaces a record that no longer counts. */
  readonly claimants: ReadonlyMap<string, { readonly place: number; readonly expired: boolean }>;
}

/**
 * Judges the calls one after the other, as if each came after the previous one was done; `taken` holds each trial account's
 * units and is counted on.
 */
function decide(calls: readonly ClaimCall[], rows: readonly Looked[], taken: Map<string, number> = new Map()): Decision {
  const found: Looked[] = [];
  for (const row of rows) found[row.n - 1] = row;
  const claimants = new Map<string, { place: number; expired: boolean }>();
  const outcomes = calls.map((call, place): ClaimOutcome => {
    const id = idOf(call);
    const claimant = id === null ? undefined : claimants.get(id);
    if (claimant !== undefined) {
      const first = calls[claimant.place];
      if (first === undefined || first.keyed?.fingerprint !== call.keyed?.fingerprint) return { outcome: 'reused' };
      return { outcome: 'in_flight', owner: first.requestId, here: true };
    }
    const row = found[place];
    if (row === undefined) throw new Error('a claim got no answer');
    if (row.outcome === 'replay') return { outcome: row.outcome, messageId: row.message_id ?? '', providerStatus: row.provider_status };
    if (row.outcome === 'in_flight')
      return { outcome: row.outcome, owner: row.holder ?? '', here: row.holder_node === (call.lease?.nodeId ?? '') };
    if (row.outcome !== 'free') return { outcome: row.outcome };
    if (call.trialLimit !== null) {
      const used = taken.get(call.accountId);
      if (used === undefined || used >= call.trialLimit) return { outcome: 'trial_exhausted' };
      taken.set(call.accountId, used + 1);
    }
    if (id !== null) claimants.set(id, { place, expired: row.expired });
    return claimedAnew(call);
  });
  return { outcomes, claimants };
}

/** Notes which of the written claims were retaken. Returns the keys that could not be claimed. */
function finish({ outcomes, claimants }: Decision, written: readonly Written[]): ReadonlySet<string> {
  const lost = new Set(claimants.keys());
  for (const row of written) {
    const id = `${row.account_id} ${row.key}`;
    lost.delete(id);
    const claimant = claimants.get(id);
    if (claimant === undefined) continue;
    outcomes[claimant.place] = { outcome: 'claimed', retaken: row.existed && !claimant.expired, messageId: row.message_id };
  }
  return lost;
}

function outcomeOf({ outcomes }: Decision, place: number): ClaimOutcome {
  const outcome = outcomes[place];
  if (outcome === undefined) throw new Error('a claim got no answer');
  return outcome;
}

function columns(calls: readonly ClaimCall[]) {
  return {
    account: calls.map((call) => call.accountId),
    instance: calls.map((call) => call.instanceId),
    linked: calls.map((call) => call.linked),
    key: calls.map((call) => call.keyed?.key ?? null),
    fingerprint: calls.map((call) => call.keyed?.fingerprint ?? null),
    message: calls.map((call) => call.keyed?.messageId ?? null),
    owner: calls.map((call) => call.requestId),
    node: calls.map((call) => call.lease?.nodeId ?? null),
    epoch: calls.map((call) => call.lease?.epoch ?? null),
  };
}

// In one order everywhere, so that two batches with the same keys never wait for each other.
function byKey(a: ClaimCall, b: ClaimCall): number {
  const left = idOf(a) ?? '';
  const right = idOf(b) ?? '';
  return left < right ? -1 : left > right ? 1 : 0;
}
