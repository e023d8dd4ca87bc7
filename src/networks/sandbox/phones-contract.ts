import type { MessageType } from '../../kinds/index.ts';

/** What the sandbox offers besides the network contract: the phone of a person, to be played by a test or a newcomer (decisions §10). */
export interface SandboxPhones {
  /** A phone with this number scans the QR with this code. Null when no open attempt of the account shows the code. */
  scan(accountId: string, code: string, phoneNumber: string): Promise<{ instanceId: string; phoneNumber: string } | null>;
  /** The phone unlinks the gateway. Null when no instance of the account is linked to that number. */
  unlink(accountId: string, phoneNumber: string): Promise<{ instanceId: string } | null>;
  /** What a contact (digits) received, oldest first; null when the page begins at a message that the contact does not have. */
  messages(accountId: string, to: string, page?: SandboxPage): Promise<SandboxMessages | null>;
  /** The newest messages of a contact with what it takes to draw each file, oldest first; as many as one answer holds. */
  chat(accountId: string, to: string): Promise<SandboxChatMessage[]>;
  /** The contacts that have messages, the one with the newest first; at most 200, and as many as one answer holds. */
  contacts(accountId: string): Promise<SandboxContact[]>;
  /** A delivered file by its SHA-256 (hex). Null when none such is kept for the account. */
  file(accountId: string, sha256: string): Promise<SandboxFile | null>;
  /** Which phone has linked which instance, the oldest link first. */
  linkedPhones(accountId: string): Promise<SandboxLinkedPhone[]>;
  /** The QR codes that instances of the account show right now. */
  openCodes(accountId: string): Promise<SandboxOpenCode[]>;
}

/** Selects some of the messages that a contact received. */
export interface SandboxPage {
  /** At most so many (1,000 when absent). An answer that would be too large holds fewer. */
  readonly limit?: number | undefined;
  /** Of the messages before the one with this id, the newest; without `before` and `after` the newest of all. */
  readonly before?: string | undefined;
  /** Of the messages after the one with this id, the oldest. */
  readonly after?: string | undefined;
}

/** A part of what a contact received. */
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

/** What a recipient's app knows of a file before opening it; what is not known is absent. */
export interface SandboxFileView {
  /** Whether `file` has it under the message's `content.sha256`: not when it was too large to be kept, or has made room for newer ones. */
  readonly available: boolean;
  /** Pixels, as shown. */
  readonly width?: number;
  readonly height?: number;
  readonly duration_seconds?: number;
  /** 64 samples from 0 to 100, of a voice note. */
  readonly waveform?: readonly number[];
  readonly page_count?: number;
  /** A small JPEG, base64. */
  readonly thumbnail?: string;
}

/** A contact that received messages. */
export interface SandboxContact {
  /** Digits. */
  readonly phone_number: string;
  readonly message_count: number;
  readonly last_message: SandboxChatMessage;
}

/** A file as it was delivered. The sender chose its media type, so serve it in a way that no browser runs it. */
export interface SandboxFile {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A phone and one of its linked devices. */
export interface SandboxLinkedPhone {
  /** Digits. */
  readonly phoneNumber: string;
  readonly instanceId: string;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

/** A QR code on show. */
export interface SandboxOpenCode {
  readonly instanceId: string;
  readonly code: string;
  /** Counts from 1 within the attempt. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}
