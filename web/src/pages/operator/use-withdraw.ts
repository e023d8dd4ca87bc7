import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { useChange } from './use-change.ts';

/** Takes an unused invitation back, whatever it leads to. */
export function useWithdraw() {
  return useChange(
    ({ invitation_id }: InvitationView) =>
      call(`/portal/api/operator/invitations/${encodeURIComponent(invitation_id)}`, { method: 'DELETE' }),
    { said: (_, { email }) => `The invitation of ${email} is withdrawn.` },
  );
}
