import type Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Admission, AdmitCall, ClaimCall, ClaimOutcome, HotPath, KeepCall, NumberSeen, ReleaseCall, SettleCall } from '../hot-path.ts';
import { type AdmissionRow, hasExpired, rowStatements, useToNote } from '../hot-statements.ts';
import { RequestLog } from '../request-log.ts';
import type { Database, NewSandboxMessage, RequestSegment } from '../schema.ts';
import { createClaims } from './claims.ts';
import { createPrepare } from './prepared.ts';
import { createSettle } from './settlements.ts';
import { Tick } from './tick.ts';

/** So many admissions are remembered at most. */
const mostAdmissions = 10_000;

/** The hot path on the embedded database: prepared statements on a connection of its own, one transaction per tick. */
export function createHotPath(database: Sqlite.Database, db: Kysely<Database>, options: { durable: boolean }) {
  const statements = rowStatements(db);
  const prepare = createPrepare(database);
  // Differs from the last one when another connection, of this process or another, has changed the database (SQLite, PRAGMA data_version).
  const dataVersion = database.prepare('pragma data_version').pluck();
  const admitKey = prepare(statements.admit);
  const touchKey = prepare(statements.touchKey);
  const unreserve = prepare(statements.unreserve);
  const deliver = prepare(statements.deliver);
  const keepRecord = prepare(statements.keepRecord);
  const dropRecord = prepare(statements.dropRecord);
  const markLinked = prepare(statements.markLinked);
  const seeNumber = prepare(statements.seeNumber);
  const writeSegment = prepare(statements.log);
  const claims = createClaims(database, statements);
  const settle = createSettle(database, statements);

  const admissions = new Map<string, AdmissionRow>();
  let admissionsOf: unknown;

  /** Forgets the admissions that were read before somebody else changed the database; this connection changes nothing they hold but the last use. */
  function freshenAdmissions(): void {
    const version = dataVersion.get();
    if (version === admissionsOf && admissions.size < mostAdmissions) return;
    admissions.clear();
    admissionsOf = version;
  }

  function admitOne(call: AdmitCall): Admission | null {
    let row = admissions.get(call.keyHash);
    if (row === undefined) {
      row = admitKey.get<AdmissionRow>({ hash: call.keyHash });
      // Unknown keys are not remembered: anybody can make up any number of them.
      if (row === undefined) return null;
      admissions.set(call.keyHash, row);
    }
    if (hasExpired(row, call)) return null;
    const used = useToNote(row, call);
    if (used !== null) {
      touchKey.run({ id: row.keyId, at: used });
      row.lastUsedAt = used;
    }
    return row;
  }

  const tick = new Tick(database, options.durable);
  const writeLog = tick.add<RequestSegment, void>({
    durable: false,
    patient: true,
    run(segments) {
      for (const segment of segments) writeSegment.run({ ...segment, account_id: segment.account_id ?? null });
      return nothingFor(segments);
    },
  });
  const log = new RequestLog((segments) => {
    // A record that cannot be written (a full disk) is lost; the requests themselves have failed for the same reason.
    for (const segment of segments) writeLog(segment).catch(() => undefined);
  });

  const hot: HotPath = {
    admit: tick.add<AdmitCall, Admission | null>({
      durable: false,
      patient: false,
      standalone: true,
      run(calls) {
        freshenAdmissions();
        return calls.map(admitOne);
      },
    }),
    release: tick.add<ReleaseCall, void>({
      durable: false,
      patient: true,
      run(calls) {
        claims.release(calls);
        for (const { reservation } of calls) if (reservation !== null) unreserve.run({ id: reservation });
        return nothingFor(calls);
      },
    }),
    // Not waited for: what a network writes before the message leaves goes to the same log, and no power cut takes a claim and spares that.
    claim: tick.add<ClaimCall, ClaimOutcome>({
      durable: false,
      patient: true,
      run: claims.claim,
    }),
    deliver: tick.add<NewSandboxMessage, boolean>({
      durable: false,
      patient: true,
      run: (messages) =>
        messages.map((message) => deliver.run({ ...message, quoted: message.quoted ?? null, file: message.file ?? null }).changes === 1),
    }),
    keep: tick.add<KeepCall, void>({
      durable: true,
      patient: true,
      run(calls) {
        for (const { instanceId: instance, records } of calls) {
          for (const [name, sealed] of records) {
            if (sealed === null) dropRecord.run({ instance, name });
            else keepRecord.run({ instance, name, sealed });
          }
          markLinked.run({ instance });
        }
        return nothingFor(calls);
      },
    }),
    seeNumber: tick.add<NumberSeen, void>({
      durable: true,
      patient: true,
      run(calls) {
        for (const { accountId: account, day, phoneNumber: number } of calls) seeNumber.run({ account, day, number });
        return nothingFor(calls);
      },
    }),
    settle: tick.add<SettleCall, void>({
      durable: true,
      patient: true,
      run(calls) {
        settle(calls);
        return nothingFor(calls);
      },
    }),
    settleDoubtMs: 0,
    log: (request) => log.add(request),
  };

  return {
    hot,
    tick,
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
