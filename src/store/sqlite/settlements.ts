import type Sqlite from 'better-sqlite3';
import type { SettleCall } from '../hot-path.ts';
import type { RowStatements } from '../hot-statements.ts';
import { createPrepare, prepareRows } from './prepared.ts';

/** Settles the sends of a tick, in its transaction. */
export function createSettle(database: Sqlite.Database, statements: RowStatements): (calls: readonly SettleCall[]) => void {
  const prepare = createPrepare(database);
  const unreserve = prepare(statements.unreserve);
  const useTrial = prepare(statements.useTrial);
  const count = prepare(statements.count);
  const noteSettlement = prepare(statements.noteSettlement);
  const accept = prepareRows(database, statements.acceptClaims);

  return (calls) => {
    const unkeyed: string[] = [];
    let at = 0;
    for (const call of calls) {
      if (call.reservation !== null) unreserve.run({ id: call.reservation });
      if (call.keyed !== null) continue;
      unkeyed.push(call.requestId);
      at = Math.max(at, call.at);
    }
    for (const [first, alike] of groupsOf(calls)) {
      const { accountId: account, day, type, keyed } = first;
      // A claim that is accepted already was counted already.
      const counted = keyed === null ? alike.length : accept.run(alike).changes;
      if (counted === 0) continue;
      count.run({ account, day, type, count: counted });
      if (first.reservation !== null) useTrial.run({ account, count: counted });
    }
    if (unkeyed.length > 0) noteSettlement.run({ at, requests: JSON.stringify(unkeyed) });
  };
}

/** A claim to accept, as the statement takes it. */
interface Accepted {
  readonly account: string;
  readonly key: string;
  readonly status: string | null;
}

/** The calls that are counted in one place and accepted by one statement, under the first of them. */
function groupsOf(calls: readonly SettleCall[]): Iterable<readonly [SettleCall, readonly Accepted[]]> {
  const groups = new Map<string, readonly [SettleCall, Accepted[]]>();
  for (const call of calls) {
    const { accountId: account, day, type, keyed, reservation } = call;
    const status = keyed?.providerStatus ?? null;
    // A status of null is no text, so no text is taken for it.
    const name = `${account} ${day} ${type} ${reservation === null} ${keyed === null}${status === null ? '' : ` ${status}`}`;
    const accepted = { account, key: keyed?.key ?? '', status };
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [call, [accepted]]);
    else group[1].push(accepted);
  }
  return groups.values();
}
