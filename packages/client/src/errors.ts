import type { components } from './api.ts';

export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorDetails = components['schemas']['ErrorDetails'];

type About = Pick<GatewayError, 'idempotencyKey' | 'attempts' | 'mayHaveBeenSent'>;

/** What every error of this client has. */
export class GatewayError extends Error {
  /** The key of the send, for another try that cannot double it; null on requests that are no sends. */
  readonly idempotencyKey: string | null;
  /** How often the request was made. */
  readonly attempts: number;
  /**
   * Whether the message may have been sent all the same: an answer was lost or the gateway failed, this time or an earlier one. Then repeat it
   * with `idempotencyKey` only. Also for createInstance and the like, which have no key; false for all that can be repeated safely.
   */
  readonly mayHaveBeenSent: boolean;

  constructor(message: string, { idempotencyKey, attempts, mayHaveBeenSent }: About, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
    this.mayHaveBeenSent = mayHaveBeenSent;
  }
}

/** The gateway refused the request: branch on `code`, which also has the type of `isApiError(error, code)`. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends GatewayError {
  readonly code: Code;
  readonly status: number;
  /** By which support finds the request. */
  readonly requestId: string;
  /** A page that explains the code, where the gateway knows its public address. */
  readonly docUrl: string | null;
  readonly details: ErrorDetails;

  constructor(message: string, answer: Pick<ApiError<Code>, 'code' | 'status' | 'requestId' | 'docUrl' | 'details' | keyof About>) {
    super(message, answer);
    this.code = answer.code;
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.docUrl = answer.docUrl;
    this.details = answer.details;
  }
}

/**
 * No answer of the gateway came until the deadline: a time-out, a cut connection, or the error page of a proxy. The request may have been carried
 * out; a send can be repeated with `idempotencyKey`.
 */
export class NoAnswerError extends GatewayError {
  /** What a proxy answered in the place of the gateway; null without any answer. */
  readonly status: number | null;

  constructor(message: string, about: Pick<NoAnswerError, 'status' | keyof About>, cause?: unknown) {
    super(message, about, cause);
    this.status = about.status;
  }
}

/** Whether the gateway answered with one of these codes, or with any if none is named. */
export function isApiError<Code extends ErrorCode = ErrorCode>(error: unknown, ...codes: readonly Code[]): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code));
}
