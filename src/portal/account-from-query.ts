import type { onRequestHookHandler } from 'fastify';

/**
 * Hook, before those of person.ts, for requests that a browser makes without our headers (a stream, a picture, a download): the account
 * may stand in `?account_id=` instead of X-Account-Id.
 */
export const accountFromQuery: onRequestHookHandler = (request, _reply, done) => {
  const { account_id: asked } = request.query as { account_id?: unknown };
  if (typeof asked === 'string') request.headers['x-account-id'] ??= asked;
  done();
};
