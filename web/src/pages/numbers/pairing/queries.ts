import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { accountKey } from '../../../api/queries.ts';

/** How the attempt goes. Live events say when to ask again; now and then it is asked without one. */
export function qrStatusQuery(accountId: string, id: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'qr-status', id),
    queryFn: ({ signal }) => call('GET /v1/instances/:id/qr-status', { params: { id }, account: accountId, signal }),
    refetchInterval: 10_000,
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
export function askForCode(id: string, options: { readonly phoneNumber?: string; readonly signal?: AbortSignal } = {}): Promise<unknown> {
  const { phoneNumber, signal } = options;
  return call('GET /v1/instances/:id/qr', { params: { id }, query: { phone_number: phoneNumber }, signal });
}
