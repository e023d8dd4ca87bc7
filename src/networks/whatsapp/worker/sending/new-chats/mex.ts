import { getBinaryNodeChild, S_WHATSAPP_NET } from 'baileys';
import type { NewChats } from '../../../../index.ts';
import type { SendingSocket } from '../socket.ts';

/**
 * The ids of the GraphQL documents in WhatsApp Web since build 1044659339. The library has an older id for the second one, which the network no
 * longer knows.
 */
const timelockDocument = '23983697327930364';
const capDocument = '27910975521856601';

/** Whether the number is barred from starting chats. Times are epoch milliseconds. */
export interface Timelock {
  readonly active: boolean;
  /** null when the network does not say. */
  readonly until: number | null;
}

export interface Cap {
  readonly capped: boolean;
  /** null when the number has no quota. */
  readonly newChats: NewChats | null;
}

/** Asks whether the number may start chats. Rejects when the network gives no usable answer. */
export async function askTimelock(sock: Pick<SendingSocket, 'query'>, withinMs: number): Promise<Timelock> {
  return timelockIn((await ask(sock, timelockDocument, {}, withinMs)).xwa2_fetch_account_reachout_timelock);
}

/** Asks how many chats the number may start and how many it has started. Rejects when the network gives no usable answer. */
export async function askCap(sock: Pick<SendingSocket, 'query'>, withinMs: number): Promise<Cap> {
  const variables = { input: { type: 'INDIVIDUAL_NEW_CHAT_THREAD' } };
  return capIn((await ask(sock, capDocument, variables, withinMs)).xwa2_message_capping_info);
}

/** Reads an answer about the timelock. Throws when it is not one. */
function timelockIn(said: unknown): Timelock {
  const { is_active, time_enforcement_ends } = fieldsOf(said);
  const ends = secondsIn(time_enforcement_ends);
  return { active: is_active === true, until: ends === null ? null : ends * 1000 };
}

/** Reads an answer or a notification about the cap. Throws when it is neither. */
export function capIn(said: unknown): Cap {
  const { total_quota, used_quota, cycle_end_timestamp, capping_status } = fieldsOf(said);
  const quota = Number(total_quota);
  const used = Number(used_quota);
  const ends = secondsIn(cycle_end_timestamp);
  const told = Number.isSafeInteger(quota) && quota >= 0 && Number.isSafeInteger(used) && used >= 0;
  return {
    capped: capping_status === 'CAPPED',
    newChats: told ? { used, quota, cycleEndsAt: ends === null ? null : ends * 1000 } : null,
  };
}

function fieldsOf(said: unknown): Record<string, unknown> {
  if (typeof said !== 'object' || said === null) throw new Error('the network answered something else than was asked');
  return said as Record<string, unknown>;
}

/** A time in seconds, which the network writes as text or as a number; null when it gives none. */
function secondsIn(value: unknown): number | null {
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}

async function ask(
  sock: Pick<SendingSocket, 'query'>,
  document: string,
  variables: object,
  withinMs: number,
): Promise<Record<string, unknown>> {
  const content = [{ tag: 'query', attrs: { query_id: document }, content: Buffer.from(JSON.stringify({ variables })) }];
  const answer = await sock.query({ tag: 'iq', attrs: { type: 'get', to: S_WHATSAPP_NET, xmlns: 'w:mex' }, content }, withinMs);
  const result = getBinaryNodeChild(answer, 'result')?.content;
  if (!(result instanceof Uint8Array) && typeof result !== 'string') throw new Error('the network gave no answer');
  const { data, errors } = fieldsOf(JSON.parse(result.toString()));
  if (Array.isArray(errors) && errors.length > 0) throw new Error('the network refused the question');
  return fieldsOf(data);
}
