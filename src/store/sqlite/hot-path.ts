import type Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { ClaimCall, ClaimOutcome, ForgetSentCall, HotPath, KeepCall, NumberSeen, ReleaseCall, SettleCall } from '../hot-path.ts';
import { rowStatements } from '../hot-statements.ts';
import { RequestLog } from '../request-log.ts';
import { requestRow } from '../request-rows.ts';
import type { Database, NewSandboxMessage, RequestRecord } from '../schema.ts';
import { outcomesOf } from '../send-outcomes.ts';
import type { OpenOptions } from '../store.ts';
import { monthOf } from '../usage.ts';
import type { Writability } from '../writability.ts';
import { createAdmissions } from './admissions.ts';
import { patienceMs } from './busy.ts';
import { createClaims } from './claims.ts';
import { createPrepare } from './prepared.ts';
import { createSettle } from './settlements.ts';
import { Tick } from './tick.ts';

/** For what has already happened and only needs recording: better late than never. */
const longPatienceMs = 20_000;

interface HotPathOptions {
  readonly durable: boolean;
  readonly writability: Writability;
  /** Makes the error that callers get. */
  readonly explain: (error: unknown) => unknown;
  readonly onBatch?: OpenOptions['onBatch'];
}

/** The hot path on the embedded database: prepared statements on a connection of its own, one transaction per tick. */
export function createHotPath(database: Sqlite.Database, db: Kysely<Database>, options: HotPathOptions) {
  const { durable, writability, explain, onBatch } = options;
  const statements = rowStatements(db);
  const prepare = createPrepare(database);
  const touchKey = prepare(statements.touchKey);
  const unreserve = prepare(statements.unreserve);
  const deliver = prepare(statements.deliver);
  const keepRecord = prepare(statements.keepRecord);
  const dropRecord = prepare(statements.dropRecord);
  const keepSent = prepare(statements.keepSent);
  const dropSent = prepare(statements.dropSent);
  const markLinked = prepare(statements.markLinked);
  const seeNumber = prepare(statements.seeNumber);
  const countNumberDay = prepare(statements.countNumberDay);
  const writeRequest = prepare(statements.log);
  const countOutcome = prepare(statements.countOutcome);
  const claims = createClaims(database, statements);
  const settle = createSettle(database, statements);

  const tick = new Tick(database, { durable, explain, onBatch });
  const writeLog = tick.add<RequestRecord, void>({
    durable: false,
    patienceMs: longPatienceMs,
    run(requests) {
      for (const request of requests) writeRequest.run(requestRow(request));
      for (const outcome of outcomesOf(requests).values()) countOutcome.run(outcome);
      return nothingFor(requests);
    },
  });
  const log = new RequestLog({ write: writeLog, lost: (records) => writability.lostRecords(records) });

  const hot: HotPath = {
    ready: () => (writability.trouble === null ? tick.turn() : Promise.reject(writability.trouble)),
    admit: createAdmissions({
      admitKey: prepare(statements.admit),
      touch: tick.add<{ id: string; at: number }, void>({
        durable: false,
        patienceMs,
        run(uses) {
          for (const use of uses) touchKey.run(use);
          return nothingFor(uses);
        },
      }),
      explain,
    }),
    release: tick.add<ReleaseCall, void>({
      durable: false,
      patienceMs,
      run(calls) {
        claims.release(calls);
        for (const { reservation } of calls) if (reservation !== null) unreserve.run({ id: reservation });
        return nothingFor(calls);
      },
    }),
    // Not durable by itself: what a network writes before the message leaves goes to the same log, so no power cut can lose a claim and keep that.
    claim: tick.add<ClaimCall, ClaimOutcome>({
      durable: false,
      patienceMs,
      run: claims.claim,
    }),
    keep: tick.add<KeepCall, void>({
      durable: true,
      patienceMs: longPatienceMs,
      run(calls) {
        for (const { instanceId: instance, records, sent = [] } of calls) {
          for (const [name, sealed] of records) {
            if (sealed === null) dropRecord.run({ instance, name });
            else keepRecord.run({ instance, name, sealed });
          }
          for (const { messageId: message, sealed, at } of sent) keepSent.run({ instance, message, sealed, at });
          markLinked.run({ instance });
        }
        return nothingFor(calls);
      },
    }),
    // Not waited for: what a power cut brings back is deleted when its time is over.
    forgetSent: tick.add<ForgetSentCall, void>({
      durable: false,
      patienceMs: longPatienceMs,
      run(calls) {
        for (const { instanceId: instance, messageIds } of calls) for (const message of messageIds) dropSent.run({ instance, message });
        return nothingFor(calls);
      },
    }),
    seeNumber: tick.add<NumberSeen, void>({
      durable: true,
      patienceMs: longPatienceMs,
      run(calls) {
        for (const { accountId: account, day, phoneNumber: number } of calls) {
          if (seeNumber.run({ account, day, number }).changes === 1) countNumberDay.run({ account, month: monthOf(day) });
        }
        return nothingFor(calls);
      },
    }),
    settle: tick.add<SettleCall, void>({
      durable: true,
      patienceMs: longPatienceMs,
      run(calls) {
        settle(calls);
        return nothingFor(calls);
      },
    }),
    settleDoubtMs: 0,
    log: (request) => log.add(request),
    onLogged: (listener) => log.onLogged(listener),
    logged: () => log.logged(),
  };

  return {
    hot,
    deliverToSandbox: tick.add<NewSandboxMessage, boolean>({
      durable: false,
      patienceMs,
      run: (messages) =>
        messages.map((message) => deliver.run({ ...message, quoted: message.quoted ?? null, file: message.file ?? null }).changes === 1),
    }),
    /** Writes what is pending; resolves when it is answered. */
    close() {
      log.flush();
      return tick.close();
    },
  };
}

/** The answers of an operation whose calls only want to know that it is done. */
function nothingFor(calls: readonly unknown[]): undefined[] {
  return calls.map(() => undefined);
}
