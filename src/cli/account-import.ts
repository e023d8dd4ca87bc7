import type { Command } from 'commander';
import { checkAccountTable, type ImportedRow, importAccount, importLineView, importTemplate, mostImportBytes } from '../accounts/index.ts';
import { type Brand, serviceOf } from '../branding/index.ts';
import type { Config } from '../config/index.ts';
import { StoreUnavailable, storedId } from '../core/index.ts';
import { invitationMail } from '../people/index.ts';
import type { Store } from '../store/index.ts';
import { byCommandLine, type Run, withStore } from './environment.ts';
import { brandsOf, portalAddress, send, spokenTo } from './handed-link.ts';
import { readInput } from './input-file.ts';
import { print, table } from './output.ts';

/** What became of a line, as JSON. */
interface Line extends Omit<ReturnType<typeof importLineView>, 'state' | 'link'> {
  readonly state: ImportedRow['row']['state'] | 'created' | 'failed';
  readonly link: string | null;
}

export function addAccountImport(group: Command, run: Run): void {
  group
    .command('import')
    .description(
      'Create accounts from a CSV file, one per line. Lines with mistakes are listed and skipped. An account that the provider already has (the same reference, or the same name if it has none) is not created again, so the file can be imported twice.',
    )
    .argument('<file>', 'cells separated by comma, semicolon or tab; the first line names the columns; 1 MB and 2,000 accounts at most')
    .option('--provider <id>', 'the provider they belong to', 'default')
    .option('--dry-run', 'say what would happen, and change nothing')
    .addHelpText(
      'after',
      `
Columns: name is required. An empty plan is the default plan, none is no plan. Times as in gateway account create.
${importTemplate}
Example:
  gateway account import customers.csv --provider ID --dry-run`,
    )
    .action(async (file: string, { provider, dryRun = false }: { provider: string; dryRun?: boolean }, command: Command) => {
      const text = await readInput(file, mostImportBytes);
      const lines = await withStore(run, async (store, config) => {
        const providerId = storedId(provider);
        const rows = await checkAccountTable(store, text, providerId);
        const brand = await brandsOf(run, store).ofPlace({ accountId: null, providerId });
        // Asked before anything is made, because nobody would see the links.
        const invites = !dryRun && rows.some(({ state, ownerEmail }) => state === 'ready' && ownerEmail !== null);
        const portal = invites ? portalAddress(config, brand) : '';
        const found: Line[] = [];
        let isAway = false;
        for (const row of rows) {
          const checked = importLineView(row);
          if (dryRun || row.state !== 'ready') found.push(checked);
          else if (isAway) found.push({ ...checked, state: 'failed', mistakes: ['It was not tried.'] });
          else {
            const act = byCommandLine(run);
            try {
              const imported = await importAccount(store, row, providerId, { act, as: 'operator', seenBy: 'somebody' });
              found.push({ ...checked, ...(await handed(run, config, store, imported, brand, portal)) });
            } catch (error) {
              if (!(error instanceof StoreUnavailable)) throw error;
              // The links that were made are shown only here, so they are printed all the same.
              found.push({ ...checked, state: 'failed', mistakes: [`${error.message}.`] });
              isAway = true;
            }
          }
        }
        return found;
      });
      if (lines.some(({ state }) => state === 'mistaken' || state === 'failed')) run.exitCode = 1;
      const rows = lines.map((line) => [line.line, line.name, line.state, line.mistakes.join(' ') || (line.link ?? line.account_id)]);
      print(run, command, lines, table(['LINE', 'NAME', 'STATE', ''], rows, 'No accounts in the file.'));
    });
}

async function handed(
  run: Run,
  config: Config,
  store: Store,
  { row, made, failure }: ImportedRow,
  brand: Brand | null,
  portal: string,
): Promise<Partial<Line>> {
  if (made === null) return { state: 'failed', mistakes: [failure] };
  const created = { state: 'created', account_id: made.account.id } as const;
  if (made.invitation === null || row.ownerEmail === null) return created;
  const link = `${portal}/link/${made.invitation.token}`;
  const mail = invitationMail(await spokenTo(store, row.ownerEmail), {
    role: 'owner',
    leadsTo: made.account.name,
    link,
    expiresAt: made.invitation.expiresAt,
    ...serviceOf(brand),
  });
  return { ...created, link, mailed: await send(run, config, row.ownerEmail, mail, brand) };
}
