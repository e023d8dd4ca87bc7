import type { FailureCode, RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';

export interface FailureWords {
  /** A few words for a list. */
  readonly short: string;
  /** What it means and what to do, in full sentences. */
  readonly meaning: string;
  /** Whether a send can fail like this. */
  readonly send?: true;
}

const words: Readonly<Record<FailureCode, FailureWords>> = {
  invalid_request: {
    short: t('Mistake in the request'),
    meaning: t('Something in the request was missing, too long or not allowed. The response named the field.'),
    send: true,
  },
  invalid_media_url: {
    short: t('Link not allowed'),
    meaning: t('A link in the message was not a public http or https address, or it contained a password.'),
    send: true,
  },
  missing_api_key: { short: t('No API key'), meaning: t('The program did not send an API key.') },
  invalid_api_key: {
    short: t('Wrong API key'),
    meaning: t('The API key is unknown or has been revoked. Give the program a valid key.'),
  },
  no_active_subscription: {
    short: t('No plan'),
    meaning: t('The account had no plan, and sending needs one. Ask the person who runs this gateway.'),
    send: true,
  },
  subscription_expired: {
    short: t('Plan expired'),
    meaning: t("The account's plan had expired. Ask the person who runs this gateway."),
    send: true,
  },
  account_suspended: {
    short: t('Account suspended'),
    meaning: t('The account, or its provider, was suspended. Ask the person who runs this gateway.'),
    send: true,
  },
  access_expired: {
    short: t('Access ended'),
    meaning: t("The account's access had ended. Ask the person who runs this gateway."),
    send: true,
  },
  trial_quota_exceeded: {
    short: t('Trial used up'),
    meaning: t('All trial messages have been used. A plan lets you send more.'),
    send: true,
  },
  instance_limit_reached: {
    short: t('Too many numbers'),
    meaning: t('The account already had as many numbers as it is allowed. Delete one you no longer need, or ask for a larger plan.'),
  },
  activation_unavailable: { short: t('No number available'), meaning: t('The provider could not activate another number at that time.') },
  admin_free_slot_limit_reached: { short: t('No free slots'), meaning: t("All free slots of the operator's account were taken.") },
  instance_not_found: {
    short: t('No such number'),
    meaning: t('The account has no number with this instance ID. It may have been deleted, or the ID may be wrong.'),
    send: true,
  },
  not_found: { short: t('Wrong address'), meaning: t('The program called an address that does not exist.') },
  instance_not_connected: {
    short: t('Number not connected'),
    meaning: t('The number was not linked to its phone. Link it again on the Numbers page; retrying before that does not help.'),
    send: true,
  },
  number_already_connected: {
    short: t('Linked twice'),
    meaning: t('The same phone number is already connected elsewhere in the account, and that link keeps working.'),
  },
  payload_too_large: { short: t('Request too large'), meaning: t('The request was larger than 128 KB.'), send: true },
  invalid_recipient: {
    short: t('Recipient not usable'),
    meaning: t('The recipient is no phone number, or not reachable at the moment. Retrying does not help.'),
    send: true,
  },
  media_fetch_failed: {
    short: t('No usable file'),
    meaning: t(
      'The link did not give a file that can be sent this way. Open it in a browser to see whether it gives the file itself without signing in.',
    ),
    send: true,
  },
  idempotency_key_reused: {
    short: t('Idempotency key used twice'),
    meaning: t('The same idempotency key was used before for a different message, so nothing was sent. Each message needs its own key.'),
    send: true,
  },
  rate_limit_exceeded: {
    short: t('Too many in one minute'),
    meaning: t('More was sent in one minute than the plan allows. The same request will work a little later.'),
    send: true,
  },
  internal_error: {
    short: t('Error in the gateway'),
    meaning: t('Something went wrong inside the gateway. The person who runs it can look into it with the request ID.'),
    send: true,
  },
  upstream_unavailable: {
    short: t('Network did not answer'),
    meaning: t('The messaging network could not be reached or did not answer in time. Try again shortly.'),
    send: true,
  },
  qr_unavailable: { short: t('No code yet'), meaning: t('No code was ready to scan yet. One follows within a few seconds.') },
  missing_session: { short: t('Not signed in'), meaning: t('Nobody was signed in.') },
  invalid_session: { short: t('Signed out'), meaning: t('The sign-in had ended.') },
  sign_in_failed: { short: t('Sign-in failed'), meaning: t('The e-mail address, the password or the code was wrong.') },
  forbidden: { short: t('Not allowed'), meaning: t("The person's role does not allow this.") },
  conflict: { short: t('Conflict'), meaning: t('It conflicted with what was already there.') },
  link_expired: { short: t('Link expired'), meaning: t('The one-time link has already been used or has expired.') },
};

/** What a failure's code means; a code without words speaks for itself. */
export function failureWords(code: string): FailureWords {
  return Object.hasOwn(words, code) ? words[code as FailureCode] : { short: code, meaning: '' };
}

/** What the failure of a request means. Of a recipient that is no phone number nothing is kept. */
export function failureOf({
  code,
  message_type,
  recipient,
}: Pick<RequestView, 'message_type' | 'recipient'> & { readonly code: string }): FailureWords {
  if (code !== 'invalid_recipient' || message_type === null) return failureWords(code);
  return recipient === null
    ? {
        short: t('Not a phone number'),
        meaning: t(
          'The recipient must be a phone number with country code and without a leading zero, 6 to 15 digits. Correct it in the program.',
        ),
      }
    : {
        short: t('Recipient not reachable'),
        meaning: t(
          'The recipient is not on the network, or the network does not let your number message them at the moment. Retrying does not help.',
        ),
      };
}

/** The failures a send can have, for choosing one. */
export const sendFailures: readonly { readonly code: string; readonly short: string }[] = Object.entries(words)
  .filter(([, { send }]) => send === true)
  .map(([code, { short }]) => ({ code, short }));
