import { findRequest } from '../../src/requests/index.ts';
import type { RequestRecord, Store } from '../../src/store/index.ts';
import { waitFor } from './wait-for.ts';

/** A record with these fields; the others say nothing. */
export function requestRecord(fields: Pick<RequestRecord, 'request_id' | 'at'> & Partial<RequestRecord>): RequestRecord {
  return {
    duration_ms: 1,
    account_id: null,
    key_id: null,
    person_id: null,
    person_email: null,
    method: 'GET',
    path: '/health',
    status: 200,
    code: null,
    error_message: null,
    instance_id: null,
    message_type: null,
    message_id: null,
    recipient: null,
    media_host: null,
    idempotency: null,
    stages: null,
    ...fields,
  };
}

/** Notes a request in the log; resolves when it can be found there. */
export async function logRequest(store: Store, record: RequestRecord): Promise<void> {
  store.hot.log(record);
  await waitFor(() => findRequest(store, record.request_id));
}
