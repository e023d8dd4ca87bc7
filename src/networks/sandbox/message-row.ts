import { iso } from '../../core/index.ts';
import type { MessageType } from '../../kinds/index.ts';
import type { NewSandboxMessage, SandboxMessageRow } from '../../store/index.ts';
import type { MediaFile, OutgoingMessage, SandboxChatMessage, SandboxFileView, SandboxMessage } from '../index.ts';

/** The sender and the recipient of a message, and when it was sent (epoch milliseconds). */
export interface Delivery {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

/** A message as it is stored. Throws when the content cannot be written as JSON. */
export function toRow({ accountId, from, to, at }: Delivery, message: OutgoingMessage): NewSandboxMessage {
  const { media, quoted } = message;
  const content =
    media === null ? message.content : { ...message.content, mime_type: media.mimeType, size: media.size, sha256: media.sha256 };
  return {
    account_id: accountId,
    message_id: message.messageId,
    from_number: from,
    to_number: to,
    type: message.type,
    content: JSON.stringify(content),
    quoted: quoted === null ? null : JSON.stringify({ message_id: quoted.messageId, from_me: quoted.fromMe }),
    received_at: at,
    file: media === null ? null : JSON.stringify(knownOf(media)),
  };
}

/** What is stored about a file, under the names of `SandboxFileView`. */
function knownOf({ facts = {} }: MediaFile): Omit<SandboxFileView, 'available'> {
  const { width, height, durationSeconds, waveform, thumbnail } = facts;
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
    ...(waveform === undefined ? {} : { waveform: [...waveform] }),
    ...(thumbnail === undefined ? {} : { thumbnail: Buffer.from(thumbnail).toString('base64') }),
  };
}

/** A stored message as its recipient sees it. */
export function fromRow(row: SandboxMessageRow): SandboxMessage {
  return {
    message_id: row.message_id,
    from: row.from_number,
    to: row.to_number,
    // Only `toRow` writes these columns.
    type: row.type as MessageType,
    content: JSON.parse(row.content) as SandboxMessage['content'],
    quoted: row.quoted === null ? null : (JSON.parse(row.quoted) as SandboxMessage['quoted']),
    received_at: iso(row.received_at),
  };
}

/** The name (SHA-256) of a message's file; null when it has none. */
export function fileNameOf({ content }: SandboxMessage): string | null {
  return typeof content.sha256 === 'string' ? content.sha256 : null;
}

/** A message with what is known about its file. `available` are the names of the stored files. */
export function withFile(message: SandboxMessage, stored: string | null, available: ReadonlySet<string>): SandboxChatMessage {
  const name = fileNameOf(message);
  if (name === null) return { ...message, file: null };
  // Older messages were stored without this column. Only `toRow` writes it.
  const known = stored === null ? {} : (JSON.parse(stored) as Omit<SandboxFileView, 'available'>);
  return { ...message, file: { available: available.has(name), ...known } };
}
