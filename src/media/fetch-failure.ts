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

/** The reason when the answer of a server broke the rules of HTTP, told by the error of Node's parser; null: it did not. */
export function notHttp(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // An end in the middle is a broken connection, and headers without end are no mistake in their form.
  const others = ['HPE_INVALID_EOF_STATE', 'HPE_HEADER_OVERFLOW'];
  return code.startsWith('HPE_') && !others.includes(code) ? 'the answer of its server is not valid HTTP' : null;
}
