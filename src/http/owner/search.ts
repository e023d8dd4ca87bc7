import type { Peer } from '../../coordination/index.ts';
import type { Clock } from '../../core/index.ts';
import { here, nowhere, type Placement } from './placement.ts';

/** How long a request waits for a number to have an owner (decisions §5, of a link that is coming back). */
const ownerWaitMs = 5_000;
const pauseMs = 100;

/**
 * Who answers a request about a number. `here`: this process. `nowhere`: any process can. `moved`: another node handed it here, and this one
 * does not own the number. `unowned`: no owner was found in time.
 */
type Found<Answered> = Answered | { readonly outcome: 'here' | 'nowhere' | 'moved' | 'unowned' };

/** One request, from any client. */
interface Searching<Answer> {
  /** True when another node has handed it here. */
  readonly forwarded: boolean;
  /** Has a node answer it; `moved` when that node does not own the number, null when it did not answer and asking again does no harm. */
  ask(owner: Peer): Promise<Answer | null>;
}

/** Makes what looks for the owner of a number and has it answer, again while the number moves. */
export function createOwnerSearch({ placement, clock }: { readonly placement: Placement; readonly clock: Clock }) {
  return async function search<Answer extends { readonly outcome: string }>(
    accountId: string,
    instanceId: string,
    { forwarded, ask }: Searching<Answer>,
  ): Promise<Found<Exclude<Answer, { readonly outcome: 'moved' }>>> {
    let giveUpAt = clock.monotonic() + ownerWaitMs;
    let waitedForSilent = false;
    for (;;) {
      const owner = await placement.of(accountId, instanceId);
      if (owner === nowhere) return { outcome: 'nowhere' };
      if (owner === here) return { outcome: 'here' };
      if (forwarded) return { outcome: 'moved' };
      const askedAt = clock.monotonic();
      const answer = owner === null ? null : await ask(owner);
      if (answer !== null && answer.outcome !== 'moved') return answer as Exclude<Answer, { readonly outcome: 'moved' }>;
      placement.forget(accountId, instanceId);
      const askedForMs = clock.monotonic() - askedAt;
      // A node that fell silent is given up later than an owner is waited for: its successor gets that time anew, once.
      if (askedForMs > ownerWaitMs && !waitedForSilent) {
        waitedForSilent = true;
        giveUpAt += askedForMs;
      }
      if (clock.monotonic() > giveUpAt) return { outcome: 'unowned' };
      const { promise: pause, resolve } = Promise.withResolvers<void>();
      clock.after(pauseMs, resolve);
      await pause;
    }
  };
}
