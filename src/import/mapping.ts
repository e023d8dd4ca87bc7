import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { normalisePhoneNumber, OperatorError, storedId } from '../core/index.ts';
import { type Db, existingAccount } from '../store/index.ts';
import { asLabel } from './found.ts';
import type { Mapping } from './import.ts';
import type { Place } from './place.ts';

export const mostMappingBytes = 1024 * 1024;

const lines = z.array(z.object({ number: z.string(), account: z.string(), label: z.string().optional() }));

/** All numbers go to one account, under the names that they have. Throws OperatorError when there is no such account. */
export async function intoAccount(db: Db, id: string): Promise<Mapping> {
  const accountId = await existingAccount(db, id);
  return ({ label }) => ({ accountId, label });
}

/** Each number goes where a table says (`readMapping`). Throws OperatorError when it is no such table, or names an account that does not exist. */
export async function intoAccounts(db: Db, table: string): Promise<Mapping> {
  const { accountIds, mapping } = readMapping(table);
  for (const id of accountIds) await existingAccount(db, id);
  return mapping;
}

/**
 * Reads a table that says where each number goes: the columns `number` (its digits, or its name in the other program), `account` (an id) and `label`
 * (if it is to have another one). Throws OperatorError when it is no such table.
 */
export function readMapping(text: string): { readonly accountIds: readonly string[]; readonly mapping: Mapping } {
  const places = new Map<string, { accountId: string; label: string | null }>();
  for (const { number, account, label } of readLines(text)) {
    const name = normalisePhoneNumber(number) ?? number;
    if (places.has(name)) throw new OperatorError(`the table of accounts has two lines for ${JSON.stringify(number.slice(0, 60))}`);
    places.set(name, { accountId: storedId(account), label: asLabel(label) });
  }
  return {
    accountIds: [...new Set([...places.values()].map(({ accountId }) => accountId))],
    mapping({ source, phoneNumber, label }): Place | null {
      const place = places.get(phoneNumber) ?? places.get(normalisePhoneNumber(source) ?? source);
      return place === undefined ? null : { accountId: place.accountId, label: place.label ?? label };
    },
  };
}

function readLines(text: string): z.output<typeof lines> {
  // What stands for bytes that are none would become part of labels.
  if (text.includes('\uFFFD')) throw new OperatorError('the table of accounts must be in UTF-8; spreadsheets save it as "CSV UTF-8"');
  try {
    const rows: unknown = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [',', ';', '\t'],
      max_record_size: 10_000,
      skip_empty_lines: true,
      trim: true,
    });
    const read = lines.safeParse(rows);
    if (read.success && read.data.length > 0) return read.data;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  throw new OperatorError('the table of accounts must be CSV; its first line names the columns number, account and, if wanted, label');
}
