import type { Stages } from '../../src/core/index.ts';
import type { InstanceRow, RequestRecord } from '../../src/store/index.ts';
import { requestRow } from '../../src/store/request-log.ts';
import { dayMs } from './accounts.ts';
import type { Random } from './random.ts';

const stages: Stages = { admission: 0.2, validation: 0.1, claim: 0.4, media: null, network: 40, settle: 0.6 };

interface Failure {
  readonly status: number;
  readonly code: string;
}
const failures: readonly [Failure, ...Failure[]] = [
  { status: 409, code: 'instance_not_connected' },
  { status: 422, code: 'invalid_recipient' },
  { status: 422, code: 'media_fetch_failed' },
  { status: 502, code: 'upstream_unavailable' },
];

/** The rows of so many sends over the last 30 days, oldest first; one in twenty failed. */
export function* requestRows(
  random: Random,
  { count, numbers, now }: { count: number; numbers: readonly InstanceRow[]; now: number },
): Generator<ReturnType<typeof requestRow>> {
  for (let made = 0; made < count; made++) {
    const number = numbers[random.below(numbers.length)];
    if (number === undefined) throw new Error('requests need a number');
    yield requestRow(record(random, number, now - Math.floor((1 - made / count) * 29 * dayMs)));
  }
}

function record(random: Random, number: InstanceRow, at: number): RequestRecord {
  const failed = random.chance(0.05) ? random.pick(failures) : null;
  return {
    request_id: random.id(at),
    at,
    duration_ms: 30 + random.below(200),
    account_id: number.account_id,
    key_id: number.account_id,
    person_id: null,
    person_email: null,
    method: 'POST',
    path: '/v1/messages/text',
    status: failed?.status ?? 200,
    code: failed?.code ?? null,
    error_message: failed === null ? null : 'What the answer said, in a sentence.',
    instance_id: number.id,
    message_type: 'text',
    message_id: failed === null ? `3EB0${random.hex(18).toUpperCase()}` : null,
    recipient: `55119${String(random.below(100_000_000)).padStart(8, '0')}`,
    media_host: null,
    idempotency: null,
    stages,
  };
}
