import type Sqlite from 'better-sqlite3';
import type { ClaimCall, ClaimOutcome, KeyedSend, ReleaseCall } from '../hot-path.ts';
import { claimMs, idempotencyWindowMs, type RowStatements } from '../hot-statements.ts';
import { createPrepare } from './prepared.ts';

interface Found {
  fingerprint: string;
  state: 'in_flight' | 'unknown' | 'accepted';
  providerStatus: string | null;
  messageId: string;
  owner: string;
  createdAt: number;
  deadline: number;
}

/** The owners of the instances in a tick's claims. */
type Owners = Map<string, string | null>;

/** Writes and releases the claims of a tick; must be called in its transaction. */
export function createClaims(database: Sqlite.Database, statements: RowStatements) {
  const prepare = createPrepare(database);
  const insert = prepare(statements.insertClaim);
  const find = prepare(statements.findClaim);
  const findOwner = prepare(statements.findOwner);
  const trialTaken = prepare(statements.trialTaken);
  const reserve = prepare(statements.reserve);
  const retake = prepare(statements.retakeClaim);
  const forget = prepare(statements.forgetClaim);
  const leave = prepare(statements.leaveClaim);

  /** Writes the claim of a key without a record; false, with nothing written, when it has one. */
  function writeNew(
    { accountId: account, requestId: owner, dated: at }: ClaimCall,
    { key, fingerprint, messageId: message }: KeyedSend,
  ): boolean {
    return insert.run({ account, key, fingerprint, message, owner, at, deadline: at + claimMs }).changes === 1;
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
    // Most keys are new, and then writing the claim tells that as well as looking first.
    if (keyed !== null && call.linked && call.trialLimit === null && hasInstance(call, owners) && writeNew(call, keyed)) {
      return { outcome: 'claimed', retaken: false, messageId: keyed.messageId };
    }
    let retaken: string | null = null;
    /** The owner of a record that no longer counts. */
    let expired: string | null = null;
    if (keyed !== null) {
      const found = find.get<Found>({ account, key: keyed.key });
      const isBeingSent = found?.state === 'in_flight' && found.deadline > call.now;
      if (found !== undefined && found.createdAt <= call.now - idempotencyWindowMs && !isBeingSent) {
        expired = found.owner;
      } else if (found !== undefined) {
        if (found.fingerprint !== keyed.fingerprint) return { outcome: 'reused' };
        if (found.state === 'accepted') return { outcome: 'replay', messageId: found.messageId, providerStatus: found.providerStatus };
        if (isBeingSent) return { outcome: 'in_flight', owner: found.owner, here: true };
        retaken = found.messageId;
      }
    }
    if (!hasInstance(call, owners)) return { outcome: 'instance_not_found' };
    if (!call.linked) return { outcome: 'not_connected' };
    if (call.trialLimit !== null) {
      const taken = trialTaken.get<{ used: number; reserved: number }>({ account, now: call.now });
      if (taken === undefined || taken.used + taken.reserved >= call.trialLimit) return { outcome: 'trial_exhausted' };
      reserve.run({ id: call.requestId, account, deadline: call.dated + claimMs });
    }
    if (keyed !== null) {
      if (retaken !== null) retake.run({ account, key: keyed.key, owner: call.requestId, at: call.dated, deadline: call.dated + claimMs });
      else {
        if (expired !== null) forget.run({ account, key: keyed.key, owner: expired });
        // A record that stood there was checked above.
        if (!writeNew(call, keyed)) throw new Error('a free key could not be claimed');
      }
    }
    return { outcome: 'claimed', retaken: retaken !== null, messageId: retaken ?? keyed?.messageId ?? null };
  }

  return {
    claim(calls: readonly ClaimCall[]): ClaimOutcome[] {
      const owners: Owners = new Map();
      return calls.map((call) => claimOne(call, owners));
    },

    /** Undoes the claims of failed sends with a key. */
    release(calls: readonly ReleaseCall[]): void {
      for (const { requestId: owner, accountId: account, key, handedOver } of calls) {
        if (key !== null) (handedOver ? leave : forget).run({ account, key, owner });
      }
    },
  };
}
