import type { Command } from 'commander';
import { findNumber } from '../accounts/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import { createLanguages } from '../language/index.ts';
import { type HistoryEntry, historyView, numberDetail, storedNumber } from '../sessions/index.ts';
import type { RequestRecord } from '../store/index.ts';
import { uuid } from './arguments.ts';
import { type Run, withStore } from './environment.ts';
import { standingText } from './number-words.ts';
import { fields, print, table } from './output.ts';

export function addNumberShow(group: Command, run: Run): void {
  group
    .command('show')
    .description(
      'Show a number: its state, since when and why, what to do, its last sends, and what has happened to it in the last 90 days. Times are UTC. Only the server knows whether a linked number is connected right now.',
    )
    .argument('<instance-id>', 'the ID of the number, as number list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const { number, view, history, sent, failures } = await withStore(run, async (store, config) => {
        const now = run.environment.clock.now();
        const number = storedNumber(await findNumber(store, id), now);
        const t = createLanguages()('en').t;
        return { number, ...(await numberDetail(store, number, { now, whatsappVersion: config.whatsapp.version, t })) };
      });
      const { restriction, newChats } = number;
      const [failed = null] = failures;
      const json = {
        ...view,
        last_send: sendJson(sent),
        last_failure: sendJson(failed),
        history: history.map((entry) => ({ ...historyView(entry), detail: entry.detail })),
      };
      const text = fields([
        ['instance id', number.id],
        ['account id', number.accountId],
        ['label', number.label],
        ['network', number.network],
        ['phone number', number.phoneNumber],
        ['state', standingText(number.standing)],
        ['since', view.since],
        ['why', view.why],
        ['what to do', view.what_to_do],
        ['restricted until', isoOrNull(restriction?.until ?? null)],
        ['new chats', newChats && `${newChats.used} of ${newChats.quota}`],
        ['client version', view.client_version],
        ['server', view.server],
        ['last send', sent && `${iso(sent.at)} (${sent.request_id})`],
        ['last failure', failed && `${iso(failed.at)} ${failed.code ?? ''} (${failed.request_id})`],
        ['created', view.created_at],
      ]);
      const rows = history.map((entry) => [iso(entry.at), whatHappened(entry), entry.by]);
      print(
        run,
        command,
        json,
        `${text}\n\n${table(['WHEN', 'WHAT HAPPENED', 'BY'], rows, 'Nothing has happened to it in the last 90 days.')}`,
      );
    });
}

/** The sentence with the times that belong to it. */
function whatHappened({ event, text, at, last_at, ended_at, until, count }: HistoryEntry): string {
  const times = count === 1 ? '' : `, ${count} times until ${iso(last_at)}`;
  const over = event !== 'lost' ? '' : ended_at === null ? '; not back' : `; over at ${iso(ended_at)}`;
  const ends = until === null || until < at ? '' : ` (until ${iso(until)})`;
  return `${text}${times}${ends}${over}`;
}

function sendJson(send: RequestRecord | null) {
  return send === null ? null : { request_id: send.request_id, at: iso(send.at), status: send.status, code: send.code };
}
