import { newChatsView } from '../http/index.ts';
import type { Translate } from '../language/index.ts';
import { chooseVersion, type NewChats, nothingKnown, type Restriction, versionText } from '../networks/index.ts';
import { listActivity, type SendRecord } from '../requests/index.ts';
import { type ChatBudget, type HistoryEntry, numberStory, owningServer, type Status, standingOf } from '../sessions/index.ts';
import { createClientVersions } from '../store/index.ts';
import type { PortalOptions } from './portal-options.ts';
import { keyPrefixes, requestView } from './request-view.ts';
import { iso, isoOrNull } from './times.ts';
import type { ChatBudgetView, HistoryView, NumberDetail } from './wire/index.ts';

/** What is known of a number before its history is read. */
interface KnownNumber {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly label: string | null;
  readonly phoneNumber: string | null;
  readonly network: string;
  readonly status: Status;
  readonly restriction: Restriction | null;
  readonly newChats: NewChats | null;
  readonly chatBudget: ChatBudget | null;
  readonly createdAt: number;
}

/** All there is to know of one number, as its page shows it; `t` says the plain words. */
export async function numberDetail(options: PortalOptions, number: KnownNumber, t: Translate): Promise<NumberDetail> {
  const { store } = options;
  const standing = standingOf(number);
  const prefixes = await keyPrefixes(store, number.accountId);
  const [story, server, version, lastSend, lastFailure] = await Promise.all([
    numberStory(store, { ...number, standing }, (keyId) => prefixes.get(keyId) ?? null, t),
    owningServer(store, number.id),
    number.network === 'whatsapp' ? clientVersion(options) : null,
    lastOf(options, number, 'sent'),
    lastOf(options, number, 'failed'),
  ]);
  const { restriction } = number;
  return {
    instance_id: number.id,
    account_id: number.accountId,
    account_name: number.accountName,
    label: number.label,
    phone_number: number.phoneNumber,
    network: number.network,
    status: number.status,
    // Its status is live here.
    standing: standing === 'linked' ? 'connected' : standing,
    since: isoOrNull(story.since),
    why: story.why,
    what_to_do: story.whatToDo,
    restriction: restriction === null ? null : { reason: restriction.reason, until: isoOrNull(restriction.until) },
    new_chats: newChatsView(number.newChats),
    chat_budget: chatBudgetView(number.chatBudget),
    client_version: version,
    server,
    last_send: lastSend === null ? null : requestView(lastSend, prefixes),
    last_failure: lastFailure === null ? null : requestView(lastFailure, prefixes),
    created_at: iso(number.createdAt),
    history: story.history.map(historyView),
  };
}

/** A budget of new chats as the portal answers it. */
export function chatBudgetView(budget: ChatBudget | null): ChatBudgetView | null {
  if (budget === null) return null;
  const { perDay, warmUp } = budget;
  return { per_day: perDay, warm_up: warmUp === null ? null : { start: warmUp.start, growth_percent: warmUp.growthPercent } };
}

async function lastOf(
  { store, clock }: PortalOptions,
  { id, accountId }: KnownNumber,
  outcome: 'sent' | 'failed',
): Promise<SendRecord | null> {
  const page = await listActivity(store, accountId, { instanceId: id, outcome }, { cursor: null, limit: 1, now: clock.now() });
  return page.sends[0] ?? null;
}

async function clientVersion({ store, whatsappVersion }: PortalOptions): Promise<string> {
  const record = await createClientVersions(store.db, 'whatsapp').read();
  return versionText(chooseVersion(record ?? nothingKnown, whatsappVersion).revision);
}

function historyView({ event, text, at, lastAt, endedAt, until, count, by }: HistoryEntry): HistoryView {
  return { event, text, at: iso(at), last_at: iso(lastAt), ended_at: isoOrNull(endedAt), until: isoOrNull(until), count, by };
}
