import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import { createVault, OperatorError } from '../core/index.ts';
import { readSecretKey } from '../secret-key.ts';
import { opensCredentials } from '../sessions/index.ts';
import { backUp, restore, type Store } from '../store/index.ts';
import type { Run } from './environment.ts';
import { print } from './output.ts';

/** gateway backup */
export function addBackup(program: Command, run: Run): void {
  program
    .command('backup')
    .summary('write a copy of the embedded database, beside the running server')
    .description('Write a copy of the embedded database to a new file. The server may run: the copy is its state of one moment.')
    .argument('<file>', 'the file to write, which must not exist')
    .addHelpText(
      'after',
      '\nThe copy does not hold the secret key (DATA_DIR/secret.key or SECRET_KEY), without which the linked numbers cannot be connected. Keep that in another place.',
    )
    .action(async (file: string, _options: object, command: Command) => {
      const config = readConfig(run.environment.env);
      if (config.databaseUrl !== null) {
        throw new OperatorError(`with DATABASE_URL use PostgreSQL's own tool: pg_dump --format=custom --file=${file} "$DATABASE_URL"`);
      }
      await backUp(config.dataDir, file);
      print(run, command, { file }, `Written to ${file}. The secret key is not in it: keep that in another place.`);
    });
}

/** gateway restore */
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
      await restore(config.dataDir, file, (db) => requireKey(config, db));
      print(run, command, { data_dir: config.dataDir }, `Restored into ${config.dataDir}; start the server with gateway serve.`);
    });
}

/** Throws OperatorError when numbers are linked in this database and the key to their credentials is missing, or is another one. */
async function requireKey(config: Config, db: Store['db']): Promise<void> {
  const keyFile = join(config.dataDir, 'secret.key');
  const isGiven = config.secretKey !== null || existsSync(keyFile);
  // Reading a key that is not there would make one.
  const opens = await opensCredentials(db, isGiven ? createVault(readSecretKey(config)) : null);
  if (opens !== false) return;
  throw new OperatorError(
    isGiven
      ? `the credentials of the linked numbers are sealed with another key than ${config.secretKey === null ? keyFile : 'SECRET_KEY'}; give the key that belongs to the backup`
      : `the linked numbers in the backup need their secret key: set SECRET_KEY, or put it into ${keyFile}, and try again`,
  );
}
