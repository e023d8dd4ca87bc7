import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../../api/client.ts';
import { accountKey } from '../../../api/queries.ts';

/** Who asks about a pairing: people who act for the account, or whoever has the scan link with this token. */
export type AskedBy = { readonly account: string } | { readonly token: string };

/**
 * How the attempt goes. Live events say when to ask again; now and then it is asked without one. By a scan link there are no events, and a code
 * that is renewed while a phone scans it must be redrawn at once.
 */
export function qrStatusQuery(by: AskedBy, id: string) {
  return queryOptions({
    queryKey: 'token' in by ? ['link', by.token, 'qr-status', id] : accountKey(by.account, 'qr-status', id),
    queryFn: ({ signal }) =>
      'token' in by
        ? call('GET /portal/api/links/:token/instances/:id/qr-status', { params: { token: by.token, id }, signal })
        : call('GET /v1/instances/:id/qr-status', { params: { id }, account: by.account, signal }),
    refetchInterval: ({ state: { error } }) => ('account' in by ? 10_000 : isExpiredLink(error) ? false : 1_000),
    // A code from an earlier poll may have expired.
    gcTime: 0,
    staleTime: 0,
  });
}

/** How long the code on show lives. */
export function pairingQuery(accountId: string, id: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'pairing', id),
    queryFn: ({ signal }) => call('GET /portal/api/pairings/:id', { params: { id }, account: accountId, signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Begins an attempt, or joins the one that runs. With a phone number it also asks for a code to type on that phone. */
export function askForCode(
  by: AskedBy,
  id: string,
  options: { readonly phoneNumber?: string; readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  const { phoneNumber, signal } = options;
  const query = { phone_number: phoneNumber };
  if ('account' in by) return call('GET /v1/instances/:id/qr', { params: { id }, query, signal });
  return call('GET /portal/api/links/:token/instances/:id/qr', { params: { token: by.token, id }, query, signal });
}

/** Whether a one-time link no longer works. */
export function isExpiredLink(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'link_expired';
}
