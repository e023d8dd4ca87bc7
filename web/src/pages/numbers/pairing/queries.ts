import { queryOptions } from '@tanstack/react-query';
import type { PairingView } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { accountKey } from '../../../api/queries.ts';

/** GET /v1/instances/{id}/qr-status. */
export interface QrStatus {
  readonly instance_id: string;
  readonly label: string | null;
  readonly status: 'open' | 'connecting' | 'close';
  readonly connected: boolean;
  readonly phone_number: string | null;
  readonly qrcode: { readonly base64: string; readonly code: string; readonly pairingCode: string | null } | null;
  readonly rotation_count: number | null;
  readonly rotation_limit: number;
  readonly exhausted: boolean;
  /** While the network asks for a passkey instead of a scan. */
  readonly passkey?: { readonly stage: PasskeyStage; readonly expires_at: string | null; readonly reason?: string };
}

export type PasskeyStage = 'requested' | 'signed' | 'confirming' | 'failed';

/** How the attempt goes. Live events say when to ask again; now and then it is asked without one. */
export function qrStatusQuery(accountId: string, id: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'qr-status', id),
    queryFn: ({ signal }) => call<QrStatus>(`${pathOf(id)}/qr-status`, { account: accountId, signal }),
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
    queryFn: ({ signal }) => call<PairingView>(`/portal/api/pairings/${encodeURIComponent(id)}`, { account: accountId, signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Begins an attempt, or joins the one that runs. With a phone number it also asks for a code to type on that phone. */
export function askForCode(id: string, options: { readonly phoneNumber?: string; readonly signal?: AbortSignal } = {}): Promise<unknown> {
  const { phoneNumber, signal } = options;
  const query = phoneNumber === undefined ? '' : `?phone_number=${encodeURIComponent(phoneNumber)}`;
  return call(`${pathOf(id)}/qr${query}`, signal === undefined ? {} : { signal });
}

function pathOf(id: string): string {
  return `/v1/instances/${encodeURIComponent(id)}`;
}
