import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../api/client.ts';
import { accountKey } from '../../../../api/queries.ts';
import { useAccountId } from '../../../../session/session.ts';
import { qrStatusQuery } from '../queries.ts';

/** What is asked for. Its key begins like the one of the attempt's status, so that it is asked for again with that. */
export function passkeyQuery(accountId: string, id: string, stage: string) {
  return queryOptions({
    queryKey: [...qrStatusQuery({ account: accountId }, id).queryKey, 'passkey', stage],
    queryFn: ({ signal }) => call('GET /v1/instances/:id/passkey', { params: { id }, account: accountId, signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Gives the passkey: what the browser's `credential.toJSON()` gave. */
export function useGivePasskey(id: string) {
  const refresh = useRefresh(id);
  return useMutation({
    mutationFn: (credential: unknown) => call('POST /v1/instances/:id/passkey', { params: { id }, body: { credential } }),
    onSuccess: refresh,
  });
}

/** Says that the phone shows the same code. */
export function useConfirmPasskey(id: string) {
  const refresh = useRefresh(id);
  return useMutation({ mutationFn: () => call('POST /v1/instances/:id/passkey/confirm', { params: { id } }), onSuccess: refresh });
}

/** Ends the attempt; `onEnd` begins the next one. */
export function useGiveUp(id: string, onEnd: () => void) {
  return useMutation({
    mutationFn: () => call('DELETE /v1/instances/:id', { params: { id }, query: { logout_only: true } }),
    onSuccess: onEnd,
  });
}

function useRefresh(id: string) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  return () => queryClient.invalidateQueries({ queryKey: accountKey(accountId, 'qr-status', id) });
}
