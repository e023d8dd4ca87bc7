import type { Kysely } from 'kysely';
import { newId } from '../../core/index.ts';
import type { Admission, AdmitCall, HotPath, KeepCall, ReleaseCall, SettleCall } from '../hot-path.ts';
import { type AdmissionRow, hasExpired, sandboxMessageColumns, segmentColumns, useToNote } from '../hot-statements.ts';
import { RequestLog } from '../request-log.ts';
import type { Database, NewSandboxMessage, RequestSegment } from '../schema.ts';
import { arrayStatements } from './array-statements.ts';
import { createClaims } from './claims.ts';
import { Collector } from './collector.ts';
import { createPool } from './connections.ts';
import { isOneCallsFault } from './faults.ts';
import { prepare } from './runner.ts';

// Calls without an effect that must survive share connections that never wait for the disk.
const lightConnections = 3;
const durableConnections = 5;
const maxBatch = 500;
// While the database is away the log must not grow without bound; its loss then is that of the requests, which failed.
const maxLogWaiting = 20_000;

// Every statement of the hot path goes by an index; statistics of a table that just grew must not make the planner think otherwise.
const settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** The hot path on PostgreSQL: array statements on connections of their own, shared by the calls of a tick. */
export function createHotPath(url: string, db: Kysely<Database>): { hot: HotPath; close(): Promise<void> } {
  const statements = arrayStatements(db);
  const light = createPool(url, lightConnections, { settings: { ...settings, synchronous_commit: 'off' }, idleTimeoutMs: 0 });
  const durable = createPool(url, durableConnections, { settings, idleTimeoutMs: 0 });
  const admitKeys = prepare(light, 'admit', statements.admit);
  const touchKeys = prepare(light, 'touch', statements.touch);
  const deliverAll = prepare(light, 'deliver', statements.deliver);
  const logAll = prepare(light, 'log', statements.log);
  const count = prepare(durable, 'count', statements.count);
  const settleAll = prepare(durable, 'settle', statements.settle);
  const settleTrials = prepare(durable, 'settle_trials', statements.settleTrials);
  const keepAll = prepare(durable, 'keep', statements.keep);
  const releaseAll = prepare(durable, 'release', statements.release);

  // They wait for the disk: the database may crash while this process goes on, whose next write, tried again, would survive the claim.
  const claims = createClaims(durable, statements, newId());

  const admit = new Collector<AdmitCall, Admission | null>({
    concurrency: 2,
    maxBatch,
    isOneCallsFault,
    async run(calls) {
      // The callers of a batch share one lookup per key: it is checked on every use, and all of these uses are now.
      const latest = new Map<string, AdmitCall>();
      for (const call of calls) if (call.now >= (latest.get(call.keyHash)?.now ?? 0)) latest.set(call.keyHash, call);
      const rows = await admitKeys.run<AdmissionRow & { hash: string }>({ hash: [...latest.keys()] });
      const admitted = new Map(rows.map((row) => [row.hash, row]));
      const due = new Map<string, number>();
      for (const row of rows) {
        const call = latest.get(row.hash);
        const used = call === undefined || hasExpired(row, call) ? null : useToNote(row, call);
        if (used !== null) due.set(row.keyId, used);
      }
      if (due.size > 0) await touchKeys.run({ id: [...due.keys()], used: [...due.values()] });
      return calls.map((call) => {
        const row = admitted.get(call.keyHash);
        return row === undefined || hasExpired(row, call) ? null : row;
      });
    },
  });

  const settle = new Collector<SettleCall, void>({
    concurrency: 2,
    maxBatch,
    isOneCallsFault,
    async run(calls) {
      const usage = usageColumns(calls);
      const accepted = new Map<string, { claimer: string; key: string; providerStatus: string | null }>();
      const used = new Map<string, number>();
      for (const { accountId, keyed, reservation } of calls) {
        if (keyed !== null) accepted.set(`${accountId} ${keyed.key}`, { claimer: accountId, ...keyed });
        if (reservation !== null) used.set(accountId, (used.get(accountId) ?? 0) + 1);
      }
      const claimed = columnsOf(['claimer', 'key', 'providerStatus'] as const, sorted(accepted));
      if (used.size > 0) {
        const triers = sorted(used, (n, account) => ({ account, n }));
        await settleTrials.run({
          ...usage,
          ...claimed,
          reservation: calls.flatMap((call) => call.reservation ?? []),
          trier: triers.map((trier) => trier.account),
          used: triers.map((trier) => trier.n),
        });
      } else if (accepted.size > 0) await settleAll.run({ ...usage, ...claimed });
      else await count.run(usage);
      return calls.map(() => undefined);
    },
  });

  const release = new Collector<ReleaseCall, void>({
    concurrency: 2,
    maxBatch,
    isOneCallsFault,
    async run(calls) {
      const ends = new Map<string, { account: string; key: string; forget: boolean }>();
      for (const { accountId: account, key, handedOver } of calls) {
        if (key === null) continue;
        const id = `${account} ${key}`;
        // Whichever comes first, a claim that is left and forgotten is gone.
        ends.set(id, { account, key, forget: !handedOver || ends.get(id)?.forget === true });
      }
      const forgotten = sorted(ends).filter((end) => end.forget);
      const left = sorted(ends).filter((end) => !end.forget);
      await releaseAll.run({
        forgetAccount: forgotten.map((end) => end.account),
        forgetKey: forgotten.map((end) => end.key),
        leaveAccount: left.map((end) => end.account),
        leaveKey: left.map((end) => end.key),
        reservation: calls.flatMap((call) => call.reservation ?? []),
      });
      return calls.map(() => undefined);
    },
  });

  const keep = new Collector<KeepCall, void>({
    // One batch at a time keeps the writes of an instance in their order.
    concurrency: 1,
    maxBatch,
    isOneCallsFault,
    async run(calls) {
      const last = new Map<string, { instance: string; name: string; sealed: Buffer | null }>();
      for (const { instanceId: instance, records } of calls) {
        for (const [name, sealed] of records) last.set(`${instance} ${name}`, { instance, name, sealed });
      }
      const kept = sorted(last).filter(({ sealed }) => sealed !== null);
      const gone = sorted(last).filter(({ sealed }) => sealed === null);
      await keepAll.run({
        ...columnsOf(['instance', 'name', 'sealed'] as const, kept),
        goneInstance: gone.map(({ instance }) => instance),
        goneName: gone.map(({ name }) => name),
        linked: [...new Set(calls.map(({ instanceId }) => instanceId))].sort(),
      });
      return calls.map(() => undefined);
    },
  });

  const deliver = new Collector<NewSandboxMessage, boolean>({
    // One batch at a time keeps messages in the order in which they were sent.
    concurrency: 1,
    maxBatch,
    isOneCallsFault,
    async run(messages) {
      const rows = await deliverAll.run<{ account_id: string; to_number: string; message_id: string }>(
        columnsOf(sandboxMessageColumns, messages),
      );
      const fresh = new Set(rows.map((row) => `${row.account_id} ${row.to_number} ${row.message_id}`));
      // The first of several with one id is the one that was kept.
      return messages.map((message) => fresh.delete(`${message.account_id} ${message.to_number} ${message.message_id}`));
    },
  });

  const segments = new Collector<RequestSegment, void>({
    concurrency: 1,
    maxBatch,
    isOneCallsFault,
    async run(batch) {
      await logAll.run(columnsOf(segmentColumns, batch));
      return batch.map(() => undefined);
    },
  });
  const log = new RequestLog((written) => {
    // A record that cannot be written is lost; the requests themselves have failed for the same reason.
    for (const segment of written) if (segments.waiting < maxLogWaiting) segments.call(segment).catch(() => undefined);
  });

  return {
    hot: {
      admit: (call) => admit.call(call),
      claim: claims.claim,
      settle: (call) => settle.call(call),
      release: (call) => release.call(call),
      keep: (call) => keep.call(call),
      deliver: (message) => deliver.call(message),
      log: (request) => log.add(request),
    },
    async close() {
      log.flush();
      await Promise.all([admit, claims, settle, release, keep, deliver, segments].map((part) => part.drain()));
      await Promise.all([light.end(), durable.end()]);
    },
  };
}

/** Sends counted by account, day and type. */
function usageColumns(calls: readonly SettleCall[]) {
  const counts = new Map<string, { account: string; day: string; type: string; count: number }>();
  for (const { accountId: account, day, type } of calls) {
    const id = `${account} ${day} ${type}`;
    const sum = counts.get(id);
    if (sum === undefined) counts.set(id, { account, day, type, count: 1 });
    else sum.count++;
  }
  return columnsOf(['account', 'day', 'type', 'count'] as const, sorted(counts));
}

/** One array per column, in the order of the rows; what a row does not say is null. */
function columnsOf<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, unknown>>[]) {
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column] ?? null)])) as Record<Column, unknown[]>;
}

/** The map's values in the order of their keys: batches that lock rows in one order never wait for each other. */
function sorted<Value>(map: ReadonlyMap<string, Value>): Value[];
function sorted<Value, Row>(map: ReadonlyMap<string, Value>, row: (value: Value, id: string) => Row): Row[];
function sorted<Value>(map: ReadonlyMap<string, Value>, row: (value: Value, id: string) => unknown = (value) => value): unknown[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, value]) => row(value, id));
}
