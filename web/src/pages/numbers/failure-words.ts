import type { AccountView } from '../../../../src/portal/wire/account.ts';
import { ApiError } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { allowedNumbers } from '../../parts/account/allowed-numbers.ts';

const noPlan = t('This account has no plan yet, and a plan is needed to add numbers. Ask the person who runs this gateway.');

/** The failures of this page as its reader can understand and mend them; all others stay as the server told them. */
export function inPlainWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const words = wordsFor(error);
  return words === null ? error : error.inWords(words);
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
    default:
      return plainWords[code] ?? null;
  }
}

const plainWords: Readonly<Record<string, string>> = {
  activation_unavailable: t('Your provider cannot activate another number at the moment. Please ask your provider.'),
  no_active_subscription: noPlan,
  subscription_expired: t(
    "This account's plan has expired, so no numbers can be added. Your existing numbers stay linked. Ask for a new plan.",
  ),
  account_suspended: t('This account is suspended at the moment. Ask the person who runs this gateway.'),
  access_expired: t("This account's access has ended. Ask the person who runs this gateway."),
  instance_not_found: t('This number no longer exists. Somebody may have deleted it.'),
  qr_unavailable: t('There is no code yet, because the messaging network did not answer. Try again in a moment.'),
  upstream_unavailable: t('The messaging network cannot be reached at the moment. Try again shortly.'),
};

function wordsForField(field: unknown): string | null {
  switch (field) {
    case 'phone_number':
      return t('This is not a phone number. It needs the country code, and 6 to 15 digits in all.');
    case 'code':
      return t('The code has just changed. Try again.');
    default:
      return null;
  }
}

function limitWords(limit: unknown, source: unknown): string {
  const ofPlan = source === 'plan';
  if (typeof limit !== 'number') {
    return ofPlan
      ? t('All numbers of your plan are in use. Delete one you no longer need, or ask for a larger plan.')
      : t('All numbers this account may have are in use. Delete one you no longer need, or ask the person who runs this gateway for more.');
  }
  if (limit === 0) {
    return ofPlan
      ? t('Your plan includes no numbers. To add one, ask for a larger plan.')
      : t('This account may have no numbers. To add one, ask the person who runs this gateway for more.');
  }
  return ofPlan
    ? t('Your plan includes {{count}} numbers, and all of them are in use. Delete one you no longer need, or ask for a larger plan.', {
        count: limit,
        defaultValue_one: 'Your plan includes one number, and it is in use. Delete it if you no longer need it, or ask for a larger plan.',
      })
    : t(
        'This account may have {{count}} numbers, and all of them are in use. Delete one you no longer need, or ask the person who runs this gateway for more.',
        {
          count: limit,
          defaultValue_one:
            'This account may have one number, and it is in use. Delete it if you no longer need it, or ask the person who runs this gateway for more.',
        },
      );
}

function freeSlotWords(): string {
  return t("All free slots of this operator's account are taken. Delete a number, or give the account more free slots.");
}
