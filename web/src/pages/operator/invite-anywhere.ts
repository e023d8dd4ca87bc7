import type { NewInvitationView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import type { Invitation } from '../../parts/people/invite-dialog.tsx';

/** Invites somebody to a role anywhere in what the person administers. */
export function inviteAnywhere({ email, role, account_id, provider_id }: Invitation): Promise<NewInvitationView> {
  const ofAccount = role === 'owner' || role === 'member';
  return call('POST /portal/api/operator/invitations', {
    body: { email, role, ...(ofAccount ? { account_id } : {}), ...(role === 'provider_admin' ? { provider_id } : {}) },
  });
}
