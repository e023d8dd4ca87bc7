import { sql } from 'kysely';
import type { Db, InstanceRow } from '../../store/index.ts';
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

/** One send more, or fewer, holds the unit of the chat. */
export async function changeHolders(db: Db, instanceId: string, contact: string, by: 1 | -1): Promise<void> {
  await db
    .updateTable('new_chats')
    .set({ holders: sql<number>`holders + ${by}` })
    .where('instance_id', '=', instanceId)
    .where('contact', '=', contact)
    .execute();
}

/** The chat is begun: the network took a message to it, or may have. */
export async function settleChat(db: Db, instanceId: string, contact: string): Promise<void> {
  await db.updateTable('new_chats').set({ settled: 1 }).where('instance_id', '=', instanceId).where('contact', '=', contact).execute();
}

export async function removeChat(db: Db, instanceId: string, contact: string): Promise<void> {
  await db.deleteFrom('new_chats').where('instance_id', '=', instanceId).where('contact', '=', contact).execute();
}

export async function setUsed(db: Db, id: string, day: string, used: number): Promise<void> {
  await db.updateTable('instances').set({ chat_budget_day: day, chat_budget_used: used }).where('id', '=', id).execute();
}

/** Another number is linked: none of its chats is begun, and none of the day's budget is used. */
export async function startAnew(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('new_chats').where('instance_id', '=', id).execute();
  await trx.updateTable('instances').set({ chat_budget_used: 0 }).where('id', '=', id).execute();
}

export async function setBudgetText(db: Db, id: string, text: string | null): Promise<void> {
  await db.updateTable('instances').set({ chat_budget: text }).where('id', '=', id).execute();
}
