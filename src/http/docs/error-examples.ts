import type { ErrorCode } from '../../core/index.ts';
import type { FailureExample, JsonSchema } from './operation.ts';

/** One failure per code, as it looks on the wire. */
export const failureExamples: Readonly<Record<ErrorCode, FailureExample>> = {
  invalid_request: { message: 'to is required.', details: { field: 'to' } },
  invalid_media_url: {
    message: 'url must be a public http or https link to a file: it points at a private, internal or reserved address',
    details: { field: 'url' },
  },
  missing_api_key: { message: 'The apikey header is missing.' },
  invalid_api_key: { message: 'The API key is unknown or revoked.' },
  no_active_subscription: { message: 'The account has no active plan.' },
  subscription_expired: { message: 'The plan of the account has expired.' },
  account_suspended: { message: 'The account is suspended; ask your provider.' },
  access_expired: { message: 'The access period of the account has ended; ask your provider.' },
  trial_quota_exceeded: { message: 'All 100 messages of the trial are used up.', details: { trial_message_limit: 100 } },
  instance_limit_reached: {
    message: 'The account already has all 3 numbers it may have.',
    details: { instance_limit: 3, limit_source: 'plan' },
  },
  activation_unavailable: { message: 'The provider cannot activate another number now.' },
  admin_free_slot_limit_reached: {
    message: 'All 2 free slots of the account are taken.',
    details: { instance_limit: 2, limit_source: 'free_slots' },
  },
  instance_not_found: { message: 'The account has no such instance.' },
  not_found: { message: 'No such path, or the path does not support this method.' },
  instance_not_connected: { message: 'The number is not linked; a person must scan its QR code again.' },
  number_already_connected: {
    message: 'The scanned number is already connected on another instance of the account, which keeps working. Scan with another number.',
  },
  payload_too_large: { message: 'The request body is over 128 KB (131072 bytes).' },
  invalid_recipient: {
    message: 'to must be a phone number with country code and no leading zero, 6 to 15 digits.',
    details: { field: 'to' },
  },
  media_fetch_failed: { message: 'The file behind the link could not be downloaded: its server answered 404.' },
  idempotency_key_reused: { message: 'This Idempotency-Key was used before with a different body.' },
  rate_limit_exceeded: {
    message: 'Over 60 requests per minute in the scope messages; retry in 12 s.',
    details: { retry_after_seconds: 12, limit_per_minute: 60, scope: 'messages' },
  },
  internal_error: { message: 'Something went wrong on our side. Support finds the request by its request_id.' },
  upstream_unavailable: {
    message: "The gateway's storage cannot be written right now; nothing was sent by this request. Try again shortly.",
    details: { reason: 'store_unavailable' },
  },
  qr_unavailable: { message: 'No QR code is ready yet; retry in 3 s.' },
};

/** The fields that `details` may have; the catalogue has which code has which. */
export const detailFields: Readonly<Record<string, JsonSchema>> = {
  field: {
    type: 'string',
    description: 'Path of the offending field, positions counted from 0, for example `sections[1].rows[0].row_id`.',
  },
  errors: {
    type: 'array',
    description: 'Present when several fields are wrong: lists them all; `message` names the first.',
    items: {
      type: 'object',
      required: ['field', 'message'],
      properties: {
        field: { type: 'string', description: 'Path of the field.' },
        message: { type: 'string', description: 'What is expected of it.' },
      },
    },
  },
  reason: {
    type: 'string',
    description: 'The reason, as one word, where a code has several. More may be added.',
    examples: ['store_unavailable', 'reach_out_blocked'],
  },
  until: { type: 'string', format: 'date-time', description: 'When it ends, in UTC, if the network says.' },
  found: { type: 'string', description: 'The media type of what the link leads to.' },
  max_numbers: { type: 'integer', description: 'Only on numbers/check with too many numbers: the maximum per check.' },
  trial_message_limit: { type: 'integer', description: 'Messages the trial has in total.' },
  instance_limit: { type: 'integer', description: 'Numbers the account may have.' },
  limit_source: {
    type: 'string',
    description: 'Where the limit comes from: `plan`, `account` or `free_slots`. More may be added, so treat unknown ones alike.',
    examples: ['plan', 'account', 'free_slots'],
  },
  retry_after_seconds: { type: 'integer', minimum: 1, description: 'Seconds to wait; the same as the header Retry-After.' },
  limit_per_minute: { type: 'integer', description: 'Requests per minute in this scope.' },
  scope: { type: 'string', enum: ['messages', 'instances', 'sandbox'], description: 'The scope whose allowance is used up.' },
};
