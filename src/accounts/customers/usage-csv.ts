import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { messageTypes } from '../../kinds/index.ts';
import type { Used } from '../usage-sums/index.ts';
import type { AccountUsage } from './usage.ts';

const nothing: Used = { sends: 0, byType: {}, numberDays: 0 };

/**
 * The usage of accounts as a table, a line for each account and month (`months`, YYYY-MM) as the stream is read. Names that a spreadsheet
 * would take for a formula are made harmless.
 */
export function usageCsv(list: readonly AccountUsage[], months: readonly string[]): NodeJS.ReadableStream {
  const table = stringify({ header: true, columns: [...columns], record_delimiter: 'windows', escape_formulas: true });
  return Readable.from(lines(list, months)).pipe(table);
}

function* lines(list: readonly AccountUsage[], months: readonly string[]) {
  for (const usage of list) for (const month of months) yield line(usage, month);
}

const columns = [
  'month',
  'account_id',
  'account',
  'reference',
  'provider',
  'status',
  'plan',
  'sends',
  'number_days',
  'numbers_now',
  'numbers_allowed',
  'messages_per_minute',
  'trial_used',
  'trial_message_limit',
  ...messageTypes,
] as const;

function line({ account, months, numbers, allowed }: AccountUsage, month: string): (string | number | null)[] {
  const used = months.get(month) ?? nothing;
  return [
    month,
    account.id,
    account.name,
    account.reference,
    account.provider_name,
    account.status,
    account.plan_name,
    used.sends,
    used.numberDays,
    numbers,
    allowed.limit,
    account.messages_per_minute,
    account.trial_message_limit === null ? null : account.trial_used,
    account.trial_message_limit,
    ...messageTypes.map((type) => used.byType[type] ?? 0),
  ];
}
