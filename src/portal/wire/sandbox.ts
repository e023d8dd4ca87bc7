import type { SandboxChatMessage as StoredMessage } from '../../networks/index.ts';

/** What the page shows of a delivered file; its bytes are at GET /portal/api/sandbox/files/{sha256}, in an address that a browser fetches by itself with ?account_id=. */
export interface SandboxFile {
  /** False when it was too large to be kept. */
  readonly available: boolean;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  /** 64 samples from 0 to 100. */
  readonly waveform: readonly number[] | null;
  readonly page_count: number | null;
  /** A small JPEG, base64; null also for a picture that can be shown itself. */
  readonly thumbnail?: string | null;
}

/** A message as its recipient sees it: the contract's GET /sandbox/messages with its file; null for kinds without one. */
export interface SandboxChatMessage extends Omit<StoredMessage, 'file'> {
  readonly file: SandboxFile | null;
}

/** GET /portal/api/sandbox/contacts → { contacts }, newest first. */
export interface SandboxContact {
  /** Digits. */
  readonly number: string;
  readonly messages: number;
  readonly last: SandboxChatMessage;
}

/** GET /portal/api/sandbox/phones → { phones, open_codes }. GET /portal/api/sandbox/chats/{digits} → { messages }. Scan and unlink are the contract's /sandbox/scan and /sandbox/unlink. */
export interface SandboxPhones {
  readonly phones: readonly { readonly phone_number: string; readonly instance_id: string; readonly linked_at: string }[];
  readonly open_codes: readonly { readonly instance_id: string; readonly code: string; readonly expires_at: string }[];
}
