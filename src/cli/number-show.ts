import type { Command } from 'commander';
import { findNumber, listKeys } from '../accounts/index.ts';
import { createLanguages } from '../language/index.ts';
import { chooseVersion, nothingKnown, versionText } from '../networks/index.ts';
import { listActivity } from '../requests/index.ts';
import { type HistoryEntry, numberStory, owningServer, storedNewChats, storedRestriction, storedStanding } from '../sessions/index.ts';
import { createClientVersions, type RequestRecord } from '../store/index.ts';
import { uuid } from './arguments.ts';
import type { Run } from './environment.ts';
import { fields, iso, isoOrNull, print, table } from './output.ts';
import { standingText } from './standing.ts';
import { withStore } from './with-store.ts';

/** gateway number show */
export function addNumberShow(group: Command, run: Run): void {
  group
    .command('show')
    .description(
      'Show a number: its state, since when and why, what to do, its last sends, and what has happened to it in the last 90 days. Times are UTC. Only the server knows whether a linked number is connected right now.',
    )
    .argument('<instance-id>', 'the ID of the number, as number list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const { number, story, lastSend, lastFailure, version, server } = await withStore(run, async (store, config) => {
        const row = await findNumber(store, id);
        const now = run.environment.clock.now();
        const known = { id: row.id, standing: storedStanding(row, now), restriction: storedRestriction(row, now) };
        const prefixes = new Map((await listKeys(store, row.account_id)).map((key) => [key.id, key.prefix]));
        const last = async (outcome: 'sent' | 'failed') =>
          (await listActivity(store, row.account_id, { instanceId: row.id, outcome }, { cursor: null, limit: 1, now })).sends[0] ?? null;
        const record = row.network === 'whatsapp' ? await createClientVersions(store.db, 'whatsapp').read() : null;
        return {
          number: { ...row, ...known, newChats: storedNewChats(row, now) },
          story: await numberStory(store, known, (keyId) => prefixes.get(keyId) ?? null, createLanguages()('en').t),
          lastSend: await last('sent'),
          lastFailure: await last('failed'),
          version: row.network === 'whatsapp' ? versionText(chooseVersion(record ?? nothingKnown, config.whatsapp.version).revision) : null,
          server: await owningServer(store, row.id),
        };
      });
      const { restriction, newChats } = number;
      const json = {
        instance_id: number.id,
        account_id: number.account_id,
        label: number.label,
        network: number.network,
        phone_number: number.phone_number,
        standing: number.standing,
        since: isoOrNull(story.since),
        why: story.why,
        what_to_do: story.whatToDo,
        restriction: restriction === null ? null : { reason: restriction.reason, until: isoOrNull(restriction.until) },
        new_chats:
          newChats === null ? null : { used: newChats.used, quota: newChats.quota, cycle_ends_at: isoOrNull(newChats.cycleEndsAt) },
        client_version: version,
        server,
        last_send: sendJson(lastSend),
        last_failure: sendJson(lastFailure),
        created_at: iso(number.created_at),
        history: story.history.map(entryJson),
      };
      const text = fields([
        ['instance id', number.id],
        ['account id', number.account_id],
        ['label', number.label],
        ['network', number.network],
        ['phone number', number.phone_number],
        ['state', standingText(number.standing)],
        ['since', isoOrNull(story.since)],
        ['why', story.why],
        ['what to do', story.whatToDo],
        ['restricted until', isoOrNull(restriction?.until ?? null)],
        ['new chats', newChats && `${newChats.used} of ${newChats.quota}`],
        ['client version', version],
        ['server', server],
        ['last send', lastSend && `${iso(lastSend.at)} (${lastSend.request_id})`],
        ['last failure', lastFailure && `${iso(lastFailure.at)} ${lastFailure.code ?? ''} (${lastFailure.request_id})`],
        ['created', iso(number.created_at)],
      ]);
      const rows = story.history.map((entry) => [iso(entry.at), whatHappened(entry), entry.by]);
      print(
        run,
        command,
        json,
        `${text}\n\n${table(['WHEN', 'WHAT HAPPENED', 'BY'], rows, 'Nothing has happened to it in the last 90 days.')}`,
      );
    });
}

/** The sentence with the times that belong to it. */
function whatHappened({ event, text, at, lastAt, endedAt, until, count }: HistoryEntry): string {
  const times = count === 1 ? '' : `, ${count} times until ${iso(lastAt)}`;
  const over = event !== 'lost' ? '' : endedAt === null ? '; not back' : `; over at ${iso(endedAt)}`;
  const ends = until === null || until < at ? '' : ` (until ${iso(until)})`;
  return `${text}${times}${ends}${over}`;
}

function entryJson({ event, detail, text, at, lastAt, endedAt, until, count, by }: HistoryEntry) {
  return { event, detail, text, at: iso(at), last_at: iso(lastAt), ended_at: isoOrNull(endedAt), until: isoOrNull(until), count, by };
}

function sendJson(send: RequestRecord | null) {
  return send === null ? null : { request_id: send.request_id, at: iso(send.at), status: send.status, code: send.code };
}
