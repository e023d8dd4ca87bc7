import { keyPrefixes } from '../accounts/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import type { Translate } from '../language/index.ts';
import { chooseVersion, type NewChats, nothingKnown, type Restriction, versionText } from '../networks/index.ts';
import { lastFailures, listActivity, type SendRecord } from '../requests/index.ts';
import { createClientVersions, type InstanceRow, type Store } from '../store/index.ts';
import { selectLastSends } from '../usage/index.ts';
import type { ChatBudget } from './chat-budget/budget.ts';
import { owningServer } from './history/queries.ts';
import { type Standing, storedStanding } from './history/standing.ts';
import { type HistoryEntry, numberStory } from './history/story.ts';
import { storedNewChats, storedRestriction } from './network-limits.ts';

// What API, portal and command line show of numbers.

const failuresShown = 5;

/** A number with what there is to know of it now. */
export interface ShownNumber {
  readonly id: string;
  readonly accountId: string;
  readonly label: string | null;
  readonly phoneNumber: string | null;
  readonly network: string;
  readonly standing: Standing;
  readonly restriction: Restriction | null;
  readonly newChats: NewChats | null;
  readonly createdAt: number;
}

/** A number as far as the store knows it; whether a linked one is connected only its server knows. */
export function storedNumber(row: InstanceRow, now: number): ShownNumber {
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    phoneNumber: row.phone_number,
    network: row.network,
    standing: storedStanding(row, now),
    restriction: storedRestriction(row, now),
    newChats: storedNewChats(row, now),
    createdAt: row.created_at,
  };
}

export function numberView(number: ShownNumber) {
  return {
    instance_id: number.id,
    account_id: number.accountId,
    label: number.label,
    phone_number: number.phoneNumber,
    network: number.network,
    standing: number.standing,
    restriction: number.restriction && restrictionView(number.restriction),
    new_chats: newChatsView(number.newChats),
    created_at: iso(number.createdAt),
  };
}

/** The number with its history and its last sends; `t` writes the sentences. */
export async function numberDetail(
  store: Store,
  number: ShownNumber,
  { now, whatsappVersion, t }: { readonly now: number; readonly whatsappVersion: number | null; readonly t: Translate },
) {
  const prefixes = await keyPrefixes(store, number.accountId);
  const [story, server, version, sent, failures] = await Promise.all([
    numberStory(store, number, (keyId) => prefixes.get(keyId) ?? null, t),
    owningServer(store, number.id),
    number.network === 'whatsapp' ? clientVersion(store, whatsappVersion) : null,
    lastSend(store, number, now),
    lastFailures(store, number, { limit: failuresShown, now }),
  ]);
  const { since, why, whatToDo, history } = story;
  const view = { ...numberView(number), since: isoOrNull(since), why, what_to_do: whatToDo, client_version: version, server };
  return { view, history, sent, failures, prefixes };
}

/** The number's last accepted send within 30 days. It is looked up by its time: other numbers of the account may have sent thousands since. */
async function lastSend(store: Store, { id, accountId }: ShownNumber, now: number): Promise<SendRecord | null> {
  const at = (await selectLastSends(store.db, [id])).get(id);
  if (at === undefined) return null;
  const filter = { instanceId: id, outcome: 'sent', since: at, until: at + 1 } as const;
  const [sent = null] = (await listActivity(store, accountId, filter, { cursor: null, limit: 1, now })).sends;
  return sent;
}

/** An entry of a number's history. */
export function historyView({ event, text, at, last_at, ended_at, until, count, by }: HistoryEntry) {
  return { event, text, at: iso(at), last_at: iso(last_at), ended_at: isoOrNull(ended_at), until: isoOrNull(until), count, by };
}

export function restrictionView({ reason, until }: Restriction) {
  return { reason, until: isoOrNull(until) };
}

/** How many chats a number may start and has started; null when the network has not reported it. */
export function newChatsView(newChats: NewChats | null) {
  return newChats === null ? null : { used: newChats.used, quota: newChats.quota, cycle_ends_at: isoOrNull(newChats.cycleEndsAt) };
}

export function chatBudgetView(budget: ChatBudget | null) {
  if (budget === null) return null;
  const { perDay, warmUp } = budget;
  return { per_day: perDay, warm_up: warmUp === null ? null : { start: warmUp.start, growth_percent: warmUp.growthPercent } };
}

async function clientVersion({ db }: Store, fixed: number | null): Promise<string> {
  return versionText(chooseVersion((await createClientVersions(db, 'whatsapp').read()) ?? nothingKnown, fixed).revision);
}
