import type { Command } from 'commander';
import { iso, type Stages } from '../core/index.ts';
import { findRequest, listSends, requestView, type SendRecord } from '../requests/index.ts';
import type { RequestRecord } from '../store/index.ts';
import { phoneNumber, time, wholeNumber } from './arguments.ts';
import { type Run, withStore } from './environment.ts';
import { type Columns, fields, list, print } from './output.ts';

const listed = { usual: 50, bounds: { min: 1, max: 10_000 } };

interface ListOptions {
  readonly account?: string;
  readonly to?: string;
  readonly messageId?: string;
  readonly number?: string;
  readonly failed?: true;
  readonly since?: number;
  readonly limit?: number;
}

export function addRequest(program: Command, run: Run): void {
  const group = program
    .command('request')
    .summary('the request log, for support')
    .description('Search the request log, which keeps every request for 30 days but never what a message said.');

  group
    .command('list')
    .summary('the sends of an account, or of all')
    .description('List the sends of the last 30 days, newest first, of one account or of all.')
    .option('--account <id>', 'only what this account sent')
    .option('--to <number>', 'only sends to this phone number', phoneNumber)
    .option('--message-id <id>', 'only the send of this message')
    .option('--number <id>', 'only sends from this number (its instance id)')
    .option('--failed', 'only sends that were answered with an error')
    .option('--since <time>', 'only sends since this day or time, ISO 8601', time)
    .option('--limit <n>', `how many sends, up to ${listed.bounds.max} (default: ${listed.usual})`, wholeNumber(listed.bounds))
    .addHelpText(
      'after',
      `
Examples:
  gateway request list --account ID --failed --since 2026-12-31
  gateway request list --to 4915112345678 --limit 5`,
    )
    .action(async (options: ListOptions, command: Command) => {
      const { account, to: recipient, messageId, number: instanceId, failed, since, limit = listed.usual } = options;
      const filter = { recipient, messageId, instanceId, since, outcome: failed === true ? ('failed' as const) : undefined };
      const sends = await withStore(run, (store) => listSends(store, account ?? null, filter, { limit, now: run.environment.clock.now() }));
      const columns: Columns<SendRecord> = {
        AT: ({ at }) => iso(at),
        'REQUEST ID': ({ request_id }) => request_id,
        'ACCOUNT ID': account === undefined && (({ account_id }) => account_id),
        'INSTANCE ID': ({ instance_id }) => instance_id,
        MESSAGE: ({ message_type }) => message_type,
        TO: ({ recipient }) => recipient,
        ANSWER: answerText,
        'MESSAGE ID': ({ message_id }) => message_id,
        WHY: ({ error_message }) => error_message,
      };
      print(run, command, sends.map(requestJson), list(sends, columns, 'No such sends.'));
    });

  group
    .command('show')
    .description('Show one request by the request_id of its response (also in the header X-Request-Id).')
    .argument('<request-id>')
    .action(async (id: string, _options: object, command: Command) => {
      const row = await withStore(run, (store) => findRequest(store, id));
      const text = fields([
        ['request id', row.request_id],
        ['at', iso(row.at)],
        ['request', `${row.method} ${row.path}`],
        ['answer', answerText(row)],
        ['message of the error', row.error_message],
        ['took', `${row.duration_ms.toFixed(1)} ms`],
        ['of that', row.stages && stagesText(row.stages)],
        ['account id', row.account_id],
        ['key id', row.key_id],
        ['person', row.person_email],
        ['instance id', row.instance_id],
        ['message', row.message_type],
        ['message id', row.message_id],
        ['recipient', row.recipient],
        ['host of the file', row.media_host],
        ['idempotency', row.idempotency],
      ]);
      print(run, command, { ...requestJson(row), stages: row.stages }, text);
    });
}

function answerText({ status, code }: { readonly status: number; readonly code: string | null }): string {
  return code === null ? String(status) : `${status} ${code}`;
}

/** A request with the ids of who asked. */
function requestJson(record: RequestRecord) {
  const { account_id, key_id, person_id, person_email } = record;
  return { ...requestView(record), account_id, key_id, person_id, person_email };
}

/** The stages that the send came to, in their order. */
function stagesText(stages: Stages): string {
  const reached = Object.entries(stages).filter((stage): stage is [string, number] => stage[1] !== null);
  return reached.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', ');
}
