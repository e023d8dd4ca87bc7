import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { ApiError } from '../../api/client.ts';
import { allowedNumbers } from '../../parts/account/allowed-numbers.ts';

const noPlan = 'This account has no plan yet, and a plan is needed to add numbers. Ask the person who runs this gateway.';

/** The failures of this page as its reader can understand and mend them; all others stay as the server told them. */
export function inPlainWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const words = wordsFor(error);
  if (words === null) return error;
  const { status, code, details, requestId } = error;
  return new ApiError({ status, code, message: words, details, requestId });
}

/** Why this account can add no further number; null when it can. */
export function whyFull(account: AccountView, numbers: number): string | null {
  const allowed = allowedNumbers(account);
  if (numbers < allowed) return null;
  if (account.operator) return freeSlotWords();
  if (account.instance_limit !== null) return limitWords(allowed, 'account');
  return account.plan === null ? noPlan : limitWords(allowed, 'plan');
}

function wordsFor({ code, details }: ApiError): string | null {
  switch (code) {
    case 'invalid_request':
      return wordsForField(details.field);
    case 'instance_limit_reached':
      return limitWords(details.instance_limit, details.limit_source);
    case 'admin_free_slot_limit_reached':
      return freeSlotWords();
    case 'activation_unavailable':
      return 'No further number can be activated with your provider at the moment. Please ask your provider.';
    case 'no_active_subscription':
      return noPlan;
    case 'subscription_expired':
      return 'The plan of this account has run out, so no number can be added. Numbers you have stay linked. Ask for a new plan.';
    case 'account_suspended':
      return 'This account is suspended at the moment. Ask the person who runs this gateway.';
    case 'access_expired':
      return 'The time this account could be used is over. Ask the person who runs this gateway.';
    case 'instance_not_found':
      return 'This number is not there any more. Somebody may have deleted it.';
    case 'qr_unavailable':
      return 'There is no code yet, because the messaging network did not answer. Try again in a moment.';
    case 'upstream_unavailable':
      return 'The messaging network cannot be reached at the moment. Try again shortly.';
    default:
      return null;
  }
}

function wordsForField(field: unknown): string | null {
  switch (field) {
    case 'phone_number':
      return 'This is not a phone number. It needs the country code, and 6 to 15 digits in all.';
    case 'code':
      return 'The code changed at that very moment. Try once more.';
    default:
      return null;
  }
}

function limitWords(limit: unknown, source: unknown): string {
  const [whose, more] =
    source === 'plan'
      ? ['Your plan includes', 'ask for a larger plan']
      : ['This account may have', 'ask the person who runs this gateway for more'];
  const before = `${whose} ${count(limit)}`;
  return limit === 0 ? `${before}. To have one, ${more}.` : `${before}, which you have already. Delete one you no longer need, or ${more}.`;
}

function freeSlotWords(): string {
  return "All free places of this operator's account are taken. Delete a number, or give the account more free slots.";
}

function count(limit: unknown): string {
  if (limit === 0) return 'no numbers';
  if (limit === 1) return 'one number';
  return typeof limit === 'number' ? `${limit} numbers` : 'a fixed count of numbers';
}
