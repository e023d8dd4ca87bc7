import type { Command } from 'commander';
import { readConfig } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { backUp, restore } from '../store/index.ts';
import type { Run } from './environment.ts';
import { print } from './output.ts';
import { requireSecretKey } from './secret.ts';

export function addBackup(program: Command, run: Run): void {
  program
    .command('backup')
    .summary('write a copy of the embedded database, even while the server runs')
    .description('Write a copy of the embedded database to a new file. The server may keep running: the copy is its state at one moment.')
    .argument('<file>', 'the file to write, which must not exist')
    .addHelpText(
      'after',
      '\nThe copy does not contain the secret key (DATA_DIR/secret.key or SECRET_KEY), without which the linked numbers cannot connect. Keep the key somewhere else.',
    )
    .action(async (file: string, _options: object, command: Command) => {
      const config = readConfig(run.environment.env);
      if (config.databaseUrl !== null) {
        throw new OperatorError(`with DATABASE_URL use PostgreSQL's own tool: pg_dump --format=custom --file=${file} "$DATABASE_URL"`);
      }
      await backUp(config.dataDir, file);
      print(run, command, { file }, `Written to ${file}. The secret key is not in it: keep that somewhere else.`);
    });
}

export function addRestore(program: Command, run: Run): void {
  program
    .command('restore')
    .summary('put a backup of the embedded database into an empty data folder')
    .description('Put a file that gateway backup wrote into a data folder (DATA_DIR) without a database. Start the server afterwards.')
    .argument('<file>', 'the file that gateway backup wrote')
    .addHelpText(
      'after',
      '\nIt needs the secret key that belongs to the backup: set SECRET_KEY, or put secret.key into DATA_DIR first. Two servers must not use the same numbers, so stop the other one before this one starts.',
    )
    .action(async (file: string, _options: object, command: Command) => {
      const config = readConfig(run.environment.env);
      if (config.databaseUrl !== null) {
        throw new OperatorError(`with DATABASE_URL use PostgreSQL's own tool: pg_restore --dbname="$DATABASE_URL" ${file}`);
      }
      await restore(config.dataDir, file, async (db) => void (await requireSecretKey(config, db)));
      print(run, command, { data_dir: config.dataDir }, `Restored into ${config.dataDir}; start the server with gateway serve.`);
    });
}
