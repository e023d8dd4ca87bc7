import type { Command } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { type MoveProgress, moveToPostgres, type Store } from '../store/index.ts';
import { secretKeyCheck, secretKeyCheckName } from '../vault/index.ts';
import { type Run, UsageError } from './environment.ts';
import { print, table, wantsJson } from './output.ts';
import { requireSecretKey } from './secret.ts';

/** How often the progress is printed, in milliseconds. */
const reportEveryMs = 2_000;

export function addMove(program: Command, run: Run): void {
  program
    .command('move')
    .summary('move an embedded installation into PostgreSQL')
    .description(
      'Copy everything in the embedded database (DATA_DIR) into an empty PostgreSQL database, while no server runs. Linked numbers stay linked.',
    )
    .requiredOption('--to <url>', 'the empty database: postgres://USER:PASSWORD@HOST:PORT/DATABASE (or the password in PGPASSWORD)')
    .addHelpText(
      'after',
      `
If it is interrupted, run it again: until it has finished, the new database is empty or cannot be used. The old one is only read.

Example:
  PGPASSWORD=… gateway move --to postgres://gateway@db.example.com:5432/gateway`,
    )
    .action(async ({ to }: { to: string }, command: Command) => {
      // Commander would show a refused address as it was typed, with its password.
      if (!/^postgres(ql)?:\/\/\S+$/.test(to) || !URL.canParse(to))
        throw new UsageError('--to must be a PostgreSQL URL such as postgres://user:password@host:5432/database');
      const config = readConfig(run.environment.env);
      if (config.databaseUrl !== null) {
        throw new OperatorError('DATABASE_URL is set, so this installation is already in PostgreSQL; unset it to move the one in DATA_DIR');
      }
      const report = (line: string) => {
        if (!wantsJson(command)) run.environment.stdout(`${line}\n`);
      };
      const moved = await moveToPostgres(config.dataDir, to, {
        check: (source) => keyCheck(config, source),
        onProgress: progressReporter(run, report),
        onCopied: () => report('Comparing both databases'),
      });
      const rows = moved.tables.reduce((sum, one) => sum + one.rows, 0);
      const json = { from: moved.from, to: moved.to, rows, tables: Object.fromEntries(moved.tables.map((one) => [one.table, one.rows])) };
      const filled = moved.tables.filter((one) => one.rows > 0).map((one) => [one.table, one.rows]);
      print(run, command, json, `${table(['TABLE', 'ROWS'], filled, 'No rows.')}\n\n${nextSteps(config, moved.to, rows)}`);
    });
}

function nextSteps({ dataDir, secretKey }: Config, to: string, rows: number): string {
  const key =
    secretKey === null
      ? `The secret key stays in ${dataDir}/secret.key: start the server with the same DATA_DIR, or set SECRET_KEY to what is in that file.`
      : 'Keep SECRET_KEY as it is.';
  return `Moved ${rows} rows to ${to}; every table was compared and has as many rows in both.
Next: set DATABASE_URL to that address and start the server (gateway serve); linked numbers connect without a scan.
${key}
gateway.db in ${dataDir} is unchanged: keep it as a backup. moved.txt beside it keeps it from being used by mistake.`;
}

/** Throws OperatorError when the secret key is not the one that belongs to the database. What it returns lets servers notice one that is not. */
async function keyCheck(config: Config, source: Store['db']): Promise<Record<string, string>> {
  const key = await requireSecretKey(config, source);
  return key === null ? {} : { [secretKeyCheckName]: secretKeyCheck(key) };
}

function progressReporter({ environment: { clock } }: Run, report: (line: string) => void): (progress: MoveProgress) => void {
  let reportedAt = clock.monotonic();
  return ({ table, rows, allRows }) => {
    if (clock.monotonic() - reportedAt < reportEveryMs) return;
    reportedAt = clock.monotonic();
    report(`${rows} of ${allRows} rows (${table})`);
  };
}
