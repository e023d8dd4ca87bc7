import { listKeys } from '../accounts/index.ts';
import type { Stages } from '../core/index.ts';
import type { MessageType } from '../kinds/index.ts';
import type { RequestRecord, Store } from '../store/index.ts';
import { iso } from './times.ts';
import type { RequestView } from './wire/index.ts';

/** The prefix of each key of an account, by its id; revoked ones included. */
export async function keyPrefixes(store: Store, accountId: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await listKeys(store, accountId)).map(({ id, prefix }) => [id, prefix]));
}

/** A request of the log as the portal answers it; `prefixes` are those of its account. */
export function requestView(record: RequestRecord, prefixes: ReadonlyMap<string, string>): RequestView {
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
    idempotency: record.idempotency as RequestView['idempotency'],
    person: record.person_email,
    key_prefix: record.key_id === null ? null : (prefixes.get(record.key_id) ?? null),
    stages: record.stages === null ? [] : stagesView(record.stages),
  };
}

const stageNames = ['admission', 'validation', 'claim', 'media', 'network', 'settle'] as const satisfies readonly (keyof Stages)[];

function stagesView(stages: Stages): RequestView['stages'] {
  return stageNames.flatMap((stage) => {
    const ms = stages[stage];
    return ms === null ? [] : [{ stage, ms }];
  });
}
