/** One row of the error catalogue (contract.md, "Errors"): the HTTP status, when it occurs, and the details it may carry. */
interface CatalogueEntry {
  readonly status: number;
  readonly condition: string;
  readonly details?: readonly string[];
}

/** Every failure the API can answer with. Routes, OpenAPI and the docs derive from this table. */
export const catalogue = {
  invalid_request: {
    status: 400,
    condition:
      'A field, header, query parameter or the body itself is missing, mistyped, too long or inconsistent; the message names the field and its position.',
    details: ['field', 'errors', 'max_numbers'],
  },
  invalid_media_url: {
    status: 400,
    condition:
      'A link is malformed, not http(s), over 2048 characters, carries credentials, or points at a private, internal or loopback address.',
    details: ['field'],
  },
  missing_api_key: { status: 401, condition: 'The apikey header is missing.' },
  invalid_api_key: { status: 401, condition: 'The key is unknown or revoked.' },
  no_active_subscription: { status: 402, condition: 'The account has no usable plan.' },
  subscription_expired: { status: 402, condition: 'The plan of the account ran out.' },
  account_suspended: { status: 403, condition: 'The account, or the provider it belongs to, is suspended.' },
  access_expired: { status: 403, condition: 'The validity period of the account has passed.' },
  trial_quota_exceeded: {
    status: 403,
    condition: "The trial's total message allowance is used up.",
    details: ['trial_message_limit'],
  },
  instance_limit_reached: {
    status: 403,
    condition: 'The account already has as many numbers as it may have.',
    details: ['instance_limit', 'limit_source'],
  },
  activation_unavailable: { status: 403, condition: 'The provider cannot activate another number now.' },
  admin_free_slot_limit_reached: {
    status: 403,
    condition: "All free slots of a platform operator's own account are taken.",
    details: ['instance_limit', 'limit_source'],
  },
  instance_not_found: { status: 404, condition: 'The account has no such instance.' },
  not_found: { status: 404, condition: 'No such path, or the path does not know this method.' },
  instance_not_connected: {
    status: 409,
    condition: 'The number is not linked right now; a person must scan again.',
  },
  number_already_connected: {
    status: 409,
    condition: 'The same network number is already connected on another instance of the account.',
  },
  payload_too_large: { status: 413, condition: 'The request body is over 128 KB.' },
  invalid_recipient: {
    status: 422,
    condition:
      'The recipient is unusable or not reachable on the network, or the network does not let the number start new chats at present ' +
      '(details.reason is reach_out_blocked or new_chats_capped, and details.until tells the end when it is known); do not retry.',
    details: ['field', 'reason', 'until'],
  },
  media_fetch_failed: { status: 422, condition: 'The link passed the checks but the file could not be downloaded.' },
  idempotency_key_reused: { status: 422, condition: 'The Idempotency-Key was used before with a different body.' },
  rate_limit_exceeded: {
    status: 429,
    condition: 'The per-minute allowance of the scope is used up.',
    details: ['retry_after_seconds', 'limit_per_minute', 'scope'],
  },
  internal_error: { status: 500, condition: 'An unexpected error.' },
  upstream_unavailable: {
    status: 502,
    condition:
      'The messaging network cannot be reached, did not answer in time or rejected the message (details.reason is its word for why), or the ' +
      'storage of the gateway cannot be used (details.reason is store_unavailable); retry shortly.',
    details: ['reason'],
  },
  qr_unavailable: { status: 503, condition: 'No QR code is ready yet; retry after the seconds in Retry-After.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** What only a portal session meets (contract, "Authentication" §10, and the portal's own endpoints); the key path never answers with these. */
export const portalCatalogue = {
  missing_session: { status: 401, condition: 'A request of the portal came without a session cookie.' },
  invalid_session: { status: 401, condition: 'The session is unknown, has expired or was signed out.' },
  sign_in_failed: { status: 401, condition: 'The e-mail address, the password or the two-factor code is wrong.' },
  forbidden: { status: 403, condition: "The person's role does not allow this, or another site's page asked." },
  conflict: { status: 409, condition: 'It does not fit what is there, such as taking away the last owner.' },
  link_expired: { status: 410, condition: 'A one-time link was used already, is too old, or never existed.' },
} as const satisfies Record<string, CatalogueEntry>;

const everyCode = { ...catalogue, ...portalCatalogue };

/** A code of the API or of the portal. */
export type AnyErrorCode = keyof typeof everyCode;

/** Whether the text is a code that this release knows. */
export function isErrorCode(text: string): text is AnyErrorCode {
  return Object.hasOwn(everyCode, text);
}

/** A failure that is answered with its catalogue code. The message is shown to the caller, so it holds nothing internal. */
export class GatewayError extends Error {
  readonly code: AnyErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: AnyErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return everyCode[this.code].status;
  }
}

/** The answer to callers while the store cannot be used; the message says what that means for what they asked. */
export function storeUnavailable(message: string): GatewayError {
  return new GatewayError('upstream_unavailable', message, { reason: 'store_unavailable' });
}

/** A bad setting, command-line word or environment: one clear line for the person at the terminal, never sent over HTTP. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/**
 * The store cannot be read or written right now: a full disk, a lock that another program holds, a database that is away. The message is for
 * the operator; callers get upstream_unavailable with words of its own.
 */
export class StoreUnavailable extends OperatorError {
  override readonly name = 'StoreUnavailable';
}

/** A number has another owner by now; nothing was written. Whoever gets this closes its link to the number and forgets it. */
export class OwnershipLost extends Error {
  override readonly name = 'OwnershipLost';

  constructor() {
    super('another server owns the number now');
  }
}

/** Why a request found no instance. `moving`: it exists, but another server may own it. */
export function noInstance({ moving }: { readonly moving: boolean }): GatewayError | OwnershipLost {
  return moving ? new OwnershipLost() : new GatewayError('instance_not_found', 'The account has no such instance.');
}
