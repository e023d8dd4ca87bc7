import { type Act, changesBetween, recordAudit } from '../../audit/index.ts';
import { type Clock, type Log, OperatorError, Periodic, StoreUnavailable, utcDay } from '../../core/index.ts';
import type { NewChats, OutgoingMessage, SendOutcome } from '../../networks/index.ts';
import type { Store } from '../../store/index.ts';
import { lockInstance, updateInstance } from '../queries.ts';
import { type BudgetColumns, budgetAt, budgetText, type ChatBudget, storedBudget } from './budget.ts';
import { insertChat, instancesWithBudget, removeChat, selectChat, updateChat } from './queries.ts';

/** How often to look for budgets that the portal, the command line or another server has changed. */
const everyMs = 1_000;

interface ChatBudgetsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** What is shown of this number has changed. */
  changed(instanceId: string): void;
}

/** The budgets of new chats that owners of numbers have set. Numbers without one cost nothing. */
export class ChatBudgets {
  readonly #options: ChatBudgetsOptions;
  readonly #looks: Periodic;
  /** By instance. */
  #rows: Map<string, BudgetColumns> = new Map();

  constructor(options: ChatBudgetsOptions) {
    this.#options = options;
    const { stopwatch: clock, log } = options;
    this.#looks = new Periodic({ clock, everyMs, work: () => this.look(), log, failed: 'the budgets of numbers could not be read' });
  }

