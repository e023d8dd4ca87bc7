import type { ClaimCall, ClaimOutcome } from '../hot-path.ts';
import { claimOf, type Found, type FoundClaim, judge, nodeOf } from '../judge.ts';
import { columnsOf, sorted } from '../statements.ts';
import type { ArrayStatements } from './array-statements.ts';
import { Collector, type RunBatch } from './collector.ts';
import type { Pool } from './connections.ts';
import { inTransaction, type Prepared, prepare } from './runner.ts';

/** What there is for one call, with the record of its key if it has one. */
type FoundRow = Omit<Found, 'claim' | 'dated'> & ((FoundClaim & { readonly id: number }) | { readonly id: null; readonly state: null });

interface ClaimName {
  readonly account_id: string;
  readonly key: string;
}

interface Judged {
  readonly call: ClaimCall;
  readonly row: FoundRow;
  readonly outcome: ClaimOutcome;
  /** The record that is to be written, if the call has a key and may send. */
  readonly claim: FoundClaim | null;
}

/** Runs a statement by itself, or in a transaction. */
type Run = <Row extends object, Name extends string>(statement: Prepared<Name>, values: Readonly<Record<Name, unknown>>) => Promise<Row[]>;

/** Another call has changed a record between the look at it and the writing. */
class Changed extends Error {}

// Few batches at a time, so that calls gather: a round trip costs about the same for one call as for fifty.
const batches = { concurrency: 2, maxBatch: 200 };
/** For a key that nobody has used, with nothing in its way. */
const nothing: FoundRow = { now: 0, id: null, state: null, hasInstance: true, isOwner: true, trialTaken: 0 };

/**
 * The claim operation. Most keys are new and nothing is in their way, so what would follow from that is written without a look, by a statement that
 * leaves out what is otherwise. All other calls are looked at, judged and written, those of trials in a transaction that locks their accounts.
 * If a record has changed since the look, they are looked at again.
 */
export function createClaims(pool: Pool, statements: ArrayStatements, onBatch?: (calls: number) => void) {
  const collect = (run: RunBatch<ClaimCall, ClaimOutcome>) => new Collector(run, { ...batches, onBatch });
  const claimNew = prepare(pool, 'claim_new', statements.claimNew);
  const find = prepare(pool, 'find_claims', statements.findClaims);
  const save = prepare(pool, 'save_claims', statements.saveClaims);
  const lockTrials = prepare(pool, 'lock_trials', statements.lockTrials);

  const fresh = collect(async (calls) => {
    const judged = judgeInTurn(
      calls,
      calls.map(() => nothing),
    );
    const claims = claimColumns(judged);
    const written = claims.key.length === 0 ? [] : await claimNew.run<ClaimName>(claims);
    const claimed = new Set<string | null>(written.map(nameOf));
    return judged.map(({ call, outcome }) => (claimed.has(idOf(call)) ? outcome : known.call(call)));
  });

  const known: Collector<ClaimCall, ClaimOutcome> = collect(async (calls) => {
    const { judged, changed } = await judgeAndSave(calls, (statement, values) => statement.run(values));
    return judged.map(({ call, outcome }) => (changed.has(idOf(call)) ? known.call(call) : outcome));
  });

  const trial: Collector<ClaimCall, ClaimOutcome> = collect(async (calls) => {
    try {
      return await inTransaction(pool, async (client) => {
        // Only a statement that begins after the locks are held sees everything they protect.
        await lockTrials.on(client, { account: trialsOf(calls) });
        const { judged, changed } = await judgeAndSave(calls, (statement, values) => statement.on(client, values));
        if (changed.size > 0) throw new Changed();
        return judged.map(({ outcome }) => outcome);
      });
    } catch (error) {
      if (error instanceof Changed) return calls.map((call) => trial.call(call));
      throw error;
    }
  });

  /** `changed`: the keys of which nothing was written, because their records have changed since the look. */
  async function judgeAndSave(calls: readonly ClaimCall[], run: Run) {
    const judged = judgeInTurn(calls, await run<FoundRow, FindColumn>(find, findColumns(calls)));
    const claims = claimColumns(judged);
    const changed = new Set<string | null>(judged.filter(({ claim }) => claim !== null).map(({ call }) => idOf(call)));
    const reserving = judged
      .filter(({ call, outcome }) => call.trialLimit !== null && outcome.outcome === 'claimed')
      .map(({ call }) => call);
    if (changed.size === 0 && reserving.length === 0) return { judged, changed };
    const reservations = {
      reservation: reserving.map((call) => call.requestId),
      reserving: reserving.map((call) => call.accountId),
      reserver: reserving.map(nodeOf),
    };
    for (const row of await run<ClaimName, SaveColumn>(save, { ...reservations, ...claims })) changed.delete(nameOf(row));
    return { judged, changed };
  }

  return {
    claim: (call: ClaimCall) => (call.trialLimit === null ? fresh : trial).call(call),
    drain: async () => {
      await Promise.all([fresh.drain(), trial.drain()]);
      // Calls of `fresh` may have gone on to it.
      await known.drain();
    },
  };
}

