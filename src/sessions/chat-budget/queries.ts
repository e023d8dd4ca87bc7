import { sql } from 'kysely';
import type { Db, InstanceRow } from '../../store/index.ts';
import { updateInstance } from '../queries.ts';
import type { BudgetColumns } from './budget.ts';

/** The numbers that have a budget, with how much of it is used. */
export function instancesWithBudget(db: Db): Promise<(BudgetColumns & Pick<InstanceRow, 'id'>)[]> {
  return db
    .selectFrom('instances')
    .select(['id', 'chat_budget', 'chat_budget_day', 'chat_budget_used', 'linked_at', 'created_at'])
    .where('chat_budget', 'is not', null)
    .execute();
}

/** The chat with this contact, as far as it was begun under a budget. */
export function selectChat(db: Db, instanceId: string, contact: string) {
  return db.selectFrom('new_chats').selectAll().where('instance_id', '=', instanceId).where('contact', '=', contact).executeTakeFirst();
}

export async function insertChat(db: Db, instanceId: string, contact: string, day: string): Promise<void> {
  await db.insertInto('new_chats').values({ instance_id: instanceId, contact, day, holders: 1, settled: 0 }).execute();
}

/** `holders`: one send more, or fewer, holds the unit of the chat. `settled`: the chat is begun, as the network took a message to it, or may have. */
export async function updateChat(db: Db, instanceId: string, contact: string, change: { holders: 1 | -1 } | { settled: 1 }): Promise<void> {
  const set = 'holders' in change ? { holders: sql<number>`holders + ${change.holders}` } : change;
  await db.updateTable('new_chats').set(set).where('instance_id', '=', instanceId).where('contact', '=', contact).execute();
}

export async function removeChat(db: Db, instanceId: string, contact: string): Promise<void> {
  await db.deleteFrom('new_chats').where('instance_id', '=', instanceId).where('contact', '=', contact).execute();
}

/** Another number is linked: none of its chats is begun, and none of the day's budget is used. */
export async function startAnew(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('new_chats').where('instance_id', '=', id).execute();
  await updateInstance(trx, id, { chat_budget_used: 0 });
}
