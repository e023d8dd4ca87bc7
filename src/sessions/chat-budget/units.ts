import type { Store } from '../../store/index.ts';
import { lockInstance } from '../queries.ts';
import { type BudgetColumns, budgetAt, dayOf } from './budget.ts';
import { changeHolders, insertChat, removeChat, selectChat, setUsed } from './queries.ts';

/**
 * What a send that would begin a chat was given. `known`: the chat is begun, or the number has no budget any more; it takes nothing. `held`: it holds
 * the unit of this chat, which must be settled or given back. `over`: the budget of the day is used up until `until`.
 */
export type Taken =
  | { readonly unit: 'known' }
  | { readonly unit: 'held'; readonly row: BudgetColumns }
  | { readonly unit: 'over'; readonly until: number; readonly row: BudgetColumns };

/**
 * Takes a unit of the number's budget for a chat with this contact. Sends to one contact hold one unit together, so that it counts once however
 * many there are, and after a restart too: what a process that ended held stays taken. The number's row is locked meanwhile, so two servers
 * cannot take the last unit both.
 */
export async function takeUnit(store: Store, instanceId: string, contact: string, now: number): Promise<Taken> {
  return store.transaction(async (trx) => {
    const row = await lockInstance(trx, store.dialect, instanceId);
    const budget = row === undefined ? null : budgetAt(row, now);
    if (row === undefined || budget === null) return { unit: 'known' };
    const chat = await selectChat(trx, instanceId, contact);
    if (chat?.settled === 1) return { unit: 'known' };
    if (chat !== undefined) {
      await changeHolders(trx, instanceId, contact, 1);
      return { unit: 'held', row };
    }
    if (budget.used >= budget.quota) return { unit: 'over', until: budget.cycleEndsAt, row };
    const day = dayOf(now);
    await insertChat(trx, instanceId, contact, day);
    await setUsed(trx, instanceId, day, budget.used + 1);
    return { unit: 'held', row: { ...row, chat_budget_day: day, chat_budget_used: budget.used + 1 } };
  });
}

/** Nothing was delivered: gives the unit back, unless another send holds it too. The number's columns afterwards; null: nothing changed. */
export async function giveBackUnit(store: Store, instanceId: string, contact: string): Promise<BudgetColumns | null> {
  return store.transaction(async (trx) => {
    const row = await lockInstance(trx, store.dialect, instanceId);
    const chat = await selectChat(trx, instanceId, contact);
    if (row === undefined || chat === undefined || chat.settled === 1) return null;
    if (chat.holders > 1) {
      await changeHolders(trx, instanceId, contact, -1);
      return null;
    }
    await removeChat(trx, instanceId, contact);
    if (chat.day !== row.chat_budget_day) return null;
    const used = Math.max(0, row.chat_budget_used - 1);
    await setUsed(trx, instanceId, chat.day, used);
    return { ...row, chat_budget_used: used };
  });
}
