import type { InvitationSummary, NewLink, selectMembers, UserWithRoles } from '../accounts/index.ts';
import { iso } from './times.ts';
import type { InvitationView, MemberView, NewInvitationView, Role, UserView } from './wire/index.ts';

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** A member of an account as the portal answers it. */
export function memberView({ id, email, name, role, two_factor_enabled, joined_at }: MemberRow): MemberView {
  return { user_id: id, email, name, role, two_factor: Boolean(two_factor_enabled), joined_at: iso(joined_at) };
}

/** A person with roles as the portal answers it. */
export function userView({ id, email, name, created_at, last_seen_at, memberships, ...flags }: UserWithRoles): UserView {
  return {
    user_id: id,
    email,
    email_verified: Boolean(flags.email_verified),
    name,
    two_factor: Boolean(flags.two_factor_enabled),
    created_at: new Date(created_at).toISOString(),
    last_seen_at: last_seen_at === null ? null : new Date(last_seen_at).toISOString(),
    memberships: memberships.map(({ user_id, ...membership }) => membership),
  };
}

/** Invitations as the portal answers them. */
export function invitationViews(invitations: readonly InvitationSummary[]): InvitationView[] {
  return invitations.flatMap(({ id, email, role, leads_to, created_at, expires_at }) =>
    // An invitation has both; other links, which may lack them, are not listed.
    email === null || role === null
      ? []
      : [{ invitation_id: id, email, role, leads_to, created_at: iso(created_at), expires_at: iso(expires_at) }],
  );
}

/** An invitation just made. */
export function newInvitationView(
  { id, createdAt, expiresAt }: NewLink,
  told: { email: string; role: Role; leadsTo: string | null; link: string | null; mailed: boolean },
): NewInvitationView {
  return {
    invitation_id: id,
    email: told.email,
    role: told.role,
    leads_to: told.leadsTo,
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
    link: told.link,
    mailed: told.mailed,
  };
}
