import type { MessageType } from '../../kinds/index.ts';
import type { NewSandboxMessage } from '../../store/index.ts';
import type { OutgoingMessage, SandboxMessage } from '../index.ts';

/** Who a message goes between, and when (epoch milliseconds). */
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
  };
}

/** A stored message as its columns come from either dialect; PostgreSQL gives a bigint as text. */
export interface MessageRow {
  readonly message_id: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly type: string;
  readonly content: string;
  readonly quoted: string | null;
  readonly received_at: number | string;
}

/** A stored message as its recipient sees it. */
export function fromRow(row: MessageRow): SandboxMessage {
  return {
    message_id: row.message_id,
    from: row.from_number,
    to: row.to_number,
    // Only `toRow` writes these columns.
    type: row.type as MessageType,
    content: JSON.parse(row.content) as SandboxMessage['content'],
    quoted: row.quoted === null ? null : (JSON.parse(row.quoted) as SandboxMessage['quoted']),
    received_at: new Date(Number(row.received_at)).toISOString(),
  };
}
