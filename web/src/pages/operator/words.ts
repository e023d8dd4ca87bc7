import type { UserView } from '../../../../src/portal/wire/operator.ts';
import { roleIn } from '../../parts/people/role-name.ts';

/** A role of somebody with where it holds. */
export type Membership = UserView['memberships'][number];

/** "Owner of Corner Shop". */
export function membershipText({ role, account_name, provider_name }: Membership): string {
  return roleIn(role, account_name ?? provider_name);
}

/** Tells the roles of one person apart. */
export function keyOfMembership({ role, account_id, provider_id }: Membership): string {
  return `${role} ${account_id ?? provider_id ?? ''}`;
}
