import { GatewayError } from '../core/index.ts';
import type { Role } from '../people/index.ts';
import type { AccountRow } from '../store/index.ts';

/** What says whether an account, or the provider it belongs to, is suspended. */
export interface SuspensionTerms extends Pick<AccountRow, 'status' | 'suspended_by'> {
  readonly provider_status: 'active' | 'suspended';
}

/**
 * Throws account_suspended when somebody who has this role at the account may only look at it (decisions §13): the account's own people while
 * it is suspended by whomever, the admins of its provider when an operator did that.
 */
export function refuseSuspended(role: Role, { status, suspended_by, provider_status }: SuspensionTerms): void {
  switch (role) {
    case 'operator':
      return;
    case 'provider_admin':
      if (suspended_by === 'operator' || provider_status === 'suspended') throw suspendedByOperator();
      return;
    case 'owner':
    case 'member':
      if (status === 'suspended' || provider_status === 'suspended')
        throw new GatewayError('account_suspended', 'The account is suspended: you can view everything but change nothing.');
  }
}

/** The refusal when a provider's admin wants to change or resume something that an operator suspended. */
export function suspendedByOperator(): GatewayError {
  return new GatewayError('account_suspended', 'An operator suspended this. Only an operator can change or resume it.');
}
