import { ApiError, callRaw } from '../../api/client.ts';
import { atField } from '../../api/field-errors.ts';
import { t } from '../../language/language.ts';
import type { Problems } from './form/problems.tsx';

/** What came back for a send. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: unknown;
  readonly requestId: string;
  readonly outcome: Accepted | Refused;
  /** It had been accepted before, and was not sent again. */
  readonly replayed: boolean;
  /** False: the message may have gone out all the same. */
  readonly confirmed: boolean;
}

export interface Accepted {
  readonly accepted: true;
  readonly messageId: string | null;
  /** Digits. */
  readonly to: string;
  readonly instanceId: string;
}

export interface Refused {
  readonly accepted: false;
  readonly code: string;
  readonly message: string;
  readonly problems: Problems;
}

/** The server itself waits for a file and for the network, so this is longer than both. */
const waitMs = 180_000;

const shownHeaders = [
  'idempotency-replayed',
  'x-ratelimit-scope',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
];

interface SendOptions {
  readonly idempotencyKey: string;
  /** Whether the gateway knows such keys, so that the same message can be sent again. */
  readonly once: boolean;
}

/** Sends a message and tells what came back, good or bad. Throws ApiError when nothing came back, or the session is over. */
export async function sendMessage(type: string, body: unknown, { idempotencyKey, once }: SendOptions): Promise<Answer> {
  const raw = await callRaw('POST /portal/api/messages/:type', {
    params: { type },
    body,
    timeoutMs: waitMs,
    headers: { 'idempotency-key': idempotencyKey },
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    // The request may have arrived although its answer did not.
    const message = once
      ? t('No response came, so the message may have been sent. Trying again is safe: it arrives at most once.')
      : t('No response came. Check Activity before sending again: the message may have been sent.');
    throw error.inWords(message);
  });
  const envelope = raw.body as Envelope;
  if (!envelope.success && raw.status === 401) {
    throw new ApiError({ ...envelope.error, status: raw.status, requestId: envelope.request_id });
  }
  return {
    status: raw.status,
    headers: shownHeaders.flatMap((name) => {
      const value = raw.headers.get(name);
      return value === null ? [] : [{ name, value }];
    }),
    body: raw.body,
    requestId: envelope.request_id,
    outcome: envelope.success ? accepted(envelope.data) : refused(envelope.error),
    replayed: raw.headers.get('idempotency-replayed') === 'true',
    confirmed: raw.status < 500,
  };
}

interface SendResult {
  readonly message_id: string | null;
  readonly to: string;
  readonly instance_id: string;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: {
    readonly field?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
}

type Envelope =
  | { readonly success: true; readonly data: SendResult; readonly request_id: string }
  | { readonly success: false; readonly error: Failure; readonly request_id: string };

function accepted({ message_id, to, instance_id }: SendResult): Accepted {
  return { accepted: true, messageId: message_id, to, instanceId: instance_id };
}

/** Failures that are about one field, whether or not the answer names it. */
const fieldOf: Readonly<Record<string, string>> = {
  invalid_recipient: 'to',
  instance_not_found: 'instance_id',
  instance_not_connected: 'instance_id',
  idempotency_key_reused: 'Idempotency-Key',
};

function refused({ code, message, details }: Failure): Refused {
  const { field = fieldOf[code], errors = field === undefined ? [] : [{ field, message }] } = details ?? {};
  return { accepted: false, code, message, problems: new Map(errors.map((one) => [one.field, atField(one)])) };
}
