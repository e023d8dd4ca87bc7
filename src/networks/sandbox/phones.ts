import type { Clock } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { SandboxPhones } from '../index.ts';
import { fromRow } from './message-row.ts';
import { findMessages, removeDevicesOfPhone } from './queries.ts';
import { keptAt } from './retention.ts';
import type { SandboxLink } from './sandbox-link.ts';

/** The phones of all people on the sandbox network, over the links that are open in this process. */
export function createPhones(db: Store['db'], clock: Clock, links: ReadonlySet<SandboxLink>): SandboxPhones {
  return {
    async scan(accountId, code, phoneNumber) {
      for (const link of links) {
        if (link.accountId !== accountId) continue;
        const pairing = link.scannedBy(code, phoneNumber);
        if (pairing === null) continue;
        await pairing;
        return { instanceId: link.instanceId, phoneNumber };
      }
      return null;
    },
    async unlink(accountId, phoneNumber) {
      const removed = await removeDevicesOfPhone(db, accountId, phoneNumber);
      const first = removed[0];
      if (first === undefined) return null;
      const instances = new Set(removed.map(({ instanceId }) => instanceId));
      const devices = new Set(removed.map(({ id }) => id));
      // Every link is told; a link whose login or pairing is under way finds out after it.
      await Promise.all([...links].filter(({ instanceId }) => instances.has(instanceId)).map((link) => link.devicesRemoved(devices)));
      return { instanceId: first.instanceId };
    },
    async messages(accountId, to) {
      return (await findMessages(db, accountId, to, keptAt(clock.now()))).map(fromRow);
    },
  };
}
