import { GatewayError } from '../core/index.ts';

/**
 * The error of a link that passed the guard and could not be downloaded. `reason` is shown to the caller and says what the caller can act on;
 * what a library said goes into `cause`, for the log.
 */
export function fetchFailure(reason: string, cause?: unknown): GatewayError {
  const error = new GatewayError('media_fetch_failed', `The file behind the link could not be downloaded: ${reason}.`);
  if (cause !== undefined) error.cause = cause;
  return error;
}
