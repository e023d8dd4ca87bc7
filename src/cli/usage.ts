import type { Command } from 'commander';
import { usage, usageDays } from '../accounts/index.ts';
import { OperatorError, utcDay } from '../core/index.ts';
import { day } from './arguments.ts';
import { type Run, UsageError } from './environment.ts';
import { print, table } from './output.ts';
import { withStore } from './with-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;

/** gateway usage */
export function addUsage(program: Command, run: Run): void {
  program
    .command('usage')
    .summary('accepted sends and number-days of an account')
    .description(
      'Show what an account used per UTC day: accepted sends by type, and number-days (a number seen connected on a day counts once for it).',
    )
    .requiredOption('--account <id>', 'the account')
    .option('--from <day>', `first UTC day, such as 2026-12-01 (default: ${defaultDays} days up to the last one)`, day)
    .option('--to <day>', 'last UTC day, included (default: today)', day)
    .addHelpText(
      'after',
      `
Example:
  gateway usage --account ID --from 2026-11-01 --to 2026-11-30 --json`,
    )
    .action(async (options: { account: string; from?: string; to?: string }, command: Command) => {
      const to = options.to ?? utcDay(run.environment.clock.now());
      const from = options.from ?? utcDay(Date.parse(to) - (defaultDays - 1) * dayMs);
      checkPeriod(from, to);
      const days = (await withStore(run, (store) => usage(store, options.account, from, to))).map(({ day, sends, numberDays }) => ({
        day,
        sends,
        total_sends: Object.values(sends).reduce((sum, count) => sum + count, 0),
        number_days: numberDays,
      }));
      const total = {
        total_sends: days.reduce((sum, each) => sum + each.total_sends, 0),
        number_days: days.reduce((sum, each) => sum + each.number_days, 0),
      };
      const used = days.filter((each) => each.total_sends > 0 || each.number_days > 0);
      const rows = used.map((each) => [each.day, each.total_sends, each.number_days, byType(each.sends)]);
      const text = table(
        ['DAY', 'SENDS', 'NUMBER-DAYS', 'BY TYPE'],
        used.length === 0 ? [] : [...rows, ['total', total.total_sends, total.number_days, '']],
        `Nothing used from ${from} to ${to}.`,
      );
      print(run, command, { account_id: options.account, from, to, days, ...total }, text);
    });
}

function byType(sends: Readonly<Record<string, number>>): string {
  return Object.entries(sends)
    .map(([type, count]) => `${type} ${count}`)
    .join(', ');
}

function checkPeriod(from: string, to: string): void {
  try {
    usageDays(from, to);
  } catch (error) {
    if (error instanceof OperatorError) throw new UsageError(error.message);
    throw error;
  }
}
