import { type BinaryNode, XWAPaths } from 'baileys';
import type { Account } from './account.ts';
import { child, resultOf } from './nodes.ts';

/** How many chats a number may start in a cycle. */
export interface NewChatCap {
  readonly quota: number;
  /** How many it has started; increased with each further one. */
  used: number;
  /** Epoch seconds. */
  readonly cycleEndsAt: number;
}

/** The ids of the GraphQL documents in WhatsApp Web as of August 2026. */
const timelockDocument = '23983697327930364';
const capDocument = '27910975521856601';
const timelocked = '463';
const capped = '475';

/** Why the network refuses a message that starts a chat; null when it accepts it. */
export function reachOutRefusal(from: Account, to: Account): string | null {
  if (to === from || from.chats.has(to.number)) return null;
  const until = from.reachOutBlockedUntil;
  if (until !== null && until > Date.now() / 1000) return timelocked;
  const cap = from.newChatCap;
  if (cap === null) return null;
  return cap.used >= cap.quota ? capped : null;
}

/** The message was accepted. Counts the chat if it started one. */
export function countChat(from: Account, to: Account): void {
  if (to !== from && !from.chats.has(to.number) && from.newChatCap !== null) from.newChatCap.used += 1;
}

/** Answers a device's query about its account. A document or an input that the network does not know gets an error. */
export function answerMex(account: Account, query: BinaryNode): BinaryNode {
  const asked = child(query, 'query');
  const text = asked?.content instanceof Uint8Array ? Buffer.from(asked.content).toString('utf8') : '{}';
  const { variables = {} } = JSON.parse(text) as { variables?: { input?: { type?: string } } };
  switch (asked?.attrs.query_id) {
    case timelockDocument:
      return answer(query, { [XWAPaths.xwa2_fetch_account_reachout_timelock]: timelockState(account) });
    case capDocument:
      if (variables.input?.type !== 'INDIVIDUAL_NEW_CHAT_THREAD') return failure(query, 'unknown input');
      return answer(query, { xwa2_message_capping_info: capState(account) });
    default:
      return failure(query, 'unknown document');
  }
}

/** The notice that the network sends when the timelock changes. */
export function timelockNotice(account: Account): BinaryNode {
  const until = account.reachOutBlockedUntil;
  const state = until === null ? { is_active: false } : timelockState(account);
  return notice('NotificationUserReachoutTimelockUpdate', { xwa2_notify_account_reachout_timelock: state });
}

/** The notice that the network sends when the cap changes. */
export function capNotice(account: Account): BinaryNode {
  return notice('MessageCappingInfoNotification', { xwa2_notify_new_chat_messages_capping_info_update: capState(account) });
}

function timelockState({ reachOutBlockedUntil: until }: Account) {
  return { is_active: until !== null, time_enforcement_ends: String(until ?? 0), enforcement_type: 'DEFAULT' };
}

function capState({ newChatCap: cap }: Account) {
  if (cap === null) return { total_quota: -1, used_quota: 0, capping_status: 'NONE' };
  const { quota, used, cycleEndsAt } = cap;
  const status = used >= quota ? 'CAPPED' : 'NONE';
  return { total_quota: quota, used_quota: used, cycle_end_timestamp: String(cycleEndsAt), capping_status: status };
}

function answer(query: BinaryNode, data: object): BinaryNode {
  return resultOf(query, [{ tag: 'result', attrs: {}, content: Buffer.from(JSON.stringify({ data })) }]);
}

function failure(query: BinaryNode, message: string): BinaryNode {
  const body = { data: null, errors: [{ message, extensions: { error_code: 400, is_retryable: false } }] };
  return resultOf(query, [{ tag: 'result', attrs: {}, content: Buffer.from(JSON.stringify(body)) }]);
}

function notice(operation: string, data: object): BinaryNode {
  return { tag: 'update', attrs: { op_name: operation }, content: Buffer.from(JSON.stringify({ data })) };
}
