import { iso, isoOrNull } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { invitationFate } from './invitation-fate.ts';
import type { NewLink } from './one-time-links.ts';
import type { InvitationSummary } from './queries/links.ts';
import type { selectMember, selectMembers } from './queries/memberships.ts';
import type { UserWithRoles } from './queries/people.ts';
import { selectUser } from './queries/users.ts';

// What portal and command line show of people and invitations.

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

export function memberView({ id, email, name, role, two_factor_enabled, joined_at }: MemberRow) {
  return { user_id: id, email, name, role, two_factor: Boolean(two_factor_enabled), joined_at: iso(joined_at) };
}

/** A time of a session: the library for sign-in stores a date on PostgreSQL and its text on SQLite. */
function isoOfSession(at: string | Date | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** One member of an account; nothing of other accounts. */
export function memberDetail({ last_seen_at, ...member }: NonNullable<Awaited<ReturnType<typeof selectMember>>>) {
  return { ...memberView(member), last_seen_at: isoOfSession(last_seen_at) };
}

export function userView({ id, email, name, created_at, last_seen_at, memberships, ...flags }: UserWithRoles) {
  return {
    user_id: id,
    email,
    email_verified: Boolean(flags.email_verified),
    name,
    two_factor: Boolean(flags.two_factor_enabled),
    created_at: new Date(created_at).toISOString(),
    last_seen_at: isoOfSession(last_seen_at),
    memberships: memberships.map(({ user_id, ...membership }) => membership),
  };
}

export function invitationView({ id, email, role, leads_to, created_at, expires_at }: InvitationSummary) {
  return { invitation_id: id, email, role, leads_to, created_at: iso(created_at), expires_at: iso(expires_at) };
}

/** One invitation, with who made it and what became of it. */
export async function invitationDetail(store: Store, invited: InvitationSummary, now: number) {
  const { account_id, provider_id, used_at, maker_id } = invited;
  const maker = maker_id === null ? undefined : await selectUser(store.db, maker_id);
  return {
    ...invitationView(invited),
    account_id,
    provider_id,
    state: await invitationFate(store, invited, now),
    ended_at: isoOrNull(used_at),
    made_by: maker?.email ?? null,
  };
}

export function newInvitationView<Role extends string>(
  { id, createdAt, expiresAt }: NewLink,
  shown: { email: string; role: Role; leadsTo: string | null; link: string | null; mailed: boolean },
) {
  const { leadsTo, ...others } = shown;
  return { invitation_id: id, leads_to: leadsTo, created_at: iso(createdAt), expires_at: iso(expiresAt), ...others };
}
