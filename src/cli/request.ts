import type { Command } from 'commander';
import { findRequest } from '../accounts/index.ts';
import type { Stages } from '../core/index.ts';
import type { Run } from './environment.ts';
import { fields, iso, print } from './output.ts';
import { withStore } from './with-store.ts';

/** gateway request show */
export function addRequest(program: Command, run: Run): void {
  const group = program
    .command('request')
    .summary('the request log, for support')
    .description('Look at the request log, which keeps every request for 30 days and never what a message said.');

  group
    .command('show')
    .description('Show one request by the request_id of its response (also in the header X-Request-Id).')
    .argument('<request-id>')
    .action(async (id: string, _options: object, command: Command) => {
      const row = await withStore(run, (store) => findRequest(store, id));
      const json = {
        request_id: row.request_id,
        at: iso(row.at),
        duration_ms: row.duration_ms,
        method: row.method,
        path: row.path,
        status: row.status,
        code: row.code,
        account_id: row.account_id,
        key_id: row.key_id,
        person_id: row.person_id,
        person_email: row.person_email,
        instance_id: row.instance_id,
        message_type: row.message_type,
        message_id: row.message_id,
        recipient: row.recipient,
        idempotency: row.idempotency,
        stages: row.stages,
      };
      const text = fields([
        ['request id', row.request_id],
        ['at', iso(row.at)],
        ['request', `${row.method} ${row.path}`],
        ['answer', row.code === null ? row.status : `${row.status} ${row.code}`],
        ['took', `${row.duration_ms.toFixed(1)} ms`],
        ['of that', row.stages && stagesText(row.stages)],
        ['account id', row.account_id],
        ['key id', row.key_id],
        ['person', row.person_email],
        ['instance id', row.instance_id],
        ['message', row.message_type],
        ['message id', row.message_id],
        ['recipient', row.recipient],
        ['idempotency', row.idempotency],
      ]);
      print(run, command, json, text);
    });
}

/** The stages that the send came to, in their order. */
function stagesText(stages: Stages): string {
  const reached = Object.entries(stages).filter((stage): stage is [string, number] => stage[1] !== null);
  return reached.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', ');
}
