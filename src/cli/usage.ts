import { type Command, InvalidArgumentError, Option } from 'commander';
import { dayMs, OperatorError, utcDay } from '../core/index.ts';
import { existingProvider, type Store } from '../store/index.ts';
import { type AccountUsage, addUp, inOrder, type Used, usage, usageDays, usageOfAccounts } from '../usage/index.ts';
import { day } from './arguments.ts';
import { type Run, UsageError, withStore } from './environment.ts';
import { print, table } from './output.ts';

const defaultDays = 30;

interface UsageOptions {
  readonly account?: string;
  readonly provider?: string;
  readonly all?: boolean;
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
}

export function addUsage(program: Command, run: Run): void {
  program
    .command('usage')
    .summary('accepted sends and number-days')
    .description(
      'Show what an account used per UTC day, or what each of many accounts used in all: accepted sends by type, and number-days (a number seen connected on a day counts once for it).',
    )
    .addOption(new Option('--account <id>', 'the account').conflicts(['provider', 'all']))
    .addOption(new Option('--provider <id>', 'every account of a provider').conflicts('all'))
    .option('--all', 'every account')
    .addOption(new Option('--month <month>', 'a whole month, such as 2026-12').argParser(month).conflicts(['from', 'to']))
    .option('--from <day>', `first UTC day, such as 2026-12-01 (default: ${defaultDays} days up to the last one)`, day)
    .option('--to <day>', 'last UTC day, included (default: today)', day)
    .addHelpText(
      'after',
      `
Examples:
  gateway usage --account ID --from 2026-11-01 --to 2026-11-30 --json
  gateway usage --provider ID --month 2026-11
  gateway usage --all --month 2026-11 --json`,
    )
    .action(async (options: UsageOptions, command: Command) => {
      const today = utcDay(run.environment.clock.now());
      const { from, to } = periodOf(options, today);
      const { account, provider } = options;
      if (account === undefined) {
        if (provider === undefined && options.all !== true) throw new UsageError('say whose usage: --account, --provider or --all');
        const many = await withStore(run, async (store) => usageOfMany(store, provider ?? null, { from, to, today }));
        print(run, command, many.json, many.text);
        return;
      }
      const days = await withStore(run, (store) => usage(store, account, from, to));
      const total = addUp(days);
      const used = days.filter(({ sends, numberDays }) => sends > 0 || numberDays > 0);
      const rows = used.map(({ day, sends, numberDays, byType }) => [day, sends, numberDays, typesText(byType)]);
      const text = table(
        ['DAY', 'SENDS', 'NUMBER-DAYS', 'BY TYPE'],
        used.length === 0 ? [] : [...rows, ['total', total.sends, total.numberDays, '']],
        `Nothing used from ${from} to ${to}.`,
      );
      const json = days.map(({ day, ...ofDay }) => ({ day, ...usedJson(ofDay) }));
      const { total_sends, number_days } = usedJson(total);
      print(run, command, { account_id: account, from, to, days: json, total_sends, number_days }, text);
    });
}

function typesText(byType: Readonly<Record<string, number>>): string {
  return Object.entries(byType)
    .map(([type, count]) => `${type} ${count}`)
    .join(', ');
}

function periodOf({ month: whole, ...days }: UsageOptions, today: string): { readonly from: string; readonly to: string } {
  if (whole !== undefined) {
    const [year = 0, number = 0] = whole.split('-').map(Number);
    return { from: `${whole}-01`, to: utcDay(Date.UTC(year, number, 0)) };
  }
  const to = days.to ?? today;
  const from = days.from ?? utcDay(Date.parse(to) - (defaultDays - 1) * dayMs);
  checkPeriod(from, to);
  return { from, to };
}

function month(text: string): string {
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month such as 2026-12.');
  return text;
}

function checkPeriod(from: string, to: string): void {
  try {
    usageDays(from, to);
  } catch (error) {
    if (error instanceof OperatorError) throw new UsageError(error.message);
    throw error;
  }
}

/** What the accounts of a provider (null: all accounts) used in these days, as JSON and as a table. */
async function usageOfMany(
  store: Store,
  providerId: string | null,
  { from, to, today }: { readonly from: string; readonly to: string; readonly today: string },
) {
  const providerIds = providerId === null ? null : [await existingProvider(store.db, providerId)];
  const list = inOrder(await usageOfAccounts(store, { providerIds, from, to, today }), 'name', false);
  const total = addUp(list);
  const rows = list.map(({ account, sends, numberDays, numbers, allowed }) => {
    return [account.id, account.name, account.plan_name, sends, numberDays, `${numbers} of ${allowed.limit}`];
  });
  return {
    json: { provider_id: providerId, from, to, accounts: list.map(accountJson), ...usedJson(total) },
    text: table(
      ['ACCOUNT ID', 'NAME', 'PLAN', 'SENDS', 'NUMBER-DAYS', 'NUMBERS NOW'],
      rows.length === 0 ? [] : [...rows, ['total', '', '', total.sends, total.numberDays, '']],
      'No accounts.',
    ),
  };
}

const usedJson = ({ sends, byType, numberDays }: Used) => ({ total_sends: sends, sends: byType, number_days: numberDays });

function accountJson({ account, numbers, allowed, months, ...used }: AccountUsage) {
  return {
    account_id: account.id,
    name: account.name,
    reference: account.reference,
    provider_id: account.provider_id,
    plan: account.plan_name,
    ...usedJson(used),
    numbers,
    numbers_allowed: allowed.limit,
    messages_per_minute: account.messages_per_minute,
    trial_used: account.trial_used,
    trial_message_limit: account.trial_message_limit,
    months: [...months].map(([month, ofMonth]) => ({ month, ...usedJson(ofMonth) })),
  };
}
