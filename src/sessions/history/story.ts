import type { Translate } from '../../language/index.ts';
import type { Restriction } from '../../networks/index.ts';
import type { HistoryRow, Store } from '../../store/index.ts';
import { eventText, explained } from './plain-words.ts';
import { historyRows } from './queries.ts';
import type { Standing } from './standing.ts';
import { isState, lastMoment, stateColumns, stateFor } from './state.ts';

/** How many rows are shown of a number; a number that is linked quietly has a handful in 90 days. */
const mostShown = 200;

/** Something that happened to a number, for people: its row with one sentence without times, and who did it, by e-mail address or key prefix (null: the gateway, the network or a phone). */
export type HistoryEntry = HistoryRow & { readonly text: string; readonly by: string | null };

/**
 * How a number is, since when, why, and what to do about it; with what happened to it in the last 90 days, newest first. `keyPrefix` gives the prefix of
 * a key of its account, `t` the language.
 */
export async function numberStory(
  store: Store,
  number: { readonly id: string; readonly standing: Standing; readonly restriction: Restriction | null },
  keyPrefix: (keyId: string) => string | null,
  t: Translate,
) {
  const rows = await historyRows(store.db, number.id, mostShown);
  const by = (row: HistoryRow) => actorText(t, row, keyPrefix);
  const cause = latest(rows, isState);
  const attempt = latest(rows, (row) => row.event === 'pairing_failed');
  const { why, whatToDo } = explained(t, number, { cause, causedBy: cause === null ? null : by(cause), attempt });
  return {
    /** Epoch milliseconds; null when what is kept is younger. */
    since: cause === null ? null : stateFor(stateColumns(cause), number.standing).since,
    why,
    /** null when there is nothing to do. */
    whatToDo,
    history: rows.map((row): HistoryEntry => ({ ...row, text: eventText(t, row), by: by(row) })),
  };
}

function latest(rows: readonly HistoryRow[], wanted: (row: HistoryRow) => boolean): HistoryRow | null {
  let found: HistoryRow | null = null;
  for (const row of rows) if (wanted(row) && (found === null || lastMoment(row) > lastMoment(found))) found = row;
  return found;
}

function actorText(
  t: Translate,
  { actor_kind, actor_id, actor_name }: HistoryRow,
  keyPrefix: (keyId: string) => string | null,
): string | null {
  switch (actor_kind) {
    case 'user':
      return actor_name;
    case 'key': {
      const prefix = actor_id === null ? null : keyPrefix(actor_id);
      return prefix === null ? t('an API key') : t('API key {{prefix}}', { prefix });
    }
    case 'command_line':
      return t('the command line');
    case 'system':
    case null:
      return null;
  }
}
