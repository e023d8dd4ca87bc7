/** One row of the error catalogue (contract.md, "Errors"): the HTTP status, when it occurs, what to do, and the details it may carry. */
interface CatalogueEntry {
  readonly status: number;
  readonly condition: string;
  /** What the caller should do. */
  readonly cure: string;
  readonly details?: readonly string[];
}

/** Every failure the API can answer with. Routes, OpenAPI and the docs derive from this table. */
export const catalogue = {
  invalid_request: {
    status: 400,
    condition:
      'A field, header, query parameter or the body itself is missing, mistyped, too long or inconsistent; the message names the field and its position.',
    cure: 'Correct the field that details.field names; details.errors lists all of them when there are several. Sending the same request again gives the same answer.',
    details: ['field', 'errors', 'max_numbers'],
  },
  invalid_media_url: {
    status: 400,
    condition:
      'A link is malformed, not http(s), over 2048 characters, contains a user name or password, or points at a private, internal or loopback address.',
    cure: 'Give a public http or https link straight to the file. Storage inside your own network has to be allowed by the operator of the gateway (MEDIA_ALLOW_HOSTS).',
    details: ['field'],
  },
  missing_api_key: {
    status: 401,
    condition: 'The apikey header is missing.',
    cure: 'Send your API key in a request header named apikey. Authorization, X-API-Key and query parameters are not read.',
  },
  invalid_api_key: {
    status: 401,
    condition: 'The key is unknown or revoked.',
    cure: 'Check that the whole key was copied. If it was revoked, create a new one in the portal.',
  },
  no_active_subscription: {
    status: 402,
    condition: 'The account has no usable plan.',
    cure: 'Ask your provider for a plan. Linked numbers stay linked until then.',
  },
  subscription_expired: {
    status: 402,
    condition: "The account's plan has expired.",
    cure: 'Ask your provider to renew the plan. Linked numbers stay linked until then.',
  },
  account_suspended: {
    status: 403,
    condition: 'The account, or the provider it belongs to, is suspended.',
    cure: 'Ask your provider. Nothing can be sent until it is resumed; linked numbers stay linked.',
  },
  access_expired: {
    status: 403,
    condition: "The account's access period has ended.",
    cure: 'Ask your provider to extend it.',
  },
  trial_quota_exceeded: {
    status: 403,
    condition: "The trial's total message allowance is used up.",
    cure: 'Ask your provider for a plan that is not a trial. Number checks still work.',
    details: ['trial_message_limit'],
  },
  instance_limit_reached: {
    status: 403,
    condition: 'The account already has as many numbers as it is allowed.',
    cure: 'Delete a number you no longer need, or ask your provider for a larger limit.',
    details: ['instance_limit', 'limit_source'],
  },
  activation_unavailable: {
    status: 403,
    condition: 'The provider cannot activate another number at the moment.',
    cure: 'Ask your provider: all of its numbers are in use. The account itself has room.',
  },
  admin_free_slot_limit_reached: {
    status: 403,
    condition: "All free slots of a platform operator's own account are taken.",
    cure: 'Delete a number of that account, or give it more free slots.',
    details: ['instance_limit', 'limit_source'],
  },
  instance_not_found: {
    status: 404,
    condition: 'The account has no such instance.',
    cure: "List the numbers of the account with GET /v1/instances and use one of their ids. Another account's id gives the same answer.",
  },
  not_found: {
    status: 404,
    condition: 'No such path, or the path does not support this method.',
    cure: 'Compare the path and the method with this reference. Every endpoint of the API begins with /v1/.',
  },
  instance_not_connected: {
    status: 409,
    condition: 'The number is not linked right now; a person must scan again.',
    cure: 'Stop sending from this number and tell the person who has its phone: they scan a new code, in the portal or from GET /v1/instances/{id}/qr. Retrying does not help before that.',
  },
  number_already_connected: {
    status: 409,
    condition: 'The same phone number is already connected on another instance of the account.',
    cure: 'Send from the other instance, which keeps working, or scan with a phone that has another number.',
  },
  payload_too_large: {
    status: 413,
    condition: 'The request body is over 128 KB.',
    cure: 'Send less in one request. Files are never part of it: give a link to the file.',
  },
  invalid_recipient: {
    status: 422,
    condition:
      'The recipient is unusable or not reachable on the network, or the network does not let the number start new chats at the moment ' +
      '(details.reason is reach_out_blocked or new_chats_capped, or new_chat_budget for the number’s own budget, and details.until is the end, if known); do not retry.',
    cure: 'Skip this recipient. With one of these reasons, only new chats are held back: people who have written before can still be reached.',
    details: ['field', 'reason', 'until'],
  },
  media_fetch_failed: {
    status: 422,
    condition:
      'The link passed the checks but the file could not be downloaded, or it is something that cannot be sent as its kind ' +
      '(details.found is its media type), such as a web page as an image.',
    cure: 'Open the link in a private browser window: it must give the file itself, without signing in, within 60 seconds. The message says what went wrong. A file of any type can be sent as a document.',
    details: ['found'],
  },
  idempotency_key_reused: {
    status: 422,
    condition: 'The Idempotency-Key was used before with a different body.',
    cure: 'Give every message its own key, and repeat a key only with exactly the same body.',
  },
  rate_limit_exceeded: {
    status: 429,
    condition: 'The per-minute allowance of the scope is used up.',
    cure: 'Wait for the seconds in Retry-After, then send the same request again. X-RateLimit-Remaining tells in advance how much is left.',
    details: ['retry_after_seconds', 'limit_per_minute', 'scope'],
  },
  internal_error: {
    status: 500,
    condition: 'An unexpected error.',
    cure: 'Try again shortly, with the same Idempotency-Key if the request had one. If it persists, give the request_id to the person who runs the gateway.',
  },
  upstream_unavailable: {
    status: 502,
    condition:
      'The messaging network cannot be reached, did not answer in time or rejected the message (details.reason says why), or the ' +
      'storage of the gateway cannot be used (details.reason is store_unavailable); retry shortly.',
    cure:
      'Try again shortly, with the same Idempotency-Key: where answers have the header Idempotency-Replayed, that never sends twice. ' +
      'Otherwise the message may have been sent already.',
    details: ['reason'],
  },
  qr_unavailable: {
    status: 503,
    condition: 'No QR code is ready yet; retry after the seconds in Retry-After.',
    cure: 'Ask again after the seconds in Retry-After. If this continues, the gateway cannot reach the messaging network.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Whether the gateway or the network failed, and the request was not merely refused: what every error rate counts. */
export function isFailure(status: number): boolean {
  return status >= 500;
}

/** The codes of such answers. */
export const failureCodes: readonly string[] = Object.entries(catalogue).flatMap(([code, { status }]) => (isFailure(status) ? [code] : []));

/** What only a portal session meets (contract, "Authentication" §10, and the portal's own endpoints); the key path never answers with these. */
export const portalCatalogue = {
  missing_session: { status: 401, condition: 'A request from the portal came without a session cookie.' },
  invalid_session: { status: 401, condition: 'The session is unknown, has expired or was signed out.' },
  sign_in_failed: { status: 401, condition: 'The e-mail address, the password or the two-factor code is wrong.' },
  forbidden: { status: 403, condition: "The person's role does not allow this, or the request came from another site's page." },
  conflict: { status: 409, condition: 'The request conflicts with the current state, such as removing the last owner.' },
  link_expired: { status: 410, condition: 'A one-time link has already been used, has expired, or never existed.' },
} as const satisfies Record<string, Omit<CatalogueEntry, 'cure'>>;

const everyCode = { ...catalogue, ...portalCatalogue };

/** A code of the API or of the portal. */
export type AnyErrorCode = keyof typeof everyCode;

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

/** The answer to callers while the store cannot be used; the message states what that means for their request. */
export function storeUnavailable(message: string): GatewayError {
  return new GatewayError('upstream_unavailable', message, { reason: 'store_unavailable' });
}

/** A bad setting, command-line word or environment: one clear line for the person at the terminal, never sent over HTTP. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** What it is about, in the words of the portal's endpoints; undefined: no field in particular. */
  readonly field: string | undefined;

  constructor(message: string, { field, ...options }: ErrorOptions & { readonly field?: string | undefined } = {}) {
    super(message, options);
    this.field = field;
  }
}

/** The change does not fit the present state, such as removing the last owner. */
export class Conflict extends OperatorError {}

/** A person's input, made fit for one line of a message. */
export function quote(text: string): string {
  const short = [...text].slice(0, 100).join('');
  return JSON.stringify(short).replace(/\p{Cc}/gu, '?');
}

/**
 * The store cannot be read or written right now: a full disk, a lock that another program holds, a database that is down. The message is for
 * the operator; callers get upstream_unavailable with a message of its own.
 */
export class StoreUnavailable extends OperatorError {
  override readonly name = 'StoreUnavailable';
}

/** Whether an error refuses what somebody asked for or set up. A store that is away is an OperatorError too, but it says nothing about that. */
export function isRefusal(error: unknown): error is OperatorError {
  return error instanceof OperatorError && !(error instanceof StoreUnavailable);
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