  async start(): Promise<void> {
    await this.look();
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** The number's budget; null: none. */
  budget(instanceId: string): ChatBudget | null {
    const row = this.#rows.get(instanceId);
    return row === undefined ? null : storedBudget(row);
  }

  /** How many chats the number may begin today, and how many it has begun; null: it has no budget. */
  of(instanceId: string): NewChats | null {
    const row = this.#rows.get(instanceId);
    return row === undefined ? null : budgetAt(row, this.#options.clock.now());
  }

  /** Sends within the budget: what would begin one chat more than it allows is refused. `knows` says whether the network has the chat already; null: it cannot be asked. */
  async send(
    instanceId: string,
    message: OutgoingMessage,
    { knows, send }: { knows(): Promise<boolean | null>; send(): Promise<SendOutcome> },
  ): Promise<SendOutcome> {
    const { store, clock } = this.#options;
    const known = await knows();
    // It may well be a known chat, which takes nothing of the budget.
    if (known === null) return { outcome: 'not_sent' };
    if (known) return send();
    let taken: Taken;
    try {
      taken = await takeUnit(store, instanceId, message.to, clock.now());
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      // An error would count as a message that may have been delivered.
      return { outcome: 'not_sent' };
    }
    if (taken.unit === 'known') return send();
    this.#note(instanceId, taken.row);
    if (taken.unit === 'over') return overBudget(taken.until);
    const sent = await send();
    // What may have arrived has begun a chat.
    const begun = sent.outcome === 'accepted' || sent.outcome === 'unknown';
    try {
      if (begun) await updateChat(store.db, instanceId, message.to, { settled: 1 });
      else {
        const row = await giveBackUnit(store, instanceId, message.to);
        if (row !== null) this.#note(instanceId, row);
      }
    } catch (error) {
      // It stays taken: the number begins one chat fewer today rather than one more.
      this.#options.log.warn({ err: error, instance_id: instanceId }, 'a new chat of a budget could not be booked and stays counted');
    }
    return sent;
  }

  #note(instanceId: string, row: BudgetColumns): void {
    if (!this.#rows.has(instanceId)) return;
    this.#rows.set(instanceId, row);
    this.#options.changed(instanceId);
  }

  async look(): Promise<void> {
    const before = this.#rows;
    const now = new Map((await instancesWithBudget(this.#options.store.db)).map(({ id, ...row }) => [id, row]));
    this.#rows = now;
    for (const id of new Set([...before.keys(), ...now.keys()]))
      if (JSON.stringify(before.get(id)) !== JSON.stringify(now.get(id))) this.#options.changed(id);
  }
}

/**
 * What a send that would begin a chat was given. `known`: the chat is begun, or the number has no budget any more; it takes nothing. `held`: it holds
 * the unit of this chat, which must be settled or given back. `over`: the budget of the day is used up until `until`.
 */
type Taken =
  | { readonly unit: 'known' }
  | { readonly unit: 'held'; readonly row: BudgetColumns }
  | { readonly unit: 'over'; readonly until: number; readonly row: BudgetColumns };

/**
 * Takes a unit of the number's budget for a chat with this contact. Sends to one contact hold one unit together, so that it counts once however
 * many there are, and after a restart too: what a process that ended held stays taken. The number's row is locked meanwhile, so two servers
 * cannot take the last unit both.
 */
async function takeUnit(store: Store, instanceId: string, contact: string, now: number): Promise<Taken> {
  return store.transaction(async (trx) => {
    const row = await lockInstance(trx, instanceId);
    const budget = row === undefined ? null : budgetAt(row, now);
    if (row === undefined || budget === null) return { unit: 'known' };
    const chat = await selectChat(trx, instanceId, contact);
    if (chat?.settled === 1) return { unit: 'known' };
    if (chat !== undefined) {
      await updateChat(trx, instanceId, contact, { holders: 1 });
      return { unit: 'held', row };
    }
    if (budget.used >= budget.quota) return { unit: 'over', until: budget.cycleEndsAt, row };
    const used = { chat_budget_day: utcDay(now), chat_budget_used: budget.used + 1 };
    await insertChat(trx, instanceId, contact, used.chat_budget_day);
    await updateInstance(trx, instanceId, used);
    return { unit: 'held', row: { ...row, ...used } };
  });
}

/** Nothing was delivered: gives the unit back, unless another send holds it too. The number's columns afterwards; null: nothing changed. */
async function giveBackUnit(store: Store, instanceId: string, contact: string): Promise<BudgetColumns | null> {
  return store.transaction(async (trx) => {
    const row = await lockInstance(trx, instanceId);
    const chat = await selectChat(trx, instanceId, contact);
    if (row === undefined || chat === undefined || chat.settled === 1) return null;
    if (chat.holders > 1) {
      await updateChat(trx, instanceId, contact, { holders: -1 });
      return null;
    }
    await removeChat(trx, instanceId, contact);
    if (chat.day !== row.chat_budget_day) return null;
    const used = { chat_budget_used: Math.max(0, row.chat_budget_used - 1) };
    await updateInstance(trx, instanceId, used);
    return { ...row, ...used };
  });
}

function overBudget(until: number): SendOutcome {
  return {
    outcome: 'refused',
    reason: 'This number has begun as many new chats today as its owner allows. Existing chats still work.',
    details: { reason: 'new_chat_budget', until: new Date(until).toISOString() },
  };
}

/**
 * Sets a number's budget of new chats; null: none. A running server follows within a second or two. Throws OperatorError when there is no such
 * instance, or a number is out of bounds.
 */
export async function setChatBudget(store: Store, id: string, budget: ChatBudget | null, act: Act): Promise<void> {
  const text = budget === null ? null : budgetText(budget);
  await store.transaction(async (trx) => {
    const row = await lockInstance(trx, id);
    if (row === undefined) throw new OperatorError(`there is no number "${id}"`);
    const details = changesBetween({ chat_budget: shownBudget(storedBudget(row)) }, { chat_budget: shownBudget(budget) });
    if (details === null) return;
    await updateInstance(trx, id, { chat_budget: text });
    await recordAudit(trx, act, { action: 'number.budget', targetId: id, accountId: row.account_id, details });
  });
}

/** A budget as the audit log shows it. */
function shownBudget(budget: ChatBudget | null): string | null {
  if (budget === null) return null;
  const { perDay, warmUp } = budget;
  return warmUp === null ? `${perDay}/day` : `${perDay}/day, from ${warmUp.start}/day +${warmUp.growthPercent} %/day`;
}
