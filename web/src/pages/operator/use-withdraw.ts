import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { useChange } from '../../parts/use-change.ts';
import { invitationsPath } from './queries.ts';

/** Takes back an invitation to anything that the person administers. */
export function useWithdrawAnywhere() {
  return useChange(
    ({ invitation_id }: InvitationView) => call(`${invitationsPath}/${encodeURIComponent(invitation_id)}`, { method: 'DELETE' }),
    { said: (_, { email }) => t('The invitation for {{email}} has been withdrawn.', { email }) },
  );
}
