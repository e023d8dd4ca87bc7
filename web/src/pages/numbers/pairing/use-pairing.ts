import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { PasskeyStage, QrStatus } from '../../../api/contract.ts';
import { type AskedBy, askForCode, qrStatusQuery } from './queries.ts';

/** How often a first code is asked for while the network is slow to give one, and how long after each try. */
const tries = 8;
const pauseMs = 3000;

/** What the dialog shows. */
export type PairingState =
  | { readonly kind: 'loading'; readonly slow: boolean }
  | { readonly kind: 'code'; readonly status: QrStatus; readonly code: NonNullable<QrStatus['qrcode']> }
  | { readonly kind: 'exhausted' }
  /** The network asks for a passkey. */
  | { readonly kind: 'passkey'; readonly stage: Exclude<PasskeyStage, 'failed'> }
  | { readonly kind: 'passkey-failed'; readonly reason: string }
  /** The scanned phone is linked to another number of the account. */
  | { readonly kind: 'conflict' }
  /** Linked already; its connection is coming back. */
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'linked'; readonly phoneNumber: string | null };

/** Begins a pairing attempt and follows it for as long as the dialog is open. `again` begins the next one. */
export function usePairing(by: AskedBy, id: string) {
  const queryClient = useQueryClient();
  const [round, setRound] = useState(0);
  const status = useQuery(qrStatusQuery(by, id));
  const begin = useQuery({
    // Not among the account's answers: asking again would begin another attempt.
    queryKey: ['pairing-begun', by, id, round],
    async queryFn({ signal }) {
      await askForCode(by, id, { signal });
      // The cached status belongs to the previous attempt.
      await queryClient.refetchQueries({ queryKey: qrStatusQuery(by, id).queryKey });
      return true;
    },
    placeholderData: keepPreviousData,
    retry: (count, error) => count < tries - 1 && error instanceof ApiError && error.code === 'qr_unavailable',
    retryDelay: pauseMs,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const beginning = begin.fetchStatus !== 'idle';
  return {
    /** The progress of the attempt at the last poll. */
    status,
    state: stateOf(status, { beginning, slow: begin.failureCount > 0, error: begin.isError ? begin.error : null }),
    again: () => setRound((one) => one + 1),
  };
}

function stateOf(
  status: { readonly data: QrStatus | undefined; readonly error: unknown },
  begin: { readonly beginning: boolean; readonly slow: boolean; readonly error: unknown },
): PairingState {
  const { data } = status;
  if (isCode(status.error, 'instance_not_found') || isCode(begin.error, 'instance_not_found')) return { kind: 'gone' };
  if (data?.connected === true && status.error === null) return { kind: 'linked', phoneNumber: data.phone_number };
  const reconnecting = data?.status === 'connecting' && data.rotation_count === null;
  const { stage } = data?.passkey ?? {};
  if (stage !== undefined && stage !== 'failed' && status.error === null) return { kind: 'passkey', stage };
  if (begin.beginning || data === undefined) {
    if (data?.qrcode != null && status.error === null) return { kind: 'code', status: data, code: data.qrcode };
    if (reconnecting) return { kind: 'reconnecting' };
    if (begin.beginning || status.error === null) return { kind: 'loading', slow: begin.slow };
  }
  if (isCode(status.error, 'number_already_connected')) return { kind: 'conflict' };
  if (stage === 'failed') return { kind: 'passkey-failed', reason: data?.passkey?.reason ?? '' };
  if (data?.qrcode != null) return { kind: 'code', status: data, code: data.qrcode };
  if (reconnecting) return { kind: 'reconnecting' };
  if (data?.exhausted === true) return { kind: 'exhausted' };
  const error = begin.error ?? status.error;
  if (error !== null) return { kind: 'failed', error };
  // The attempt ended without an error, for example by a disconnect in another window.
  return data?.status === 'close' ? { kind: 'exhausted' } : { kind: 'loading', slow: false };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
