import type Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { ClaimCall, ClaimOutcome, ForgetSentCall, HotPath, KeepCall, NumberSeen, ReleaseCall, SettleCall } from '../hot-path.ts';
import { judge } from '../judge.ts';
import { countsOf, RequestLog, requestRow } from '../request-log.ts';
import type { Database, NewSandboxMessage, RequestRecord } from '../schema.ts';
import type { OpenOptions } from '../store.ts';
import { monthOf } from '../usage.ts';
import type { Writability } from '../writability.ts';
import { createAdmissions } from './admissions.ts';
import { patienceMs } from './busy.ts';
import { prepareAll } from './prepared.ts';
import { rowStatements } from './row-statements.ts';
import { createSends } from './sends.ts';
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
  const prepared = prepareAll(database, statements);
  const sends = createSends(database, statements);

  const tick = new Tick(database, { durable, explain, onBatch });
  /** An operation whose callers only need to know that it is done. */
  const addWork = <Input>(run: (calls: readonly Input[]) => void, waits: { readonly durable: boolean; readonly patienceMs: number }) =>
    tick.add<Input, void>({
      ...waits,
      run(calls) {
        run(calls);
        return calls.map(() => undefined);
      },
    });
  const soon = { durable: false, patienceMs };
  const late = { durable: false, patienceMs: longPatienceMs };
  const lateAndDurable = { durable: true, patienceMs: longPatienceMs };

  const writeLog = addWork<RequestRecord>((requests) => {
    for (const request of requests) prepared.log.run(requestRow(request));
    const { outcomes, numbers } = countsOf(requests);
    for (const outcome of outcomes.values()) prepared.countOutcome.run(outcome);
    for (const sends of numbers.values()) prepared.countNumber.run(sends);
  }, late);
  const log = new RequestLog({ write: writeLog, lost: (records) => writability.lostRecords(records) });

  const countSeen = addWork<NumberSeen>((calls) => {
    for (const { accountId: account, day, phoneNumber: number } of calls) {
      if (prepared.seeNumber.run({ account, day, number }).changes === 1) prepared.countNumberDay.run({ account, month: monthOf(day) });
    }
  }, lateAndDurable);
  /** The number-days that are being counted, and may not be on the disk yet. */
  const counting = new Set<string>();

  const hot: HotPath = {
    ready: () => (writability.trouble === null ? tick.turn() : Promise.reject(writability.trouble)),
    admit: createAdmissions({
      admitKey: prepared.admit,
      touch: addWork<{ id: string; at: number }>((uses) => {
        for (const use of uses) prepared.touchKey.run(use);
      }, soon),
      explain,
    }),
    release: addWork<ReleaseCall>((calls) => {
      for (const call of calls) sends.release(call);
    }, soon),
    // Not durable by itself: what a network writes before the message leaves goes to the same log, so no power cut can lose a claim and keep that.
    claim: tick.add<ClaimCall, ClaimOutcome>({
      ...soon,
      run: (calls) =>
        calls.map((call) => {
          const outcome = judge(sends.find(call), call);
          sends.save(call, outcome, call.dated);
          return outcome;
        }),
    }),
    // Before what is kept, because a message may be sent again after it was forgotten. Not waited for: what a power cut brings back is deleted when
    // its time is over.
    forgetSent: addWork<ForgetSentCall>((calls) => {
      for (const { instanceId: instance_id, messageIds } of calls)
        for (const message_id of messageIds) prepared.dropSent.run({ instance_id, message_id });
    }, late),
    keep: addWork<KeepCall>((calls) => {
      for (const { instanceId: instance_id, records, sent = [] } of calls) {
        for (const [name, sealed] of records) {
          if (sealed === null) prepared.dropRecord.run({ instance_id, name });
          else prepared.keepRecord.run({ instance_id, name, sealed });
        }
        for (const { messageId: message_id, sealed, at } of sent) prepared.keepSent.run({ instance_id, message_id, sealed, at });
        prepared.markLinked.run({ instance_id });
      }
    }, lateAndDurable),
    async seeNumber(seen) {
      const { accountId: account, day, phoneNumber: number } = seen;
      const name = `${account} ${day} ${number}`;
      // After a restart a thousand numbers are seen on a day for which they are counted already.
      if (!counting.has(name) && prepared.findNumber.get({ account, day, number }) !== undefined) return;
      counting.add(name);
      await countSeen(seen).finally(() => counting.delete(name));
    },
    settle: addWork<SettleCall>((calls) => sends.settle(calls), lateAndDurable),
    settleDoubtMs: 0,
    log: (request) => log.add(request),
    onLogged: (listener) => log.onLogged(listener),
    logged: () => log.logged(),
  };

  return {
    hot,
    deliverToSandbox: tick.add<NewSandboxMessage, boolean>({
      ...soon,
      run: (messages) =>
        messages.map(
          (message) => prepared.deliver.run({ ...message, quoted: message.quoted ?? null, file: message.file ?? null }).changes === 1,
        ),
    }),
    synced: () => tick.synced(),
    /** Writes what is pending; resolves when it is answered. */
    close() {
      log.flush();
      return tick.close();
    },
  };
}
