import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Clock, newId, systemClock } from '../../core/index.ts';
import { type Balance, JoinRefused, type Lease, type Leased, type Leases, type NodeRecord, type NodeSettings } from '../leases.ts';
import type { Database, LinkStatus } from '../schema.ts';

/** The database's clock, in epoch milliseconds. */
export const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Whether a node's row is there and its time is not over. */
export const livingNode = (id: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from nodes where nodes.id = ${id} and nodes.expires_at > ${databaseNow})`;

// The pair of numbers is "gate", "join" in ASCII.
const joinLock = [0x67617465, 0x6a6f696e] as const;

/** From this many leases on they are not counted at every look: a million take a tenth of a second, and every node looks every two seconds. */
const manyLeases = 10_000;
/** How long their count may be used while it changes nothing for this node, and how long in any case. */
const countMs = { unchanged: 10 * 60_000, always: 10_000 };

/** The leases of one process, in the tables `nodes` and `leases`. The clock measures how old a count is. */
export function createLeases(db: Kysely<Database>, clock: Pick<Clock, 'monotonic'> = systemClock): Leases {
  let nodeId: string | null = null;
  let networks: readonly string[] = [];
  /** How long a renewal holds, for every node. */
  let termMs = 0;
  let counted = { leases: 0, at: 0 };

  /** The node, which exists from `join` on. */
  function self(): string {
    if (nodeId === null) throw new Error('this process has not joined as a node');
    return nodeId;
  }

  // Deleting a node's row frees its leases in the same transaction, and a renewal of it either comes before or finds no row. A clock that was
  // set back, as that of a new primary may be, leaves expiries further ahead than a term: they are brought back to one, within which every node
  // that lives renews.
  const furthest = () => sql<number>`${databaseNow} + ${termMs}::bigint`;
  const endExpired = () =>
    db
      .with('brought_back', (cte) => cte.updateTable('nodes').set({ expires_at: furthest() }).where('expires_at', '>', furthest()))
      .deleteFrom('nodes')
      .where('expires_at', '<=', databaseNow)
      .execute();

  /** The nodes that live, but for an earlier one of this process, with their settings. */
  async function others(trx: Kysely<Database>): Promise<NodeSettings[]> {
    const rows = await trx
      .selectFrom('nodes')
      .where('expires_at', '>', databaseNow)
      // What is further ahead was left by a server that had the database to itself.
      .where('expires_at', '<=', furthest())
      .where('id', '<>', nodeId ?? '')
      .orderBy('started_at')
      .select(['name', 'settings'])
      .execute();
    return rows.map(({ name, settings }) => ({ name, settings: JSON.parse(settings) as NodeSettings['settings'] }));
  }

  const hasNetwork = () => sql<boolean>`instances.network = any(${networks}::text[])`;

  /** How the numbers are spread; `leases`: how many there are, null to have them counted. */
  async function look(leases: number | null): Promise<Balance> {
    const all = leases === null ? sql`(select count(*) from leases)` : sql`${leases}::bigint`;
    const { rows } = await sql<Record<'free' | 'unserved' | 'own' | 'leases' | 'nodes' | 'draining', number>>`
      select free, ownerless - free as unserved, ${all} as leases,
        (select count(*) from leases where node_id = ${self()}) as own,
        (select count(*) from nodes where draining = 0 and expires_at > ${databaseNow}) as nodes,
        (select count(*) from nodes where id = ${self()} and draining = 1) as draining
      from (
        select count(*) as ownerless, count(*) filter (where ${hasNetwork()}) as free
        from leases join instances on instances.id = leases.instance_id where leases.node_id is null
      ) as without_owner`.execute(db);
    const row = rows[0] ?? { free: 0, unserved: 0, own: 0, leases: 0, nodes: 0, draining: 0 };
    if (leases === null) counted = { leases: row.leases, at: clock.monotonic() };
    // Numbers of a network that no server has are nobody's share.
    const share = Math.ceil((row.leases - row.unserved) / Math.max(1, row.nodes));
    return { free: row.free, own: row.own, share, draining: row.draining > 0 };
  }

  return {
    async join({ name, address, ttlMs, alone, networks: served, agreement }) {
      const id = newId();
      termMs = ttlMs;
      networks = served;
      await db.transaction().execute(async (trx) => {
        if (agreement !== undefined) {
          // Of two servers that join at once, the second must see what the first has.
          await sql`select pg_advisory_xact_lock(${joinLock[0]}, ${joinLock[1]})`.execute(trx);
          const refusal = agreement.refusal(await others(trx));
          if (refusal !== null) throw new JoinRefused(refusal);
        }
        if (alone) await trx.deleteFrom('nodes').execute();
        else if (nodeId !== null) await trx.deleteFrom('nodes').where('id', '=', nodeId).execute();
        await trx
          .insertInto('nodes')
          .values({
            ...{ id, name, address, started_at: databaseNow, expires_at: furthest(), draining: 0 },
            settings: JSON.stringify(agreement?.settings ?? {}),
          })
          .execute();
        await trx
          .insertInto('leases')
          .columns(['instance_id', 'epoch'])
          .expression((eb) =>
            eb
              .selectFrom('instances')
              .leftJoin('leases', 'leases.instance_id', 'instances.id')
              .where('leases.instance_id', 'is', null)
              .select(['instances.id', sql.lit(0).as('epoch')]),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
      nodeId = id;
      return id;
    },

    async renew(ttlMs) {
      const id = self();
      termMs = ttlMs;
      const { numUpdatedRows } = await db
        .updateTable('nodes')
        .set({ expires_at: furthest() })
        .where('id', '=', id)
        .where('expires_at', '>', databaseNow)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async balance() {
      await endExpired();
      const age = clock.monotonic() - counted.at;
      if (counted.leases < manyLeases || age >= countMs.unchanged) return look(null);
      const balance = await look(counted.leases);
      const { free, own, share } = balance;
      // A node gives away what exceeds its share, and takes nothing when it has its share: both need a current count.
      const unchanged = own <= share + 1 && (free === 0 || own < share);
      return unchanged || age < countMs.always ? balance : look(null);
    },

    async ownerOf(accountId, instanceId) {
      const row = await db
        .selectFrom('instances')
        .leftJoin('leases', 'leases.instance_id', 'instances.id')
        .leftJoin('nodes', (join) => join.onRef('nodes.id', '=', 'leases.node_id').on('nodes.expires_at', '>', databaseNow))
        .where('instances.id', '=', instanceId)
        .where('instances.account_id', '=', accountId)
        .select(['nodes.id as node', 'nodes.address', 'instances.network'])
        .executeTakeFirst();
      // Before the first join it is not known which networks this node has.
      if (row === undefined || (row.node === null && nodeId !== null && !networks.includes(row.network))) return undefined;
      return row.node === null ? null : { id: row.node, address: row.address ?? '' };
    },

    async own() {
      const rows = await db.selectFrom('leases').where('node_id', '=', self()).select('instance_id').execute();
      return rows.map(({ instance_id }) => instance_id);
    },

    async acquire(limit) {
      const node = self();
      const { rows: taken } = await sql<{ instance_id: string; epoch: number }>`
        with free as (
          select leases.instance_id from leases join instances on instances.id = leases.instance_id
          where leases.node_id is null and ${hasNetwork()} limit ${limit} for update of leases skip locked
        ) update leases set node_id = ${node}, epoch = epoch + 1, status = 'close' from free
          where leases.instance_id = free.instance_id and ${livingNode(sql`${node}`)}
          returning leases.instance_id, leases.epoch`.execute(db);
      if (taken.length === 0) return [];
      const epochs = new Map(taken.map(({ instance_id, epoch }) => [instance_id, epoch]));
      // In a statement of its own, which sees everything that earlier owners wrote before their leases ended.
      const rows = await db
        .selectFrom('instances')
        .selectAll()
        .where('id', '=', sql<string>`any(${[...epochs.keys()]}::text[])`)
        .execute();
      return rows.flatMap((row): Leased[] => {
        const epoch = epochs.get(row.id);
        return epoch === undefined ? [] : [{ row, lease: { nodeId: node, epoch } }];
      });
    },

    async take(instanceId): Promise<Lease | null> {
      const node = self();
      const { rows } = await sql<{ epoch: number }>`
        insert into leases (instance_id, node_id, epoch)
        select id, ${node}, 1 from instances where id = ${instanceId} and ${hasNetwork()} and ${livingNode(sql`${node}`)}
        on conflict (instance_id) do update set node_id = excluded.node_id, epoch = leases.epoch + 1, status = 'close' where leases.node_id is null
        returning epoch`.execute(db);
      return rows[0] === undefined ? null : { nodeId: node, epoch: rows[0].epoch };
    },

    async report(statuses) {
      const sorted = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
      await sql`
        update leases set status = reported.status
        from unnest(${sorted.map(([id]) => id)}::text[], ${sorted.map(([, status]) => status)}::text[]) as reported (id, status)
        where leases.instance_id = reported.id and leases.node_id = ${self()}`.execute(db);
    },

    async statuses(instanceIds) {
      const all = db.selectFrom('leases').where('node_id', 'is not', null).select(['instance_id', 'status']);
      const rows = await (instanceIds === undefined ? all : all.where('instance_id', 'in', instanceIds)).execute();
      return new Map(rows.map(({ instance_id, status }): [string, LinkStatus] => [instance_id, status]));
    },

    async release(instanceIds) {
      if (instanceIds.length === 0) return;
      await db
        .updateTable('leases')
        .set({ node_id: null, status: 'close' })
        .where('node_id', '=', self())
        .where('instance_id', '=', sql<string>`any(${instanceIds}::text[])`)
        .execute();
    },

    async nodes() {
      const rows = await db
        .selectFrom('nodes')
        .where('expires_at', '>', databaseNow)
        .orderBy('started_at')
        .orderBy('id')
        .select(['id', 'name', 'address', 'started_at', 'draining'])
        .execute();
      return rows.map(
        ({ id, name, address, started_at, draining }): NodeRecord => ({
          id,
          name,
          address,
          startedAt: started_at,
          draining: draining === 1,
        }),
      );
    },

    async numbersOfNodes() {
      const rows = await db
        .selectFrom('leases')
        .where('node_id', 'is not', null)
        .groupBy('node_id')
        .select((eb) => ['node_id', eb.fn.countAll<number>().as('numbers')])
        .execute();
      return new Map(rows.flatMap(({ node_id, numbers }): [string, number][] => (node_id === null ? [] : [[node_id, numbers]])));
    },

    async drain(id, draining) {
      const { numUpdatedRows } = await db
        .updateTable('nodes')
        .set({ draining: draining ? 1 : 0 })
        .where('id', '=', id)
        .where('expires_at', '>', databaseNow)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async leave() {
      if (nodeId === null) return;
      await db.deleteFrom('nodes').where('id', '=', nodeId).execute();
      nodeId = null;
    },
  };
}
