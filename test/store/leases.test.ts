import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { OwnershipLost } from '../../src/core/index.ts';
import { type ClaimOutcome, checkLease, holdLease, JoinRefused, type Lease, type Leases, type Store } from '../../src/store/index.ts';
import { createLeases, databaseNow } from '../../src/store/postgres/leases.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { holder, keyed, openSeeded, type Seeded, said, seed } from './seed.ts';

const ttlMs = 60_000;
const address = 'http://there:3000';
const networks = ['sandbox'];

// The embedded store has one server only.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('leases on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let account: Seeded;
  beforeEach(async () => {
    ({ database, store, account } = await openSeeded(kind));
  });

  /** Another process that is a node. */
  async function node(name: string): Promise<{ store: Store; leases: Leases }> {
    const opened = await database.open();
    const leases = leasesOf(opened);
    await leases.join({ name, address, ttlMs, alone: false, networks });
    return { store: opened, leases };
  }

  async function owner(name: string): Promise<{ store: Store; leases: Leases; lease: Lease }> {
    const joined = await node(name);
    await joined.leases.balance();
    const [taken] = await joined.leases.acquire(1);
    if (taken === undefined) throw new Error('there was no free number');
    return { ...joined, lease: taken.lease };
  }

  /** The time of a node is over, as when its process has stopped. */
  const expire = (name: string) => store.db.updateTable('nodes').set({ expires_at: 1 }).where('name', '=', name).execute();
  const names = async () => {
    const numbers = await leasesOf(store).numbersOfNodes();
    return (await leasesOf(store).nodes()).map(({ id, name }) => ({ name, numbers: numbers.get(id) ?? 0 }));
  };

  it('gives each number to one node, and shares what is free among those who ask at once', async () => {
    const others = await Promise.all(Array.from({ length: 9 }, () => seed(store)));
    const nodes = await Promise.all(['a', 'b', 'c'].map(node));
    const waves = await Promise.all([1, 2].flatMap(() => nodes.map(({ leases }) => leases.acquire(2))));
    const late = await Promise.all(nodes.map(({ leases }) => leases.acquire(10)));
    const taken = [...waves, ...late].flat().map(({ row }) => row.id);
    expect(taken.sort()).toEqual([account, ...others].map(({ instanceId }) => instanceId).sort());
    expect((await names()).map(({ numbers }) => numbers).reduce((sum, n) => sum + n)).toBe(10);
  });

  it('frees the numbers of a node whose time is over, with a greater epoch for the next, and does not let it renew', async () => {
    const first = await owner('first');
    const second = await node('second');
    expect(await second.leases.acquire(10)).toEqual([]);
    expect(await first.leases.renew(ttlMs)).toBe(true);
    await expire('first');
    await second.leases.balance();
    const [taken] = await second.leases.acquire(10);
    expect(taken).toMatchObject({ row: { id: account.instanceId }, lease: { epoch: first.lease.epoch + 1 } });
    expect(await first.leases.renew(ttlMs)).toBe(false);
    expect(await first.leases.acquire(10)).toEqual([]);
    expect(await first.leases.take(account.instanceId)).toBeNull();
    expect(await names()).toEqual([{ name: 'second', numbers: 1 }]);
    await first.leases.join({ name: 'first again', address, ttlMs, alone: false, networks });
    expect(await first.leases.acquire(10)).toEqual([]);
  });

  it('believes no expiry that is further ahead than a term: a clock set back keeps nobody alive for longer, and ends nobody who lives [servers.clock-back]', async () => {
    const gone = await owner('gone');
    const living = await node('living');
    // What a new primary finds whose clock is two minutes behind.
    await store.db
      .updateTable('nodes')
      .set((eb) => ({ expires_at: eb('expires_at', '+', 120_000) }))
      .execute();
    const left = async () => {
      const rows = await store.db
        .selectFrom('nodes')
        .select(['name', sql<number>`expires_at - ${databaseNow}`.as('ms')])
        .execute();
      return new Map(rows.map(({ name, ms }) => [name, ms]));
    };
    expect((await left()).get('gone')).toBeGreaterThan(120_000);
    await living.leases.balance();
    for (const ms of (await left()).values()) expect(ms).toBeLessThanOrEqual(ttlMs);
    expect(await living.leases.renew(ttlMs)).toBe(true);
    // It is not taken before that time is over.
    expect(await living.leases.acquire(10)).toEqual([]);
    expect(await gone.leases.renew(ttlMs)).toBe(true);
  });

  it('counts a number that is taken as closed, whatever its earlier owner reported', async () => {
    const first = await owner('first');
    await first.leases.report(new Map([[account.instanceId, 'open']]));
    await expire('first');
    const second = await owner('second');
    expect(await second.leases.statuses()).toEqual(new Map([[account.instanceId, 'close']]));
    await second.leases.report(new Map([[account.instanceId, 'open']]));
    await expire('second');
    const third = await node('third');
    await third.leases.balance();
    expect(await third.leases.take(account.instanceId)).not.toBeNull();
    expect(await third.leases.statuses([account.instanceId])).toEqual(new Map([[account.instanceId, 'close']]));
  });

  it('takes only numbers of networks that it has, and counts no others as free or as a share [servers.network]', async () => {
    const other = await seed(store, { network: 'whatsapp' });
    const first = await node('first');
    expect(await first.leases.balance()).toEqual({ free: 1, own: 0, share: 1, draining: false });
    expect((await first.leases.acquire(10)).map(({ row }) => row.id)).toEqual([account.instanceId]);
    expect(await first.leases.balance()).toEqual({ free: 0, own: 1, share: 1, draining: false });
    expect(await first.leases.take(other.instanceId)).toBeNull();
    expect(await first.leases.ownerOf(other.accountId, other.instanceId)).toBeUndefined();
    const opened = leasesOf(await database.open());
    const id = await opened.join({ name: 'second', address, ttlMs, alone: false, networks: ['sandbox', 'whatsapp'] });
    expect((await opened.acquire(10)).map(({ row }) => row.id)).toEqual([other.instanceId]);
    expect(await first.leases.ownerOf(other.accountId, other.instanceId)).toEqual({ id, address });
  });

  it('has a number without an owner wait for one while this process has not joined yet, as after a restart', async () => {
    const starting = leasesOf(await database.open());
    expect(await starting.ownerOf(account.accountId, account.instanceId)).toBeNull();
    expect(await starting.ownerOf(account.accountId, account.accountId)).toBeUndefined();
    await starting.join({ name: 'started', address, ttlMs, alone: false, networks: [] });
    expect(await starting.ownerOf(account.accountId, account.instanceId)).toBeUndefined();
  });

  describe('the settings of servers', () => {
    const refusal = (others: readonly { readonly settings: Readonly<Record<string, string>> }[], own: string) => {
      const other = others.find(({ settings }) => settings.HOURS !== own);
      return other === undefined ? null : `HOURS is ${own} and ${other.settings.HOURS}`;
    };
    const joins = (leases: Leases, own: string) =>
      leases.join({
        ...{ name: `with ${own}`, address, ttlMs, alone: false, networks },
        agreement: { settings: { HOURS: own }, refusal: (others) => refusal(others, own) },
      });
    const process = async () => leasesOf(await database.open());

    it('are compared when one joins, and one that does not agree does not', async () => {
      await joins(await process(), '72');
      await expect(joins(await process(), '0')).rejects.toThrow(new JoinRefused('HOURS is 0 and 72'));
      expect(await names()).toEqual([{ name: 'with 72', numbers: 0 }]);
    });

    it('are compared by the second of two that join at once', async () => {
      const joined = await Promise.allSettled([joins(await process(), '72'), joins(await process(), '0')]);
      expect(joined.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await names()).toHaveLength(1);
    });

    it('of one that is gone, was alone, or is this process itself are not', async () => {
      const leases = await process();
      await joins(leases, '72');
      await joins(leases, '0');
      await expire('with 0');
      const yearMs = 365 * 86_400_000;
      await (await process()).join({ name: 'was alone', address, ttlMs: yearMs, alone: true, networks });
      await joins(leases, '72');
      expect((await names()).map(({ name }) => name)).toContain('with 72');
    });
  });

  it('counts very many numbers only when that may change what the node does', async () => {
    const clock = createManualClock();
    const opened = await database.open();
    const [first, second] = [createLeases(opened.db, clock), createLeases(opened.db, clock)];
    const nodes = await Promise.all(
      [first, second].map((leases, place) => leases.join({ name: `node ${place}`, address, ttlMs, alone: false, networks })),
    );
    let created = 0;
    const add = async (count: number, node: string | null) => {
      await sql`insert into instances (id, account_id, network, linked, conflict, created_at)
        select 'number-' || n, ${account.accountId}, 'sandbox', 0, 0, 0 from generate_series(${created + 1}::int, ${created + count}::int) n`.execute(
        opened.db,
      );
      await sql`insert into leases (instance_id, node_id, epoch)
        select 'number-' || n, ${node}::text, 1 from generate_series(${created + 1}::int, ${created + count}::int) n`.execute(opened.db);
      created += count;
    };
    const share = async () => (await first.balance()).share;
    await opened.db
      .updateTable('leases')
      .set({ node_id: nodes[0] ?? '' })
      .execute();
    for (const [place, count] of [4_999, 5_000].entries()) await add(count, nodes[place] ?? '');
    expect(await share()).toBe(5_000);

    await add(2_000, nodes[1] ?? '');
    clock.advance(5 * 60_000);
    expect(await share()).toBe(5_000);
    // It has its share, so it would leave these to others.
    await add(1_000, null);
    expect(await share()).toBe(6_500);
    // It has less than its share, and takes of what is free.
    await add(2_000, null);
    clock.advance(5 * 60_000);
    expect(await share()).toBe(6_500);
    // It would give away what is its own by now.
    await add(6_000, nodes[0] ?? '');
    expect(await share()).toBe(10_500);
    clock.advance(1_000);
    await add(3_000, nodes[0] ?? '');
    expect(await share()).toBe(10_500);
    clock.advance(10_000);
    expect(await share()).toBe(12_000);
    await add(1_000, nodes[1] ?? '');
    clock.advance(11 * 60_000);
    expect(await share()).toBe(12_500);
    await opened.close();
  });

  it('takes a number that was just created, once', async () => {
    const [first, second] = [await node('first'), await node('second')];
    const created = await seed(store);
    expect(await first.leases.take(created.instanceId)).toMatchObject({ epoch: 1 });
    expect(await second.leases.take(created.instanceId)).toBeNull();
    await first.leases.release([created.instanceId, account.instanceId]);
    expect(await second.leases.take(created.instanceId)).toMatchObject({ epoch: 2 });
    await second.leases.leave();
    expect(await first.leases.take(created.instanceId)).toMatchObject({ epoch: 3 });
  });

  it('ends all other nodes for one that is alone', async () => {
    const first = await owner('first');
    const only = await database.open();
    await leasesOf(only).join({ name: 'only', address, ttlMs, alone: true, networks });
    expect(await leasesOf(only).acquire(10)).toHaveLength(1);
    expect(await first.leases.renew(ttlMs)).toBe(false);
  });

  describe('an owner whose number was taken', () => {
    let old: Awaited<ReturnType<typeof owner>>;
    let now: Awaited<ReturnType<typeof owner>>;
    beforeEach(async () => {
      old = await owner('old');
      await keep(old, { creds: 'of the old owner' });
      await expire('old');
      now = await owner('new');
    });

    const keep = ({ store: by, lease }: { store: Store; lease: Lease }, records: Record<string, string | null>) =>
      by.hot.keep({
        instanceId: account.instanceId,
        lease,
        records: new Map(Object.entries(records).map(([name, text]) => [name, text === null ? null : Buffer.from(text)])),
        sent: [{ messageId: `kept by ${lease.epoch}`, sealed: Buffer.from('x'), at: 1 }],
      });

    it('may not log in, and its successor may', async () => {
      const mayLogIn = ({ store: by, lease }: { store: Store; lease: Lease }) => checkLease(by.db, account.instanceId, lease);
      await expect(mayLogIn(old)).rejects.toThrow(OwnershipLost);
      await expect(mayLogIn(now)).resolves.toBeUndefined();
    });

    it('writes and deletes no credentials and keeps no message', async () => {
      await expect(keep(old, { creds: 'late', more: 'late' })).rejects.toThrow(OwnershipLost);
      await expect(keep(old, { creds: null })).rejects.toThrow(OwnershipLost);
      await keep(now, { more: 'of the new owner' });
      const rows = await store.db.selectFrom('credentials').select(['name', 'sealed']).orderBy('name').execute();
      expect(rows.map(({ name, sealed }) => [name, sealed.toString()])).toEqual([
        ['creds', 'of the old owner'],
        ['more', 'of the new owner'],
      ]);
      const sent = await store.db.selectFrom('sent_messages').select('message_id').orderBy('message_id').execute();
      expect(sent.map(({ message_id }) => message_id)).toEqual([`kept by ${old.lease.epoch}`, `kept by ${now.lease.epoch}`]);
    });

    it('fails alone among the writes of one tick, of which each counts under its own lease', async () => {
      const late = { store: now.store, lease: old.lease };
      const results = await Promise.allSettled([keep(now, { a: '1' }), keep(late, { a: '2', b: '2' }), keep(now, { c: '1' })]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      const rows = await store.db.selectFrom('credentials').select(['name', 'sealed']).orderBy('name').execute();
      expect(rows.map(({ name, sealed }) => [name, sealed.toString()])).toEqual([
        ['a', '1'],
        ['c', '1'],
        ['creds', 'of the old owner'],
      ]);
    });

    it('changes nothing in a transaction', async () => {
      const relabel = (lease: Lease) =>
        store.transaction(async (trx) => {
          await holdLease(trx, account.instanceId, lease);
          await trx
            .updateTable('instances')
            .set({ label: `of ${lease.epoch}` })
            .execute();
        });
      await expect(relabel(old.lease)).rejects.toThrow(OwnershipLost);
      await relabel(now.lease);
      expect(await store.db.selectFrom('instances').select('label').execute()).toEqual([{ label: `of ${now.lease.epoch}` }]);
    });

    it.each([null, 'a key', 'a trial'])('claims nothing (%s)', async (what) => {
      const call = (lease: Lease) =>
        account.claim({ lease, keyed: what === null ? null : keyed('a'), trialLimit: what === 'a trial' ? 5 : null });
      // Without a key and a trial there is nothing to claim: only the answer shows it.
      expect(await old.store.hot.claim(call(old.lease))).toEqual({ outcome: 'not_owner' });
      expect(await store.db.selectFrom('claims').selectAll().execute()).toEqual([]);
      expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toEqual([]);
      expect(await now.store.hot.claim(call(now.lease))).toMatchObject({ outcome: 'claimed', retaken: false });
    });
  });

  it('waits with a take-over until a write under way has ended, which then is refused no more', async () => {
    const first = await owner('first');
    const second = await node('second');
    let end: () => void = () => undefined;
    const writing = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = Promise.withResolvers<void>();
    const write = first.store.transaction(async (trx) => {
      // The holder waits longer than the gateway may on a slow machine.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await holdLease(trx, account.instanceId, first.lease);
      held.resolve();
      await writing;
    });
    await held.promise;
    await expire('first');
    // The number is skipped, or its freeing waits: in no case has it another owner now.
    const taking = second.leases.balance().then(() => second.leases.acquire(10));
    const ownerNow = await store.db.selectFrom('leases').select('epoch').executeTakeFirstOrThrow();
    expect(ownerNow.epoch).toBe(first.lease.epoch);
    end();
    await write;
    const taken = [...(await taking), ...(await second.leases.acquire(10))];
    expect(taken).toHaveLength(1);
  });

  describe('a claim in flight', () => {
    const claimBy = async ({ store: by, lease }: { store: Store; lease: Lease }, key = 'a'): Promise<ClaimOutcome> =>
      by.hot.claim(account.claim({ lease, keyed: keyed(key), trialLimit: 9 }));

    it('belongs to its node as long as that lives, and then counts as unknown, under the same message id', async () => {
      const first = await owner('first');
      expect(await claimBy(first)).toMatchObject({ outcome: 'claimed', retaken: false });
      const request = await holder(store, account, 'a');
      expect(await claimBy(first)).toEqual({ outcome: 'in_flight', owner: request, here: true });
      const other = await node('other');
      const asked = account.claim({ linked: false, keyed: keyed('a') });
      expect(await other.store.hot.claim(asked)).toEqual({ outcome: 'in_flight', owner: request, here: false });
      await expire('first');
      const second = await owner('second');
      expect(await second.store.hot.claim(account.claim({ lease: second.lease, keyed: { ...keyed('a'), messageId: 'new' } }))).toEqual({
        outcome: 'claimed',
        retaken: true,
        messageId: keyed('a').messageId,
      });
      // What the first did too late changes nothing of it, except that an acceptance is true whoever reports it.
      await first.store.hot.release({
        requestId: request,
        accountId: account.accountId,
        key: 'a',
        handedOver: false,
        reservation: request,
      });
      expect(await claimBy(second)).toMatchObject({ outcome: 'in_flight', here: true });
      await first.store.hot.settle(account.settle({ keyed: said('a', 'PENDING') }));
      await second.store.hot.settle(account.settle({ keyed: said('a', 'PENDING') }));
      expect(await store.db.selectFrom('usage_sends').select('count').execute()).toEqual([{ count: 1 }]);
    });

    it('counts as unknown for whoever owns its number by now, though its node lives', async () => {
      const first = await owner('first');
      await claimBy(first);
      await first.leases.release([account.instanceId]);
      const second = await owner('second');
      const request = await holder(store, account, 'a');
      const asked = { keyed: { ...keyed('a'), messageId: 'new' }, trialLimit: 9 };
      // Not for one that only believes to own it.
      const late = account.claim({ ...asked, lease: { ...second.lease, epoch: second.lease.epoch - 1 } });
      expect(await second.store.hot.claim(late)).toMatchObject({ outcome: 'in_flight', owner: request });
      const claim = account.claim({ ...asked, lease: second.lease });
      expect(await second.store.hot.claim(claim)).toEqual({ outcome: 'claimed', retaken: true, messageId: keyed('a').messageId });
      expect(await holder(store, account, 'a')).toBe(claim.requestId);
    });

    it('is taken over without a trial, too, when its number has another owner', async () => {
      const first = await owner('first');
      await first.store.hot.claim(account.claim({ lease: first.lease, keyed: keyed('a') }));
      await first.leases.release([account.instanceId]);
      const second = await owner('second');
      const claim = account.claim({ lease: second.lease, keyed: { ...keyed('a'), messageId: 'new' } });
      expect(await second.store.hot.claim(claim)).toEqual({ outcome: 'claimed', retaken: true, messageId: keyed('a').messageId });
    });

    it('counts as unknown after its deadline, however long its node lives', async () => {
      const first = await owner('first');
      await claimBy(first);
      await store.db.updateTable('claims').set({ deadline: 1 }).execute();
      expect(await claimBy(first)).toMatchObject({ outcome: 'claimed', retaken: true });
    });

    it('holds a unit of the trial longer than its node lives, until the deadline of its send [trial.outlives]', async () => {
      const first = await owner('first');
      for (const key of ['a', 'b']) await claimBy(first, key);
      const full = account.claim({ lease: first.lease, trialLimit: 2 });
      expect(await first.store.hot.claim(full)).toEqual({ outcome: 'trial_exhausted' });
      await expire('first');
      const second = await owner('second');
      const asked = () => second.store.hot.claim({ ...full, lease: second.lease });
      await second.leases.balance();
      expect(await asked()).toEqual({ outcome: 'trial_exhausted' });
      // Another becomes a server meanwhile.
      await (await database.open()).becomeServer({ shared: true });
      expect(await asked()).toEqual({ outcome: 'trial_exhausted' });
      await store.db.updateTable('trial_reservations').set({ deadline: 1 }).execute();
      expect(await asked()).toMatchObject({ outcome: 'claimed' });
    });
  });

  it('ends a node whose time has passed', async () => {
    const first = await owner('short');
    await first.leases.renew(50);
    await waitFor(async () => expect(await names()).toEqual([]));
    expect(await first.leases.renew(ttlMs)).toBe(false);
  });
});

function leasesOf({ leases }: Store): Leases {
  if (leases === null) throw new Error('the store has no leases');
  return leases;
}
