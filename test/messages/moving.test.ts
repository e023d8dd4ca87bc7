import { expect, it } from 'vitest';
import { createVault, OwnershipLost } from '../../src/core/index.ts';
import { createClaimer } from '../../src/messages/claim.ts';
import type { SendRequest } from '../../src/messages/send-request.ts';
import type { Outbox } from '../../src/outbox/index.ts';
import type { Session } from '../../src/sessions/index.ts';
import type { HotPath } from '../../src/store/index.ts';

const parked = { id: 'number', linked: false, lease: { nodeId: 'this node', epoch: 1 } } as Partial<Session> as Session;

/** What comes of a send that the store refuses because its number is not connected here. */
function refused(moving: boolean, session: Session | undefined) {
  const claim = createClaimer({
    hot: { claim: async () => ({ outcome: 'not_connected' }) } as Partial<HotPath> as HotPath,
    vault: createVault(Buffer.alloc(32)),
    time: { now: () => 0, latest: () => 0 },
    outbox: {} as Partial<Outbox> as Outbox,
    inFlight: { lookAgain: async () => undefined },
  });
  const request = { admission: { accountId: 'account', trialMessageLimit: null }, body: { instance_id: 'number' }, moving };
  return claim({ request: request as Partial<SendRequest> as SendRequest, session, key: null, claimedAt: 0 });
}

it('says that a number is unlinked only when that is known', async () => {
  await expect(refused(true, undefined)).rejects.toThrow(OwnershipLost);
  await expect(refused(true, parked)).rejects.toMatchObject({ code: 'instance_not_connected' });
  await expect(refused(false, undefined)).rejects.toMatchObject({ code: 'instance_not_connected' });
});
