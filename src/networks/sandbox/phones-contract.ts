import type { MessageType } from '../../kinds/index.ts';

/** What the sandbox offers besides the network contract: simulated phones, for tests and for people who try the gateway out (decisions §10). */
export interface SandboxPhones {
  /** The phone with this number scans a QR code. Null when no open attempt of the account shows the code. */
  scan(accountId: string, code: string, phoneNumber: string): Promise<{ instanceId: string; phoneNumber: string } | null>;
  /** The phone unlinks the gateway. Null when no instance of the account is linked to that number. */
  unlink(accountId: string, phoneNumber: string): Promise<{ instanceId: string } | null>;
  /** The messages that a contact (digits) received, oldest first; null when the contact does not have the message that `page` refers to. */
  messages(accountId: string, to: string, page?: SandboxPage): Promise<SandboxMessages | null>;
  /** The newest messages of a contact, as many as fit in one answer, oldest first, with what is needed to draw each file. */
  chat(accountId: string, to: string): Promise<SandboxChatMessage[]>;
  /** The contacts that have messages, most recent first: at most 200, and as many as fit in one answer. */
  contacts(accountId: string): Promise<SandboxContact[]>;
  /** A delivered file by its SHA-256 (hex). Null when the account has no such file. */
  file(accountId: string, sha256: string): Promise<SandboxFile | null>;
  /** Which phone has linked which instance, the oldest link first. */
  linkedPhones(accountId: string): Promise<SandboxLinkedPhone[]>;
  /** The QR codes that instances of the account show right now. */
  openCodes(accountId: string): Promise<SandboxOpenCode[]>;
}

export interface SandboxPage {
  /** The largest number of messages (1,000 when absent). An answer that would be too large holds fewer. */
  readonly limit?: number | undefined;
  /** Selects the newest messages before the one with this id. Without `before` and `after`, the newest messages are selected. */
  readonly before?: string | undefined;
  /** Selects the oldest messages after the one with this id. */
  readonly after?: string | undefined;
}

export interface SandboxMessages {
  /** Oldest first. */
  readonly messages: readonly SandboxMessage[];
  /** Whether there are more: older ones, or with `after` newer ones. */
  readonly hasMore: boolean;
}

export interface SandboxMessage {
  readonly message_id: string;
  readonly from: string;
  readonly to: string;
  readonly type: MessageType;
  readonly content: Readonly<Record<string, unknown>>;
  readonly quoted: { readonly message_id: string; readonly from_me: boolean } | null;
  /** ISO 8601 UTC. */
  readonly received_at: string;
}

/** A message with its file; `file` is null for a message without one. */
export interface SandboxChatMessage extends SandboxMessage {
  readonly file: SandboxFileView | null;
}

/** What a recipient's app knows about a file before opening it; unknown fields are absent. */
export interface SandboxFileView {
  /** Whether `file` returns it for the message's `content.sha256`. False when it was too large to keep or was deleted to make room for newer ones. */
  readonly available: boolean;
  /** Pixels, as shown. */
  readonly width?: number;
  readonly height?: number;
  readonly duration_seconds?: number;
  /** 64 samples from 0 to 100, of a voice note. */
  readonly waveform?: readonly number[];
  /** A small JPEG, base64. */
  readonly thumbnail?: string;
}

export interface SandboxContact {
  /** Digits. */
  readonly phone_number: string;
  readonly message_count: number;
  readonly last_message: SandboxChatMessage;
}

/** A file as it was delivered. The sender chose its media type, so it must be served in a way that no browser executes. */
export interface SandboxFile {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface SandboxLinkedPhone {
  /** Digits. */
  readonly phoneNumber: string;
  readonly instanceId: string;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

export interface SandboxOpenCode {
  readonly instanceId: string;
  readonly code: string;
  /** Counts from 1 within the attempt. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}
