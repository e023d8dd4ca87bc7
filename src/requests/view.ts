import { iso } from '../core/index.ts';
import type { MessageType } from '../kinds/index.ts';
import type { RequestRecord } from '../store/index.ts';

/** A request of the log as portal and command line show it; each adds who asked. */
export function requestView(record: RequestRecord) {
  return {
    request_id: record.request_id,
    at: iso(record.at),
    duration_ms: record.duration_ms,
    method: record.method,
    path: record.path,
    status: record.status,
    code: record.code,
    error_message: record.error_message,
    instance_id: record.instance_id,
    // Only our own routes note a type and how idempotency went, each with its own word.
    message_type: record.message_type as MessageType | null,
    message_id: record.message_id,
    recipient: record.recipient,
    media_host: record.media_host,
    idempotency: record.idempotency as 'new' | 'replayed' | null,
  };
}
