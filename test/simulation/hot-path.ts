import { Mutex, OwnershipLost } from '../../src/core/index.ts';
import {
  type ClaimCall,
  type ClaimOutcome,
  type HotPath,
  type KeepCall,
  type Lease,
  monthOf,
  type ReleaseCall,
  type SettleCall,
} from '../../src/store/index.ts';
import { claimMs, type Found, judge } from '../../src/store/judge.ts';
import { createSends } from '../../src/store/sqlite/sends.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Carry } from './leases.ts';
import type { Mutation } from './mutations.ts';
import { dayMs } from './plan.ts';

interface Options {
  readonly carry: Carry;
  /** The database's time. */
  readonly now: () => number;
  /** The same for the time of nodes, in which nothing has passed that was skipped. */
  readonly leaseNow: () => number;
  readonly mutation: Mutation | null;
  /** Called with what the store did. */
  readonly wrote: (instanceId: string, lease: Lease | null) => void;
  readonly counted: () => void;
}

/** The hot path of the embedded store for several servers on the simulated database. */
export function simulatedHotPath(
  database: SimulatedDatabase,
  { carry, now: databaseNow, leaseNow, mutation, wrote, counted }: Options,
): HotPath {
  const owns = (instanceId: string, lease: Lease | null) =>
    lease === null ||
    database.one('select 1 from leases where instance_id = ? and node_id = ? and epoch = ?', instanceId, lease.nodeId, lease.epoch) !==
      undefined;
  const isLiving = (node: string) => database.one('select 1 from nodes where id = ? and expires_at > ?', node, leaseNow()) !== undefined;
  const sends = createSends(database, database.statements);
  /** Claims that a mutation does not write in time. */
  const unwritten = new Map<string, ClaimCall>();

  /** What there is for a call, as several servers have it. */
  function find(asked: ClaimCall): Found {
    const call = mutation === 'own_clocks' ? asked : { ...asked, now: databaseNow(), dated: databaseNow() };
    const found = sends.find(call);
    const { claim } = found;
    const nodeLives = claim === null || claim.node === '' || isLiving(claim.node);
    return { ...found, claim: claim && { ...claim, nodeLives }, isOwner: owns(call.instanceId, call.lease) };
  }

  function claim(call: ClaimCall): ClaimOutcome {
    const found = find(call);
    const outcome = mutation === null ? judge(found, call) : judgeWrongly(found, call);
    const isLate = call.keyed !== null && outcome.outcome === 'claimed' && mutation === 'claim_after_hand_over';
    if (isLate) unwritten.set(call.keyed.key, { ...call, trialLimit: null });
    sends.save(isLate ? { ...call, keyed: null } : call, outcome, found.dated);
    if (mutation === 'no_deadline')
      database.change('update claims set deadline = ? where owner = ?', Number.MAX_SAFE_INTEGER, call.requestId);
    return outcome;
  }

  function judgeWrongly(found: Found, call: ClaimCall): ClaimOutcome {
    const { claim, dated } = found;
    if (mutation === 'dead_claims_stay' && claim?.state === 'in_flight')
      return { outcome: 'in_flight', owner: claim.owner, here: claim.node === call.lease?.nodeId };
    const deadline = mutation === 'no_deadline' ? dated + claimMs : claim?.deadline;
    const createdAt = (claim?.createdAt ?? 0) - (mutation === 'keys_expire_early' ? dayMs / 2 : 0);
    const reservedByDead = () =>
      database
        .all<{ node: string }>('select node from trial_reservations where account_id = ? and deadline > ?', call.accountId, found.now)
        .filter(({ node }) => !isLiving(node)).length;
    const trialTaken = found.trialTaken - (mutation === 'units_end_with_lease' ? reservedByDead() : 0);
    const outcome = judge({ ...found, claim: claim && { ...claim, deadline: deadline ?? 0, createdAt }, trialTaken }, call);
    if (mutation !== 'new_id_on_retake' || outcome.outcome !== 'claimed' || call.keyed === null) return outcome;
    return { ...outcome, messageId: call.keyed.messageId };
  }

  function settle(call: SettleCall): void {
    const late = unwritten.get(call.keyed?.key ?? '');
    if (late !== undefined)
      sends.save(late, { outcome: 'claimed', retaken: false, messageId: call.keyed?.messageId ?? null }, databaseNow());
    sends.settle([{ ...call, at: databaseNow() }]);
    counted();
  }

  function release(call: ReleaseCall): void {
    const { accountId, key } = call;
    if (mutation === 'releases_others') {
      const holder = database.one<{ owner: string }>('select owner from claims where account_id = ? and key = ?', accountId, key);
      sends.release({ ...call, requestId: holder?.owner ?? call.requestId, handedOver: false });
    } else sends.release({ ...call, handedOver: call.handedOver && mutation !== 'unknown_forgotten' });
  }

  function keep({ instanceId, lease, records }: KeepCall): void {
    if (mutation !== 'no_epoch_check' && !owns(instanceId, lease)) throw new OwnershipLost();
    for (const [name, sealed] of records) {
      if (sealed === null) database.change('delete from credentials where instance_id = ? and name = ?', instanceId, name);
      else
        database.change(
          `insert into credentials (instance_id, name, sealed) values (?, ?, ?)
            on conflict (instance_id, name) do update set sealed = excluded.sealed`,
          instanceId,
          name,
          sealed,
        );
    }
    database.change('update instances set linked = 1, linked_at = null where id = ? and linked = 0', instanceId);
    wrote(instanceId, lease);
  }

  const atom = <Call, Result>(name: string, run: (call: Call) => Result) => {
    return (call: Call) => carry(name, () => database.together(() => run(call)));
  };
  const settled = atom('settle', settle);
  const kept = atom('keep', keep);
  // One after the other, as the collector of PostgreSQL has it.
  const keeping = new Mutex();
  return {
    ready: () => null,
    admit: async () => null,
    claim: atom('claim', claim),
    async settle(call) {
      const done = settled(call);
      if (mutation !== 'settled_too_early') return done;
      done.catch(() => undefined);
    },
    settleDoubtMs: 25_000,
    release: atom('release', release),
    keep: (call) => keeping.take(() => kept(call)),
    forgetSent: async () => undefined,
    seeNumber: atom('see number', ({ accountId, day, phoneNumber }) => {
      const seenBefore =
        mutation === 'midnight_missed' && database.one('select 1 from usage_number_days where phone_number = ?', phoneNumber);
      if (seenBefore) return;
      const isNew = database.change(
        'insert into usage_number_days (account_id, day, phone_number) values (?, ?, ?) on conflict do nothing',
        accountId,
        day,
        phoneNumber,
      );
      if (isNew === 0) return;
      database.change(
        `insert into usage_number_days_by_month (account_id, month, count) values (?, ?, 1)
          on conflict (account_id, month) do update set count = count + 1`,
        accountId,
        monthOf(day),
      );
    }),
    log: () => undefined,
    onLogged: () => undefined,
    logged: async () => undefined,
  };
}
