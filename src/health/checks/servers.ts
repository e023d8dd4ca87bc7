import type { NodeRecord } from '../../store/index.ts';
import { type Finding, fail, ok, reason, t } from './check.ts';

/** The other servers, seen from the one that looks. */
export interface ServersProbe {
  others(): Promise<readonly Pick<NodeRecord, 'id' | 'name' | 'address'>[]>;
  /** Rejects when the server does not answer at its address. */
  reach(server: Pick<NodeRecord, 'id' | 'address'>): Promise<void>;
}

/** Whether the other servers can be reached at the addresses that they give; null: there are no others. */
export async function servers(probe: ServersProbe | null): Promise<Finding[]> {
  if (probe === null) return [];
  const others = await probe.others();
  const found = await Promise.all(
    others.map((server) =>
      probe.reach(server).then(
        () => [],
        (error: unknown) => [
          fail(
            'servers',
            t('{{server}} cannot be reached from here at {{address}}: {{reason}}; requests for its numbers fail here', {
              server: server.name,
              address: server.address,
              reason: reason(error),
            }),
            t('set NODE_URL of that server to an address at which the others reach it, and allow connections between the servers'),
          ),
        ],
      ),
    ),
  );
  const failed = found.flat();
  if (failed.length > 0 || others.length === 0) return failed;
  return [ok('servers', t('the others ({{servers}}) can be reached', { servers: others.length }))];
}
