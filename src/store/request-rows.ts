import type { Stages } from '../core/index.ts';
import type { RequestRecord, RequestRow } from './schema.ts';

/** The columns of a request in the order in which a batch is written. */
export const requestColumns = [
  'request_id',
  'at',
  'duration_ms',
  'account_id',
  'key_id',
  'person_id',
  'person_email',
  'method',
  'path',
  'status',
  'code',
  'error_message',
  'instance_id',
  'message_type',
  'message_id',
  'recipient',
  'media_host',
  'idempotency',
  'stages',
] as const satisfies readonly (keyof RequestRecord)[];

/** The values of a record's columns. */
export function requestRow(record: RequestRecord) {
  return { ...record, stages: record.stages === null ? null : stagesText(record.stages) };
}

/** The record of a row. */
export function requestRecord({ id: _, ...row }: RequestRow): RequestRecord {
  return { ...row, stages: row.stages === null ? null : stagesIn(row.stages) };
}

/** Whole microseconds of each stage, as a JSON array: a quarter of what names and fractions would take. */
function stagesText({ admission, validation, claim, media, network, settle }: Stages): string {
  return JSON.stringify([admission, validation, claim, media, network, settle].map((ms) => (ms === null ? null : Math.round(ms * 1000))));
}

function stagesIn(text: string): Stages {
  // Written by `stagesText`.
  const [admission = null, validation = null, claim = null, media = null, network = null, settle = null] = (
    JSON.parse(text) as (number | null)[]
  ).map((microseconds) => (microseconds === null ? null : microseconds / 1000));
  return { admission, validation, claim, media, network, settle };
}
