import { type Command, InvalidArgumentError } from 'commander';
import { findNumber } from '../accounts/index.ts';
import { budgetBounds, type ChatBudget, chatBudgetView, setChatBudget, storedBudget } from '../sessions/index.ts';
import { uuid } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { print } from './output.ts';

interface BudgetOptions {
  perDay?: number;
  warmUp?: { readonly start: number; readonly growthPercent: number };
  off?: true;
}

export function addNumberBudget(group: Command, run: Run): void {
  group
    .command('budget')
    .description(
      'Show or set how many new chats a number may start on a UTC day. Beyond that, a send to a new chat is refused with 422 invalid_recipient (details.reason new_chat_budget) until the day ends; existing chats still work. A running server applies a change within two seconds.',
    )
    .argument('<instance-id>', 'the ID of the number, as number list shows it', uuid)
    .option('--per-day <n>', `new chats on a day, ${budgetBounds.perDay.min} to ${budgetBounds.perDay.max}`, whole)
    .option('--warm-up <start:growth>', 'START on the day it is linked, then GROWTH percent more each day: 10:20', warmUp)
    .option('--off', 'no budget')
    .addHelpText('after', '\nExample:\n  gateway number budget 0198c0de-0000-7000-8000-000000000000 --per-day 50 --warm-up 10:20')
    .action(async (id: string, options: BudgetOptions, command: Command) => {
      const asked = askedBudget(options);
      const budget = await withStore(run, async (store) => {
        const number = await findNumber(store, id);
        if (asked === undefined) return storedBudget(number);
        await setChatBudget(store, number.id, asked, byCommandLine(run));
        return asked;
      });
      print(run, command, { instance_id: id, chat_budget: chatBudgetView(budget) }, budgetText(budget));
    });
}

/** undefined: nothing is to be set. */
function askedBudget({ perDay, warmUp: asked, off }: BudgetOptions): ChatBudget | null | undefined {
  if (off && (perDay !== undefined || asked !== undefined)) throw new UsageError('--off cannot be combined with other options');
  if (asked !== undefined && perDay === undefined) throw new UsageError('--warm-up needs --per-day');
  if (off) return null;
  return perDay === undefined ? undefined : { perDay, warmUp: asked ?? null };
}

function budgetText(budget: ChatBudget | null): string {
  if (budget === null) return 'No budget.';
  const { perDay, warmUp: warm } = budget;
  const ramp = warm === null ? '' : `, starting with ${warm.start} and growing by ${warm.growthPercent} % a day`;
  return `At most ${perDay} new chats a day${ramp}.`;
}

function whole(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function warmUp(text: string): { start: number; growthPercent: number } {
  const [, start, growth] = /^([0-9]{1,6}):([0-9]{1,6})$/.exec(text) ?? [];
  if (start === undefined || growth === undefined) throw new InvalidArgumentError('It must look like 10:20.');
  return { start: Number(start), growthPercent: Number(growth) };
}
