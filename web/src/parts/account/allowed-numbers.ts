import type { AccountView } from '../../../../src/portal/wire/account.ts';

/** How many numbers the account may have: an operator's account its free slots, any other its own limit or else its plan's. */
export function allowedNumbers({ operator, free_slots, instance_limit, plan }: AccountView): number {
  return operator ? (free_slots ?? 0) : (instance_limit ?? plan?.instance_limit ?? 0);
}
