import { OwnershipLost, Turns } from '../../src/core/index.ts';
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
import type { SimulatedDatabase } from './database.ts';
import type { Carry } from './leases.ts';
import type { Mutation } from './mutations.ts';
import { dayMs } from './plan.ts';

const claimMs = 180_000;

interface FoundClaim {
  readonly fingerprint: string;
  readonly state: 'in_flight' | 'unknown' | 'accepted';
  readonly message_id: string;
  readonly provider_status: string | null;
  readonly owner: string;
  readonly node: string;
  readonly deadline: number;
  readonly created_at: number;
}

interface Options {
  readonly carry: Carry;
  /** The database's time. */
  readonly now: () => number;
  /** The same for the time of nodes, in which nothing has passed that was skipped. */
  readonly leaseNow: () => number;
  readonly mutation: Mutation | null;
  /** Told of what the store did. */
  readonly wrote: (instanceId: string, lease: Lease | null) => void;
  readonly counted: () => void;
}

/** src/store/postgres/hot-path.ts on the simulated database. */
export function simulatedHotPath(
  database: SimulatedDatabase,
  { carry, now: databaseNow, leaseNow, mutation, wrote, counted }: Options,
): HotPath {
  const owns = (instanceId: string, lease: Lease | null) =>
    lease === null ||
    database.one('select 1 from leases where instance_id = ? and node_id = ? and epoch = ?', instanceId, lease.nodeId, lease.epoch) !==
      undefined;
  const isLiving = (node: string) => database.one('select 1 from nodes where id = ? and expires_at > ?', node, leaseNow()) !== undefined;

  const windowMs = mutation === 'keys_expire_early' ? dayMs / 2 : dayMs;
  /** Of claims that a mutation does not write in time. */
  const prints = new Map<string, string>();

  function claim(call: ClaimCall): ClaimOutcome {
    const { keyed, accountId } = call;
    const now = mutation === 'own_clocks' ? call.now : databaseNow();
    let retaken: string | null = null;
    if (keyed !== null) {
      const found = database.one<FoundClaim>('select * from claims where account_id = ? and key = ?', accountId, keyed.key);
      if (found !== undefined) {
        const gone =
          (mutation !== 'no_deadline' && (found.deadline <= databaseNow() || found.deadline > databaseNow() + claimMs)) ||
          (found.node !== '' && !isLiving(found.node)) ||
          (call.lease !== null && found.node !== call.lease.nodeId && owns(call.instanceId, call.lease));
        const state = found.state === 'in_flight' && gone && mutation !== 'dead_claims_stay' ? 'unknown' : found.state;
        if (found.created_at > now - windowMs || state === 'in_flight') {
          if (found.fingerprint !== keyed.fingerprint) return { outcome: 'reused' };
          if (state === 'accepted') return { outcome: 'replay', messageId: found.message_id, providerStatus: found.provider_status };
          if (state === 'in_flight') return { outcome: 'in_flight', owner: found.owner, here: found.node === (call.lease?.nodeId ?? '') };
          retaken = mutation === 'new_id_on_retake' ? keyed.messageId : found.message_id;
        }
      }
    }
    const instance = database.one('select 1 from instances where id = ? and account_id = ?', call.instanceId, accountId);
    if (instance === undefined) return { outcome: 'instance_not_found' };
    if (!call.linked) return { outcome: 'not_connected' };
    if (!owns(call.instanceId, call.lease)) return { outcome: 'not_owner' };
    if (call.trialLimit !== null) {
      const used = database.one<{ trial_used: number }>('select trial_used from accounts where id = ?', accountId)?.trial_used ?? 0;
      const reserved = database
        .all<{ node: string }>('select node from trial_reservations where account_id = ? and deadline > ?', accountId, databaseNow())
        .filter(({ node }) => mutation !== 'units_end_with_lease' || isLiving(node)).length;
      if (used + reserved >= call.trialLimit) return { outcome: 'trial_exhausted' };
      database.change(
        'insert into trial_reservations (id, account_id, node, deadline) values (?, ?, ?, ?)',
        call.requestId,
        accountId,
        call.lease?.nodeId ?? '',
        databaseNow() + claimMs,
      );
    }
    if (keyed !== null && mutation === 'claim_after_hand_over') prints.set(keyed.key, keyed.fingerprint);
    else if (keyed !== null) write(call, keyed, retaken, mutation === 'own_clocks' ? call.dated : now);
    return { outcome: 'claimed', retaken: retaken !== null, messageId: retaken ?? keyed?.messageId ?? null };
  }

  function write(call: ClaimCall, keyed: NonNullable<ClaimCall['keyed']>, retaken: string | null, dated: number): void {
    database.change(
      `insert into claims (account_id, key, fingerprint, message_id, state, owner, created_at, node, deadline)
        values (?, ?, ?, ?, 'in_flight', ?, ?, ?, ?)
        on conflict (account_id, key) do update set id = (select max(id) + 1 from claims), state = 'in_flight', owner = excluded.owner, fingerprint = excluded.fingerprint,
          provider_status = null, node = excluded.node, deadline = excluded.deadline, message_id = excluded.message_id,
          created_at = excluded.created_at`,
      call.accountId,
      keyed.key,
      keyed.fingerprint,
      retaken ?? keyed.messageId,
      call.requestId,
      dated,
      call.lease?.nodeId ?? '',
      mutation === 'no_deadline' ? Number.MAX_SAFE_INTEGER : databaseNow() + claimMs,
    );
  }

  function settle({ requestId, accountId, day, type, keyed, reservation }: SettleCall): void {
    if (reservation !== null) database.change('delete from trial_reservations where id = ?', reservation);
    if (keyed === null) database.change('insert into settlements (at, requests) values (?, ?)', databaseNow(), JSON.stringify([requestId]));
    else if (mutation === 'claim_after_hand_over') {
      database.change(
        `insert into claims (account_id, key, fingerprint, message_id, state, owner, created_at) values (?, ?, ?, ?, 'in_flight', '', ?)
          on conflict do nothing`,
        accountId,
        keyed.key,
        prints.get(keyed.key) ?? '',
        keyed.messageId,
        databaseNow(),
      );
    }
    if (keyed !== null) {
      const accepted = database.change(
        "update claims set state = 'accepted', owner = '', provider_status = ? where account_id = ? and key = ? and state <> 'accepted'",
        keyed.providerStatus,
        accountId,
        keyed.key,
      );
      if (accepted === 0) return;
    }
    database.change(
      `insert into usage_sends (account_id, day, type, count) values (?, ?, ?, 1)
        on conflict (account_id, day, type) do update set count = count + 1`,
      accountId,
      day,
      type,
    );
    database.change(
      `insert into usage_sends_by_month (account_id, month, type, count) values (?, ?, ?, 1)
        on conflict (account_id, month, type) do update set count = count + 1`,
      accountId,
      monthOf(day),
      type,
    );
    if (reservation !== null) database.change('update accounts set trial_used = trial_used + 1 where id = ?', accountId);
    counted();
  }

  function release({ requestId, accountId, key, handedOver, reservation }: ReleaseCall): void {
    if (reservation !== null) database.change('delete from trial_reservations where id = ?', reservation);
    if (key === null) return;
    if (mutation === 'releases_others') database.change('delete from claims where account_id = ? and key = ?', accountId, key);
    else if (handedOver && mutation !== 'unknown_forgotten')
      database.change(
        "update claims set state = 'unknown' where account_id = ? and key = ? and owner = ? and state = 'in_flight'",
        accountId,
        key,
        requestId,
      );
    else database.change('delete from claims where account_id = ? and key = ? and owner = ?', accountId, key, requestId);
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
    database.change('update instances set linked = 1 where id = ? and linked = 0', instanceId);
    wrote(instanceId, lease);
  }

  const atom = <Call, Result>(name: string, run: (call: Call) => Result) => {
    return (call: Call) => carry(name, () => database.together(() => run(call)));
  };
  const settled = atom('settle', settle);
  const kept = atom('keep', keep);
  // One after the other, as the collector of PostgreSQL has it.
  const keeping = new Turns();
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
