import type Sqlite from 'better-sqlite3';
import type { ClaimCall, ClaimOutcome, KeyedSend, ReleaseCall } from '../hot-path.ts';
import { idempotencyWindowMs, type RowStatements } from '../hot-statements.ts';
import { createPrepare, prepareRows } from './prepared.ts';

interface Found {
  fingerprint: string;
  state: 'in_flight' | 'unknown' | 'accepted';
  providerStatus: string | null;
  messageId: string;
  createdAt: number;
}

/** A call whose key most likely has no record, when nothing but that can stand in its way. */
type Plain = ClaimCall & { readonly keyed: KeyedSend };

/** To whom the instances of a tick's claims belong. */
type Owners = Map<string, string | null>;

/** The claims of a tick and their release; to be called in its transaction. */
export function createClaims(database: Sqlite.Database, statements: RowStatements) {
  const prepare = createPrepare(database);
  const find = prepare(statements.findClaim);
  const findOwner = prepare(statements.findOwner);
  const trialTaken = prepare(statements.trialTaken);
  const reserve = prepare(statements.reserve);
  const retake = prepare(statements.retakeClaim);
  const forget = prepare(statements.forgetClaim);
  const leave = prepare(statements.leaveClaim);
  const forgetAfter = prepare(statements.forgetClaimsAfter);
  const insert = prepareRows(database, statements.insertClaims);

  /** Writes the claims of keys without a record; false, with none written, when any has one. */
  function writeNew(calls: readonly Plain[]): boolean {
    const rows = calls.map(({ accountId: account, keyed: { key, fingerprint, messageId: message }, requestId: owner, now: at }) => ({
      account,
      key,
      fingerprint,
      message,
      owner,
      at,
    }));
    const { changes, lastRow } = insert.run(rows);
    if (changes === rows.length) return true;
    // Each row was given the number after the largest one, and nobody else writes during this transaction.
    if (changes > 0) forgetAfter.run({ row: lastRow - changes });
    return false;
  }

  /** Whether the account has the instance; the claims of a tick share one look at each. */
  function hasInstance({ accountId, instanceId: instance }: ClaimCall, owners: Owners): boolean {
    let account = owners.get(instance);
    if (account === undefined) {
      account = findOwner.get<{ account: string }>({ instance })?.account ?? null;
      owners.set(instance, account);
    }
    return account === accountId;
  }

  function claimOne(call: ClaimCall, owners: Owners): ClaimOutcome {
    const { keyed, accountId: account } = call;
    if (isPlain(call) && hasInstance(call, owners) && writeNew([call])) return claimedAnew(call);
    let retaken: string | null = null;
    if (keyed !== null) {
      const found = find.get<Found>({ account, key: keyed.key });
      if (found !== undefined && found.createdAt <= call.now - idempotencyWindowMs && found.state !== 'in_flight') {
        forget.run({ account, key: keyed.key });
      } else if (found !== undefined) {
        if (found.fingerprint !== keyed.fingerprint) return { outcome: 'reused' };
        if (found.state === 'accepted') return { outcome: 'replay', messageId: found.messageId, providerStatus: found.providerStatus };
        if (found.state === 'in_flight') return { outcome: 'in_flight' };
        retaken = found.messageId;
      }
    }
    if (!hasInstance(call, owners)) return { outcome: 'instance_not_found' };
    if (!call.linked) return { outcome: 'not_connected' };
    if (call.trialLimit !== null) {
      const taken = trialTaken.get<{ used: number; reserved: number }>({ account });
      if (taken === undefined || taken.used + taken.reserved >= call.trialLimit) return { outcome: 'trial_exhausted' };
      reserve.run({ id: call.requestId, account });
    }
    if (keyed !== null) {
      if (retaken !== null) retake.run({ account, key: keyed.key, owner: call.requestId });
      // Whatever stood there was looked at above, or is forgotten.
      else if (!writeNew([{ ...call, keyed }])) throw new Error('a free key could not be claimed');
    }
    return { outcome: 'claimed', retaken: retaken !== null, messageId: retaken ?? keyed?.messageId ?? null };
  }

  return {
    claim(calls: readonly ClaimCall[]): ClaimOutcome[] {
      const owners: Owners = new Map();
      // Most keys are new, and then writing their claims tells that as well as looking first.
      if (calls.every(isPlain) && calls.every((call) => hasInstance(call, owners)) && writeNew(calls)) return calls.map(claimedAnew);
      return calls.map((call) => claimOne(call, owners));
    },

    /** Undoes those of sends that failed and have a key. */
    release(calls: readonly ReleaseCall[]): void {
      for (const { accountId: account, key, handedOver } of calls) if (key !== null) (handedOver ? leave : forget).run({ account, key });
    },
  };
}

function isPlain(call: ClaimCall): call is Plain {
  return call.keyed !== null && call.linked && call.trialLimit === null;
}

function claimedAnew({ keyed }: Plain): ClaimOutcome {
  return { outcome: 'claimed', retaken: false, messageId: keyed.messageId };
}
