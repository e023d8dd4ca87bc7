import type { InvitationView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { useChange } from '../../parts/use-change.ts';

/** Takes back an invitation to anything that the person administers. */
export function useWithdrawAnywhere() {
  return useChange(
    ({ invitation_id }: InvitationView) => call('DELETE /portal/api/operator/invitations/:id', { params: { id: invitation_id } }),
    { said: (_, { email }) => t('The invitation for {{email}} has been withdrawn.', { email }) },
  );
}
