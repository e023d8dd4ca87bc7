import type { InstanceRow, Leased, LinkStatus } from '../../src/store/index.ts';
import { JoinRefused, type Leases, type NodeRecord } from '../../src/store/leases.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Mutation } from './mutations.ts';

/** How a node's calls reach the database. */
export type Carry = <T>(name: string, atom: () => T) => Promise<T>;

const ownNetwork = 'instances.network in (select value from json_each(?))';
const living = 'exists (select 1 from nodes where nodes.id = ? and nodes.expires_at > ?)';

/** src/store/postgres/leases.ts on the simulated database. */
export function simulatedLeases(
  database: SimulatedDatabase,
  { carry, now, mutation, newNodeId }: { carry: Carry; now: () => number; mutation: Mutation | null; newNodeId: () => string },
): Leases {
  let nodeId: string | null = null;
  let termMs = 0;
  let networks: readonly string[] = [];
  const self = () => {
    if (nodeId === null) throw new Error('this process has not joined as a node');
    return nodeId;
  };
  const until = (ttlMs: number) => now() + (mutation === 'short_leases' ? Math.min(ttlMs, 3000) : ttlMs);

  return {
    async join({ name, address, ttlMs, alone, networks: served, agreement }) {
      const [id, before] = [newNodeId(), nodeId];
      termMs = ttlMs;
      networks = served;
      await carry('join', () =>
        database.together(() => {
          const refusal = agreement?.refusal(
            database
              .all<{ name: string; settings: string }>(
                'select name, settings from nodes where expires_at > ? and expires_at <= ? and id <> ? order by started_at',
                now(),
                now() + termMs,
                before ?? '',
              )
              .map((node) => ({ name: node.name, settings: JSON.parse(node.settings) as Record<string, string> })),
          );
          if (refusal != null) throw new JoinRefused(refusal);
          if (alone) database.change('delete from nodes');
          else if (before !== null) database.change('delete from nodes where id = ?', before);
          database.change(
            'insert into nodes (id, name, address, started_at, expires_at, draining, settings) values (?, ?, ?, ?, ?, 0, ?)',
            id,
            name,
            address,
            now(),
            until(ttlMs),
            JSON.stringify(agreement?.settings ?? {}),
          );
          database.change('insert into leases (instance_id, epoch) select id, 0 from instances where true on conflict do nothing');
        }),
      );
      nodeId = id;
      return id;
    },
    async renew(ttlMs) {
      const id = self();
      termMs = ttlMs;
      return carry(
        'renew',
        () => database.keepAlive('update nodes set expires_at = ? where id = ? and expires_at > ?', until(ttlMs), id, now()) > 0,
      );
    },
    async balance() {
      await carry('end expired', () =>
        database.together(() => {
          database.change('delete from nodes where expires_at <= ?', now());
          if (mutation !== 'future_expiries_stay')
            database.keepAlive('update nodes set expires_at = ? where expires_at > ?', now() + termMs, now() + termMs);
        }),
      );
      const id = self();
      return carry('balance', () => {
        const row = database.one<Record<'free' | 'unserved' | 'own' | 'leases' | 'nodes' | 'draining', number>>(
          `select free, ownerless - free as unserved, (select count(*) from leases) as leases,
            (select count(*) from leases where node_id = ?) as own,
            (select count(*) from nodes where draining = 0 and expires_at > ?) as nodes,
            (select count(*) from nodes where id = ? and draining = 1) as draining
          from (
            select count(*) as ownerless, count(*) filter (where ${ownNetwork}) as free
            from leases join instances on instances.id = leases.instance_id where leases.node_id is null
          )`,
          id,
          now(),
          id,
          JSON.stringify(networks),
        );
        const { free, unserved, own, leases, nodes, draining } = row ?? { free: 0, unserved: 0, own: 0, leases: 0, nodes: 0, draining: 0 };
        return { free, own, share: Math.ceil((leases - unserved) / Math.max(1, nodes)), draining: draining > 0 };
      });
    },
    async ownerOf(accountId, instanceId) {
      return carry('owner', () => {
        const row = database.one<{ node: string | null; address: string; network: string }>(
          `select nodes.id as node, nodes.address, instances.network from instances left join leases on leases.instance_id = instances.id
            left join nodes on nodes.id = leases.node_id and nodes.expires_at > ? where instances.id = ? and instances.account_id = ?`,
          now(),
          instanceId,
          accountId,
        );
        if (row === undefined || (row.node === null && nodeId !== null && !networks.includes(row.network))) return undefined;
        return row.node === null ? null : { id: row.node, address: row.address };
      });
    },
    async own() {
      const id = self();
      return carry('own', () =>
        database.all<{ instance_id: string }>('select instance_id from leases where node_id = ?', id).map((row) => row.instance_id),
      );
    },
    async acquire(limit) {
      const node = self();
      const free = mutation === 'takes_what_is_owned' ? 'node_id is not ?' : 'node_id is null and ? is not null';
      const taken = await carry('acquire', () =>
        database.all<{ instance_id: string; epoch: number }>(
          `update leases set node_id = ?, epoch = epoch + 1, status = 'close'
            where instance_id in (
              select instance_id from leases join instances on instances.id = instance_id where ${free} and ${ownNetwork} order by instance_id limit ?
            ) and ${living} returning instance_id, epoch`,
          node,
          node,
          JSON.stringify(networks),
          limit,
          node,
          now(),
        ),
      );
      if (taken.length === 0) return [];
      return carry('acquired', () =>
        taken.flatMap(({ instance_id, epoch }): Leased[] => {
          const row = database.one<InstanceRow>('select * from instances where id = ?', instance_id);
          return row === undefined ? [] : [{ row, lease: { nodeId: node, epoch } }];
        }),
      );
    },
    async take(instanceId) {
      const node = self();
      return carry('take', () => {
        const [row] = database.all<{ epoch: number }>(
          `insert into leases (instance_id, node_id, epoch) select id, ?, 1 from instances where id = ? and ${ownNetwork} and ${living}
            on conflict (instance_id) do update set node_id = excluded.node_id, epoch = leases.epoch + 1, status = 'close' where leases.node_id is null
            returning epoch`,
          node,
          instanceId,
          JSON.stringify(networks),
          node,
          now(),
        );
        return row === undefined ? null : { nodeId: node, epoch: row.epoch };
      });
    },
    async report(statuses) {
      const node = self();
      const reported = carry('report', () =>
        database.together(() => {
          for (const [id, status] of statuses)
            database.change('update leases set status = ? where instance_id = ? and node_id = ?', status, id, node);
        }),
      );
      // Nobody waits for the former; the latter fails without anybody noticing.
      if (mutation === 'reports_overlap') void reported.catch(() => this.report(statuses));
      else await (mutation === 'failed_reports_forgotten' ? reported.catch(() => undefined) : reported);
    },
    statuses: () =>
      carry('statuses', () => {
        const rows = database.all<{ instance_id: string; status: LinkStatus }>(
          'select instance_id, status from leases where node_id is not null',
        );
        return new Map(rows.map(({ instance_id, status }) => [instance_id, status]));
      }),
    async release(instanceIds) {
      const node = self();
      await carry('release leases', () =>
        database.together(() => {
          for (const id of instanceIds)
            database.change("update leases set node_id = null, status = 'close' where node_id = ? and instance_id = ?", node, id);
        }),
      );
    },
    nodes: () =>
      carry('nodes', () =>
        database
          .all<{ id: string; name: string; address: string; started_at: number; draining: number }>(
            'select id, name, address, started_at, draining from nodes where expires_at > ? order by started_at, id',
            now(),
          )
          .map(({ started_at, draining, ...row }): NodeRecord => ({ ...row, startedAt: started_at, draining: draining === 1 })),
      ),
    numbersOfNodes: () =>
      carry('numbers of nodes', () => {
        const rows = database.all<{ node_id: string; numbers: number }>(
          'select node_id, count(*) as numbers from leases where node_id is not null group by node_id',
        );
        return new Map(rows.map(({ node_id, numbers }) => [node_id, numbers]));
      }),
    drain: (id, draining) =>
      carry(
        'drain',
        () => database.change('update nodes set draining = ? where id = ? and expires_at > ?', draining ? 1 : 0, id, now()) > 0,
      ),
    async leave() {
      if (nodeId === null) return;
      const id = nodeId;
      await carry('leave', () => database.change('delete from nodes where id = ?', id));
      nodeId = null;
    },
  };
}
