import type { Command } from 'commander';
import { type AuditEntry, auditBounds, auditView, listAudit } from '../audit/index.ts';
import { iso } from '../core/index.ts';
import { wholeNumber } from './arguments.ts';
import { type Run, withStore } from './environment.ts';
import { print, table } from './output.ts';

const defaultLimit = 50;

export function addAudit(program: Command, run: Run): void {
  program
    .command('audit')
    .summary('who changed what, and when')
    .description(
      'Show the audit log, newest first: every change to accounts, plans, providers, keys, users and numbers in the last 400 days, and who made it: ' +
        'a user of the portal, an API key, the command line, or the gateway itself (system).',
    )
    .option('--account <id>', 'only what concerns this account')
    .option('--name <text>', 'only about what is or was called so: the beginning of a name or of a word of it, also of something deleted')
    .option('--limit <n>', `how many changes, up to ${auditBounds.max} (default: ${defaultLimit})`, wholeNumber(auditBounds))
    .addHelpText(
      'after',
      `
Examples:
  gateway audit
  gateway audit --name "Shop Berlin"
  gateway audit --account ID --limit 200 --json`,
    )
    .action(async (options: { account?: string; name?: string; limit?: number }, command: Command) => {
      const filter = { accountId: options.account, name: options.name, limit: options.limit ?? defaultLimit };
      const entries = await withStore(run, (store) => listAudit(store, filter));
      const rows = entries.map((entry) => [iso(entry.at), actorText(entry), entry.action, targetText(entry), changesText(entry)]);
      print(run, command, entries.map(auditView), table(['AT', 'WHO', 'ACTION', 'ON WHAT', 'CHANGES'], rows, 'No changes yet.'));
    });
}

export function actorText({ actor_kind, actor_name }: AuditEntry): string {
  switch (actor_kind) {
    case 'user':
      return actor_name ?? 'a user';
    case 'key':
      return `key ${actor_name}`;
    case 'command_line':
      return 'command line';
    case 'system':
      return 'system';
  }
}

function targetText({ target_id, target_name, account_id, account_name, target_kind }: AuditEntry): string {
  const what = target_name === null ? target_id : `${target_id} (${target_name})`;
  return account_id === null || target_kind === 'account' ? what : `${what} of ${account_name ?? account_id}`;
}

export function changesText({ details }: AuditEntry): string {
  return Object.entries(details)
    .map(([field, { from, to }]) => `${field}: ${from ?? 'none'} → ${to ?? 'none'}`)
    .join(', ');
}