/** Judges the calls one after the other, as if each came after the previous one was done. */
function judgeInTurn(calls: readonly ClaimCall[], rows: readonly FoundRow[]): Judged[] {
  const claims = new Map<string | null, FoundClaim>();
  const reserved = new Map<string, number>();
  return calls.map((call, i) => {
    const row = rows[i];
    if (row === undefined) throw new Error('a claim got no answer');
    const id = idOf(call);
    const earlier = reserved.get(call.accountId) ?? 0;
    const found = { ...row, dated: row.now, claim: claims.get(id) ?? (row.id === null ? null : row), trialTaken: row.trialTaken + earlier };
    const outcome = judge(found, call);
    const claim = claimOf(call, outcome, row.now);
    if (claim !== null) claims.set(id, claim);
    if (outcome.outcome === 'claimed') reserved.set(call.accountId, earlier + 1);
    return { call, row, outcome, claim };
  });
}

/** A claim's identity within a batch; null without an idempotency key. */
function idOf({ accountId: account_id, keyed }: ClaimCall): string | null {
  return keyed === null ? null : nameOf({ account_id, key: keyed.key });
}

function nameOf({ account_id, key }: ClaimName): string {
  return `${account_id} ${key}`;
}

function trialsOf(calls: readonly ClaimCall[]): string[] {
  return [...new Set(calls.filter((call) => call.trialLimit !== null).map((call) => call.accountId))];
}

function findColumns(calls: readonly ClaimCall[]) {
  return {
    account: calls.map((call) => call.accountId),
    instance: calls.map((call) => call.instanceId),
    key: calls.map((call) => call.keyed?.key ?? null),
    node: calls.map(nodeOf),
    epoch: calls.map((call) => call.lease?.epoch ?? null),
    trial: trialsOf(calls),
  };
}
type FindColumn = keyof ReturnType<typeof findColumns>;

/** The claims to be written, in one order everywhere, so that two batches with the same keys never wait for each other. */
function claimColumns(judged: readonly Judged[]) {
  const claiming = judged.filter(({ claim }) => claim !== null).map((each) => [idOf(each.call) ?? '', each] as const);
  const ordered = sorted(new Map(claiming));
  const { trial: _, ...calls } = findColumns(ordered.map(({ call }) => call));
  return {
    ...calls,
    ...columnsOf(
      ['fingerprint', 'messageId', 'owner'] as const,
      ordered.map(({ claim }) => claim ?? {}),
    ),
    ...columnsOf(
      ['id', 'state'] as const,
      ordered.map(({ row }) => row),
    ),
  };
}
type SaveColumn = keyof ReturnType<typeof claimColumns> | 'reservation' | 'reserving' | 'reserver';
