import type { FailureCode } from '../../../../src/portal/wire/index.ts';

export interface FailureWords {
  /** A few words for a list. */
  readonly short: string;
  /** What it means and what to do, in full sentences. */
  readonly meaning: string;
  /** Whether a send can fail like this. */
  readonly send?: true;
}

const askOperator = 'Ask the person who runs this gateway.';

const words: Readonly<Record<FailureCode, FailureWords>> = {
  invalid_request: {
    short: 'Mistake in the request',
    meaning: 'Something in the request was missing, too long or did not fit. The answer to the request named the field.',
    send: true,
  },
  invalid_media_url: {
    short: 'Link not allowed',
    meaning: 'A link in the message was not a public http or https address of a file, or it carried a password.',
    send: true,
  },
  missing_api_key: { short: 'No API key', meaning: 'The program sent no API key along.' },
  invalid_api_key: {
    short: 'Wrong API key',
    meaning: 'The API key is unknown, or somebody revoked it. Give the program a key that works.',
  },
  no_active_subscription: { short: 'No plan', meaning: `The account had no plan, and sending needs one. ${askOperator}`, send: true },
  subscription_expired: { short: 'Plan ran out', meaning: `The plan of the account had run out. ${askOperator}`, send: true },
  account_suspended: { short: 'Account suspended', meaning: `The account, or its provider, was suspended. ${askOperator}`, send: true },
  access_expired: { short: 'Access ended', meaning: `The time the account could be used was over. ${askOperator}`, send: true },
  trial_quota_exceeded: {
    short: 'Trial used up',
    meaning: 'All messages of the trial are used. A plan lets you send more.',
    send: true,
  },
  instance_limit_reached: {
    short: 'Too many numbers',
    meaning: 'The account already had as many numbers as it may have. Delete one that is no longer needed, or ask for a larger plan.',
  },
  activation_unavailable: { short: 'No number available', meaning: 'The provider could not activate another number at that time.' },
  admin_free_slot_limit_reached: { short: 'No free slots', meaning: "All free slots of the operator's account were taken." },
  instance_not_found: {
    short: 'No such number',
    meaning: 'The account has no number with this instance ID. It may have been deleted, or the ID was copied wrong.',
    send: true,
  },
  not_found: { short: 'No such address', meaning: 'The program asked for an address that does not exist.' },
  instance_not_connected: {
    short: 'Number not connected',
    meaning: 'The number was not linked to its phone. Link it again on the Numbers page; trying again before does not help.',
    send: true,
  },
  number_already_connected: {
    short: 'Linked twice',
    meaning: 'The same phone number is already connected elsewhere in the account, and that link keeps working.',
  },
  payload_too_large: { short: 'Request too large', meaning: 'The request was larger than 128 KB.', send: true },
  invalid_recipient: {
    short: 'Recipient not reachable',
    meaning:
      'The number is not on the network, or the network does not let your number write to it at present. Trying again does not help.',
    send: true,
  },
  media_fetch_failed: {
    short: 'File not loaded',
    meaning: 'The file behind the link could not be downloaded. Open the link in a browser to see whether it works without signing in.',
    send: true,
  },
  idempotency_key_reused: {
    short: 'Idempotency key used twice',
    meaning: 'The same idempotency key was used before for a different message, so nothing was sent. Each message needs a key of its own.',
    send: true,
  },
  rate_limit_exceeded: {
    short: 'Too many in a minute',
    meaning: 'More was sent in one minute than the plan allows. The same request works again a little later.',
    send: true,
  },
  internal_error: {
    short: 'Error in the gateway',
    meaning: 'Something went wrong inside the gateway. The person who runs it can find out more with the request ID.',
    send: true,
  },
  upstream_unavailable: {
    short: 'Network did not answer',
    meaning: 'The messaging network could not be reached or did not answer in time. Try again shortly.',
    send: true,
  },
  qr_unavailable: { short: 'No code yet', meaning: 'No code to scan was ready yet. It comes a few seconds later.' },
  missing_session: { short: 'Not signed in', meaning: 'Nobody was signed in.' },
  invalid_session: { short: 'Signed out', meaning: 'The sign-in had ended.' },
  sign_in_failed: { short: 'Sign-in failed', meaning: 'The e-mail address, the password or the code was wrong.' },
  forbidden: { short: 'Not allowed', meaning: "The person's role does not allow this." },
  conflict: { short: 'Does not fit', meaning: 'It did not fit what was there.' },
  link_expired: { short: 'Link expired', meaning: 'The one-time link was used already, or is too old.' },
};

/** What a failure's code means; a code without words speaks for itself. */
export function failureWords(code: string): FailureWords {
  return Object.hasOwn(words, code) ? words[code as FailureCode] : { short: code, meaning: '' };
}

/** The failures a send can have, for choosing one. */
export const sendFailures: readonly { readonly code: string; readonly short: string }[] = Object.entries(words)
  .filter(([, { send }]) => send === true)
  .map(([code, { short }]) => ({ code, short }));
