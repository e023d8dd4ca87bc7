import type { LiveInstance } from '../../../src/portal/wire/live.ts';

// What the contract's own endpoints answer, as far as the pages use them.

/** A number as GET /v1/instances lists it. */
export type Instance = Omit<LiveInstance, 'account_id'>;

/** How the linking of a number goes. */
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

/** Which passkey is asked for. */
export interface PasskeyRequest {
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly expires_at: string | null;
  readonly confirmation_code: string | null;
}

/** A code that a phone of the sandbox scanned. */
export interface Scanned {
  readonly instance_id: string;
  readonly phone_number: string;
}
