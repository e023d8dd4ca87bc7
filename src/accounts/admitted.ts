import { GatewayError } from '../core/index.ts';
import type { Admission } from '../store/index.ts';

/**
 * The admission when its request may go on; otherwise throws the GatewayError that comes first in the contract's order
 * ("Authentication" §8). `now` is in epoch milliseconds; whatever ends at T is over at T. `planRequired` is false for the instance
 * endpoints that keep working when a plan has lapsed.
 */
export function admitted(admission: Admission | null, now: number, options: { readonly planRequired: boolean }): Admission {
  if (admission === null) throw new GatewayError('invalid_api_key', 'The API key is unknown or revoked.');
  if (admission.accountStatus === 'suspended' || admission.providerStatus === 'suspended') {
    throw new GatewayError('account_suspended', 'The account is suspended; ask your provider.');
  }
  if (admission.accessEndsAt !== null && admission.accessEndsAt <= now) {
    throw new GatewayError('access_expired', 'The validity period of the account has passed; ask your provider.');
  }
  if (options.planRequired) {
    if (admission.planId === null || (admission.planStartsAt !== null && admission.planStartsAt > now)) {
      throw new GatewayError('no_active_subscription', 'The account has no active plan.');
    }
    if (admission.planEndsAt !== null && admission.planEndsAt <= now) {
      throw new GatewayError('subscription_expired', 'The plan of the account ran out.');
    }
  }
  return admission;
}
