import type { Kysely } from 'kysely';
import { OwnershipLost, type StoreUnavailable } from '../../core/index.ts';
import { type AdmissionRow, admitted } from '../admission.ts';
import type { Admission, AdmitCall, ForgetSentCall, KeepCall, NumberSeen, ReleaseCall, SettleCall } from '../hot-path.ts';
import { countsOf, RequestLog, requestColumns, requestRow } from '../request-log.ts';
import { type Database, type NewSandboxMessage, type RequestRecord, sandboxMessageColumns } from '../schema.ts';
import { sumsOf } from '../send-ends.ts';
import { columnsOf, sorted } from '../statements.ts';
import type { Store } from '../store.ts';
import type { Writability } from '../writability.ts';
import { acceptedColumns, arrayStatements, numberDayColumns } from './array-statements.ts';
import { createClaims } from './claims.ts';
import { Collector, type RunBatch } from './collector.ts';
import { createPool, statementTimeoutMs } from './connections.ts';
import { prepare } from './runner.ts';

// Calls without an effect that must survive share connections that never wait for the disk.
const lightConnections = 3;
// Work that must survive, each kind on connections of its own: claims that wait for a lock must not keep sends from ending, nor either of
// them the session keys of a linked number from being kept.
const claimConnections = 4;
const endConnections = 4;
const keyConnections = 1;
const maxBatch = 500;
// While the database is down the log must not grow without bound; the records lost then are those of failed requests.
const maxLogWaiting = 20_000;

// Every statement of the hot path uses an index; statistics of a table that just grew must not make the planner choose otherwise. A bitmap scan
// marks no index entries as dead: it would read those of all earlier reservations of a trial again, until the next vacuum.
const settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

type HotPathParts = Pick<Store, 'hot' | 'deliverToSandbox' | 'close'>;

