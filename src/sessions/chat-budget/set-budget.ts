import { type Act, changesBetween, recordAudit } from '../../audit/index.ts';
import { OperatorError } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { lockInstance } from '../queries.ts';
import { budgetText, type ChatBudget, storedBudget } from './budget.ts';
import { setBudgetText } from './queries.ts';

/**
 * Sets a number's budget of new chats; null: none. A running server follows within a second or two. Throws OperatorError when there is no such
 * instance, or a number is out of bounds.
 */
export async function setChatBudget(store: Store, id: string, budget: ChatBudget | null, act: Act): Promise<void> {
  const text = budget === null ? null : budgetText(budget);
  await store.transaction(async (trx) => {
    const row = await lockInstance(trx, store.dialect, id);
    if (row === undefined) throw new OperatorError(`there is no number "${id}"`);
    const details = changesBetween({ chat_budget: told(storedBudget(row)) }, { chat_budget: told(budget) });
    if (details === null) return;
    await setBudgetText(trx, id, text);
    await recordAudit(trx, act, { action: 'number.budget', targetId: id, accountId: row.account_id, details });
  });
}

/** A budget as the audit log tells it. */
function told(budget: ChatBudget | null): string | null {
  if (budget === null) return null;
  const { perDay, warmUp } = budget;
  return warmUp === null ? `${perDay}/day` : `${perDay}/day, from ${warmUp.start}/day +${warmUp.growthPercent} %/day`;
}
