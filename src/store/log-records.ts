import type { Stages } from '../core/index.ts';
import type { RequestRecord } from './schema.ts';

/**
 * Request records as the text of a segment: JSON of runs, one after the other in the order of the requests. A run is what its requests have in
 * common, and a row for each with the rest: neighbours are mostly alike, so that half of the text need not be written.
 */
type Run = readonly [common: readonly unknown[], rows: readonly (readonly unknown[])[]];

/** The runs of these records, without the brackets of the segment: what was written of one moment can be joined to that of the next. */
export function runsText(records: readonly RequestRecord[]): string {
  const runs: Run[] = [];
  let first: RequestRecord | null = null;
  let rows: unknown[][] = [];
  for (const record of records) {
    if (first === null || !haveInCommon(first, record)) {
      first = record;
      rows = [];
      runs.push([commonOf(record), rows]);
    }
    rows.push(rowOf(record));
  }
  return JSON.stringify(runs).slice(1, -1);
}

/** The text of a segment. */
export function segmentText(runs: readonly string[]): string {
  return `[${runs.join(',')}]`;
}

/** The records in a segment's text. */
export function readSegment(text: string): RequestRecord[] {
  // Written by `runsText`.
  const runs = JSON.parse(text) as Run[];
  return runs.flatMap(([common, rows]) => rows.map((row) => recordOf(common, row)));
}

// Field by field, and not by a list of names: looking fields up by their names would cost more than everything else here.

function haveInCommon(one: RequestRecord, other: RequestRecord): boolean {
  return (
    one.account_id === other.account_id &&
    one.key_id === other.key_id &&
    one.person_id === other.person_id &&
    one.method === other.method &&
    one.path === other.path &&
    one.status === other.status &&
    one.code === other.code &&
    one.instance_id === other.instance_id &&
    one.message_type === other.message_type &&
    one.idempotency === other.idempotency &&
    one.error_message === other.error_message &&
    one.media_host === other.media_host
  );
}

function commonOf(record: RequestRecord): unknown[] {
  const { account_id, key_id, method, path, status, code, instance_id, message_type, idempotency } = record;
  const { person_id, person_email, error_message, media_host } = record;
  const common = [account_id, key_id, method, path, status, code, instance_id, message_type, idempotency];
  // Most requests come with a key, succeed and have no file: their runs are as those of versions that knew none of this.
  if (error_message !== null || media_host !== null) return [...common, person_id, person_email, error_message, media_host];
  return person_id === null ? common : [...common, person_id, person_email];
}

function rowOf({ request_id, at, duration_ms, message_id, recipient, stages }: RequestRecord): unknown[] {
  if (stages !== null) {
    return [
      request_id,
      at,
      duration_ms,
      message_id,
      recipient,
      inMicroseconds(stages.admission),
      inMicroseconds(stages.validation),
      inMicroseconds(stages.claim),
      inMicroseconds(stages.media),
      inMicroseconds(stages.network),
      inMicroseconds(stages.settle),
    ];
  }
  return message_id === null && recipient === null ? [request_id, at, duration_ms] : [request_id, at, duration_ms, message_id, recipient];
}

function recordOf(common: readonly unknown[], row: readonly unknown[]): RequestRecord {
  const [account_id, key_id, method, path, status, code, instance_id, message_type, idempotency, ...later] = common;
  const [person_id = null, person_email = null, error_message = null, media_host = null] = later;
  const [request_id, at, duration_ms, message_id = null, recipient = null, ...stages] = row;
  return {
    request_id,
    at,
    duration_ms,
    account_id,
    key_id,
    person_id,
    person_email,
    method,
    path,
    status,
    code,
    error_message,
    instance_id,
    message_type,
    message_id,
    recipient,
    media_host,
    idempotency,
    stages: stages.length === 0 ? null : stagesIn(stages),
  } as RequestRecord;
}

function stagesIn(row: readonly unknown[]): Stages {
  const [admission, validation, claim, media, network, settle] = row.map((microseconds) =>
    typeof microseconds === 'number' ? microseconds / 1000 : null,
  );
  return {
    admission: admission ?? null,
    validation: validation ?? null,
    claim: claim ?? null,
    media: media ?? null,
    network: network ?? null,
    settle: settle ?? null,
  };
}

// Whole numbers are shorter, and sooner written.
function inMicroseconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000);
}
