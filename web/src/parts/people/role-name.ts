/** A role as people say it. */
export function roleName(role: string): string {
  switch (role) {
    case 'operator':
      return 'Operator';
    case 'provider_admin':
      return 'Provider admin';
    case 'owner':
      return 'Owner';
    case 'member':
      return 'Member';
    default:
      return role;
  }
}
