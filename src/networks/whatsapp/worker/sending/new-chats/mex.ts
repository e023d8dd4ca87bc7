import { type BinaryNode, getBinaryNodeChild, S_WHATSAPP_NET, type WASocket } from 'baileys';
import type { NewChats } from '../../../../index.ts';

type Socket = Pick<WASocket, 'query'>;

/**
 * The ids of the GraphQL documents in WhatsApp Web since build 1044659339. The library has an older id for the second one, which the network no
 * longer knows.
 */
const timelockDocument = '23983697327930364';
const capDocument = '27910975521856601';

/** Whether the number is barred from starting chats. Times are epoch milliseconds. */
export interface Timelock {
  readonly active: boolean;
  /** null when the network gives no end. */
  readonly until: number | null;
}

export interface Cap {
  readonly capped: boolean;
  /** null when the number has no quota. */
  readonly newChats: NewChats | null;
}

/** Asks whether the number may start chats. Rejects when the network gives no usable answer. */
export async function queryTimelock(sock: Socket, withinMs: number): Promise<Timelock> {
  const { xwa2_fetch_account_reachout_timelock: timelock } = await query(sock, timelockDocument, {}, withinMs);
  const { is_active, time_enforcement_ends } = fieldsOf(timelock);
  return { active: is_active === true, until: millisecondsIn(time_enforcement_ends) };
}

/** Asks how many chats the number may start and how many it has started. Rejects when the network gives no usable answer. */
export async function queryCap(sock: Socket, withinMs: number): Promise<Cap> {
  const variables = { input: { type: 'INDIVIDUAL_NEW_CHAT_THREAD' } };
  return capIn((await query(sock, capDocument, variables, withinMs)).xwa2_message_capping_info);
}

/** Reads an answer or a notification about the cap. Throws when it is neither. */
export function capIn(info: unknown): Cap {
  const { total_quota, used_quota, cycle_end_timestamp, capping_status } = fieldsOf(info);
  const quota = Number(total_quota);
  const used = Number(used_quota);
  const hasQuota = Number.isSafeInteger(quota) && quota >= 0 && Number.isSafeInteger(used) && used >= 0;
  return {
    capped: capping_status === 'CAPPED',
    newChats: hasQuota ? { used, quota, cycleEndsAt: millisecondsIn(cycle_end_timestamp) } : null,
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('the network answered something else than was asked');
  return value as Record<string, unknown>;
}

/** A time, which the network writes in seconds, as text or as a number; null when it gives none. */
function millisecondsIn(value: unknown): number | null {
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds * 1000 : null;
}

async function query(sock: Socket, document: string, variables: object, withinMs: number): Promise<Record<string, unknown>> {
  const content = [{ tag: 'query', attrs: { query_id: document }, content: Buffer.from(JSON.stringify({ variables })) }];
  const iq = { tag: 'iq', attrs: { type: 'get', to: S_WHATSAPP_NET, xmlns: 'w:mex' }, content };
  const answer: BinaryNode | undefined = await sock.query(iq, withinMs);
  const result = getBinaryNodeChild(answer, 'result')?.content;
  if (!(result instanceof Uint8Array) && typeof result !== 'string') throw new Error('the network gave no answer');
  const { data, errors } = fieldsOf(JSON.parse(result.toString()));
  if (Array.isArray(errors) && errors.length > 0) throw new Error('the network refused the query');
  return fieldsOf(data);
}