/** The hot path on PostgreSQL: array statements on connections of their own, shared by the calls of a tick. */
export function createHotPath(
  url: string,
  db: Kysely<Database>,
  writability: Writability,
  onBatch?: (calls: number) => void,
): HotPathParts {
  const collect = <Input, Output>(run: RunBatch<Input, Output>, concurrency = 2) => new Collector(run, { concurrency, maxBatch, onBatch });
  /** For calls whose caller only needs to know that they are done. */
  const collectWork = <Input>(run: (calls: readonly Input[]) => Promise<unknown>, concurrency?: number) =>
    collect<Input, void>(async (calls) => {
      await run(calls);
      return calls.map(() => undefined);
    }, concurrency);
  const statements = arrayStatements(db);
  const failed = (error: StoreUnavailable, alone: boolean) => writability.failed(error, alone);
  const light = createPool(url, lightConnections, { settings: { ...settings, synchronous_commit: 'off' }, idleTimeoutMs: 0, failed });
  const durable = (size: number) => createPool(url, size, { settings, idleTimeoutMs: 0, failed });
  const beginnings = durable(claimConnections);
  const ends = durable(endConnections);
  const keys = durable(keyConnections);
  const admitKeys = prepare(light, 'admit', statements.admit);
  const touchKeys = prepare(light, 'touch', statements.touch);
  // On the disk before it counts as acknowledged: the claim of a send outlives a crash of the database, so its message must too.
  const deliverAll = prepare(ends, 'deliver', statements.deliver);
  const logAll = prepare(light, 'log', statements.log);
  const settleAll = prepare(ends, 'settle', statements.settle);
  const settleAny = prepare(ends, 'settle_any', statements.settleAny);
  const releaseAll = prepare(ends, 'release', statements.release);
  const seeNumbers = prepare(ends, 'see_numbers', statements.seeNumbers);
  const keepAll = prepare(keys, 'keep', statements.keep);
  const forgetAllSent = prepare(light, 'forget_sent', statements.forgetSent);

  // They wait for the disk: the database may crash while this process goes on, whose next write, tried again, would survive the claim.
  const claims = createClaims(beginnings, statements, onBatch);

  const admit = collect<AdmitCall, Admission | null>(async (calls) => {
    const rows = await admitKeys.run<AdmissionRow & { hash: string }>({ hash: [...new Set(calls.map(({ keyHash }) => keyHash))] });
    const { answers, uses } = admitted(calls, new Map(rows.map((row) => [row.hash, row])));
    // No call waits for it or fails with it; the store logs its failures itself.
    if (uses.size > 0) touchKeys.run({ id: [...uses.keys()], used: [...uses.values()] }).catch(() => undefined);
    return answers;
  });

  const settle = collectWork<SettleCall>((calls) => {
    const unkeyed = calls.filter(({ keyed }) => keyed === null);
    const accepted = new Map<string, Record<(typeof acceptedColumns)[number], unknown>>();
    for (const { accountId: claimer, day: keyedDay, type: keyedType, keyed, reservation } of calls) {
      if (keyed === null) continue;
      accepted.set(`${claimer} ${keyed.key}`, { claimer, ...keyed, keyedDay, keyedType, keyedTrial: reservation === null ? 0 : 1 });
    }
    const usage = columnsOf(['account', 'day', 'type', 'count', 'trial'] as const, sumsOf(unkeyed));
    const requests = unkeyed.length === 0 ? null : JSON.stringify(unkeyed.map(({ requestId }) => requestId));
    const reservation = calls.flatMap((call) => call.reservation ?? []);
    return accepted.size === 0 && reservation.length === 0
      ? settleAll.run({ ...usage, requests })
      : settleAny.run({ ...usage, requests, ...columnsOf(acceptedColumns, sorted(accepted)), reservation });
  });

  const release = collectWork<ReleaseCall>(async (calls) => {
    const ends = new Map<string, { account: string; key: string; owner: string; forget: boolean }>();
    for (const { requestId: owner, accountId: account, key, handedOver } of calls) {
      if (key === null) continue;
      const id = `${account} ${key} ${owner}`;
      // In either order, an expired claim is removed.
      ends.set(id, { account, key, owner, forget: !handedOver || ends.get(id)?.forget === true });
    }
    const forgotten = sorted(ends).filter((end) => end.forget);
    const left = sorted(ends).filter((end) => !end.forget);
    await releaseAll.run({
      forgetAccount: forgotten.map((end) => end.account),
      forgetKey: forgotten.map((end) => end.key),
      forgetOwner: forgotten.map((end) => end.owner),
      leaveAccount: left.map((end) => end.account),
      leaveKey: left.map((end) => end.key),
      leaveOwner: left.map((end) => end.owner),
      reservation: calls.flatMap((call) => call.reservation ?? []),
    });
  });

  // One batch at a time keeps the writes of an instance in their order.
  const keep = collect<KeepCall, void>(async (calls) => {
    const calling = new Map(calls.map((call) => [idOf(call), call]));
    const last = new Map<string, { instance: string; name: string; sealed: Buffer | null; epoch: number | null }>();
    const sent = new Map<string, { instance: string; message: string; sealed: Buffer; epoch: number | null }>();
    for (const call of calls) {
      const of = { instance: call.instanceId, epoch: call.lease?.epoch ?? null };
      for (const [name, sealed] of call.records) last.set(`${idOf(call)} ${name}`, { ...of, name, sealed });
      for (const { messageId: message, sealed } of call.sent ?? []) sent.set(`${idOf(call)} ${message}`, { ...of, message, sealed });
    }
    const messages = sorted(sent);
    const kept = sorted(last).filter(({ sealed }) => sealed !== null);
    const gone = sorted(last).filter(({ sealed }) => sealed === null);
    const owners = sorted(calling);
    const refused = await keepAll.run<{ instance: string; epoch: number }>({
      calling: owners.map(({ instanceId }) => instanceId),
      node: owners.map(({ lease }) => lease?.nodeId ?? null),
      epoch: owners.map(({ lease }) => lease?.epoch ?? null),
      ...columnsOf(['instance', 'name', 'sealed'] as const, kept),
      keptEpoch: kept.map(({ epoch }) => epoch),
      goneInstance: gone.map(({ instance }) => instance),
      goneName: gone.map(({ name }) => name),
      goneEpoch: gone.map(({ epoch }) => epoch),
      sentInstance: messages.map(({ instance }) => instance),
      sentMessage: messages.map(({ message }) => message),
      sentSealed: messages.map(({ sealed }) => sealed),
      sentEpoch: messages.map(({ epoch }) => epoch),
    });
    const lost = new Set(refused.map(({ instance, epoch }) => `${instance} ${epoch}`));
    return calls.map((call) => (lost.has(idOf(call)) ? Promise.reject(new OwnershipLost()) : undefined));
  }, 1);

  const forgetSent = collectWork<ForgetSentCall>((calls) => {
    const gone = calls.flatMap(({ instanceId, messageIds }) => messageIds.map((message) => ({ instance: instanceId, message })));
    return forgetAllSent.run(columnsOf(['instance', 'message'] as const, gone));
  }, 1);

  const seen = collectWork<NumberSeen>((calls) => {
    const distinct = new Map<string, object>();
    for (const { accountId: account_id, day, phoneNumber: phone_number } of calls)
      distinct.set(`${account_id} ${day} ${phone_number}`, { account_id, day, phone_number });
    return seeNumbers.run(columnsOf(numberDayColumns, sorted(distinct)));
  }, 1);

  // One batch at a time keeps messages in the order in which they were sent.
  const deliver = collect<NewSandboxMessage, boolean>(async (messages) => {
    const rows = await deliverAll.run<{ account_id: string; to_number: string; message_id: string }>(
      columnsOf(sandboxMessageColumns, messages),
    );
    const fresh = new Set(rows.map((row) => `${row.account_id} ${row.to_number} ${row.message_id}`));
    // The first of several with one id is the one that was kept.
    return messages.map((message) => fresh.delete(`${message.account_id} ${message.to_number} ${message.message_id}`));
  }, 1);

  const requests = collectWork<RequestRecord>((batch) => {
    const counts = countsOf(batch);
    return logAll.run({
      ...columnsOf(requestColumns, batch.map(requestRow)),
      outcomes: JSON.stringify(sorted(counts.outcomes)),
      numbers: JSON.stringify(sorted(counts.numbers)),
    });
  }, 1);
  const log = new RequestLog({
    write: (request) =>
      requests.waiting < maxLogWaiting ? requests.call(request) : Promise.reject(new Error('too much of the request log waits')),
    lost: (records) => writability.lostRecords(records),
  });

  return {
    hot: {
      ready: () => (writability.trouble === null ? null : Promise.reject(writability.trouble)),
      admit: (call) => admit.call(call),
      claim: claims.claim,
      settle: (call) => settle.call(call),
      release: (call) => release.call(call),
      keep: (call) => keep.call(call),
      forgetSent: (call) => forgetSent.call(call),
      seeNumber: (call) => seen.call(call),
      // The server may go on with a statement whose connection broke, until it gives it up.
      settleDoubtMs: statementTimeoutMs + 5000,
      log: (request) => log.add(request),
      onLogged: (listener) => log.onLogged(listener),
      logged: () => log.logged(),
    },
    deliverToSandbox: (message) => deliver.call(message),
    async close() {
      log.flush();
      await Promise.all([admit, claims, settle, release, keep, forgetSent, seen, deliver, requests].map((part) => part.drain()));
      await Promise.all([light, beginnings, ends, keys].map((pool) => pool.end()));
    },
  };
}

/** A number under one lease: a process may have lost it and taken it again. */
function idOf({ instanceId, lease }: KeepCall): string {
  return `${instanceId} ${lease?.epoch ?? ''}`;
}
