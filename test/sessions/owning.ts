import { Ownership } from '../../src/sessions/ownership.ts';
import type { Leases } from '../../src/store/index.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * A server's ownership on these leases, with a clock that the test moves. It serves `numbers`, which are not in use; `dropAll` is called
 * when it must drop them, and `onLost` when it can own none any more.
 */
export function owning(
  leases: Partial<Leases>,
  dropAll: () => void = () => undefined,
  onLost: (error: Error) => void = () => undefined,
  numbers: readonly string[] = [],
): { clock: ManualClock; ownership: Ownership } {
  const clock = createManualClock();
  const ownership = new Ownership({
    leases: leases as Leases,
    networks: [],
    clock,
    log: silent,
    random: () => 0,
    onLost,
    cluster: {
      address: () => 'http://here',
      agreement: { settings: {}, refusal: () => null },
      mayJoin: async () => undefined,
      joined: () => undefined,
      announceFree: () => undefined,
    },
    owned: {
      count: () => numbers.length,
      has: (id) => numbers.includes(id),
      adopt: () => undefined,
      dropAll: async () => dropAll(),
      giveUp: async () => numbers,
      giveUpIdle: async () => numbers,
    },
  });
  return { clock, ownership };
}
