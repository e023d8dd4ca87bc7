import type { importLineView, noteView, planChoice } from '../../accounts/index.ts';
import type { summaryView } from '../../import/index.ts';
import type { customersUsage } from '../routes/usage.ts';
import type { usageView } from '../views.ts';

/**
 * GET /portal/api/operator/plans → { plans }: those to choose from, for accounts. PATCH /{id} {…, is_default?}: operator only. `is_default`: it is
 * proposed for new accounts, where the provider has no default of its own.
 */
export type PlanChoice = ReturnType<typeof planChoice>;

/**
 * GET and PUT {text} /portal/api/operator/accounts/{id}/note: for those who administer the account, never for its people. At most 4,000 characters;
 * empty: there is none. `written_by`: the e-mail address of who wrote it last; null: nobody, or the command line.
 */
export type AccountNoteView = ReturnType<typeof noteView>;

/**
 * GET /portal/api/operator/usage?from=&to=&search=&provider_id=&order=name|sends|number_days|numbers|plan&descending=true&page=1: what the
 * accounts used in these UTC days (366 at most, by default this month so far), 50 to a page. `total`: how many accounts fit, on all pages. `totals`:
 * of all that fit; `months`: the same, month by month (YYYY-MM), oldest first. The same as a table, a line for each account and month:
 * GET /portal/api/operator/usage.csv?from=&to=&search=&provider_id=.
 */
export type CustomersUsage = Awaited<ReturnType<typeof customersUsage>>;

/** `numbers`: its numbers now, and `instance_limit` how many it may have. */
export type CustomerUsage = ReturnType<typeof usageView>;

/**
 * POST /portal/api/operator/accounts/import {csv, provider_id?, check}: `check` true says what would happen and changes nothing; false makes
 * the next accounts, at most 50, from the lines after `after_line` (0). GET /portal/api/operator/accounts/import.csv: a template.
 */
export interface AccountImport {
  readonly lines: readonly ImportedLine[];
  /** Where to go on; null: the file is done. Of a check always null. */
  readonly after_line: number | null;
}

/** One line of the file. `ready`: it can be imported. `exists`: there is such an account, so nothing is done. `mistakes`: what is wrong, a sentence each. */
export interface ImportedLine extends Omit<ReturnType<typeof importLineView>, 'state' | 'link'> {
  readonly state: 'ready' | 'exists' | 'mistaken' | 'created' | 'failed';
  /** Of the owner's invitation; null: nobody was invited, or the link was mailed and is not shown. */
  readonly link: string | null;
}

/**
 * POST /portal/api/operator/numbers/import?kind=baileys|waha|whatsmeow&account_id=&table_bytes=&file_name=&check=true|false&stopped=true: the body is an
 * archive (.zip, .tar.gz) or a SQLite file of another program, as application/octet-stream; instead of `account_id`, its first `table_bytes` bytes may
 * be a CSV table that says where each number goes. `check` true says what would happen and changes nothing; false
 * imports what can be, and needs `stopped`. `instance_id` null: it was not imported, and `problem` says why if it cannot be.
 */
export interface NumberImport {
  readonly numbers: readonly ImportedNumberView[];
}
export type ImportedNumberView = ReturnType<typeof summaryView>;
