import type { Command } from 'commander';
import type { Config } from '../config/index.ts';
import { isoOrNull, OperatorError } from '../core/index.ts';
import {
  type Archive,
  importNumbers,
  intoAccount,
  intoAccounts,
  type Mapping,
  mostMappingBytes,
  openBaileys,
  openEvolution,
  openWaha,
  openWhatsmeow,
  planImport,
  type Summary,
  summaryView,
} from '../import/index.ts';
import type { Store } from '../store/index.ts';
import { hasSecretKey, openVault, readSecretKey } from '../vault/index.ts';
import { uuid } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { readInput } from './input-file.ts';
import { type Columns, list, print } from './output.ts';
import { givenKey, requireSecretKey } from './secret.ts';

interface Options {
  readonly account?: string;
  readonly accounts?: string;
  readonly dryRun?: true;
  readonly stopped?: true;
  readonly keys?: string;
}

interface Peer {
  readonly name: string;
  readonly argument: string;
  /** What the argument is. */
  readonly where: string;
  /** How the program is stopped. */
  readonly stop: string;
  readonly example: string;
  /** What `--keys` is; absent where there is no such option. */
  readonly keys?: string;
  open(place: string, keys: string | null): Promise<Archive>;
}

/** The programs whose numbers can be imported. */
const peers: readonly Peer[] = [
  {
    name: 'baileys',
    argument: '<folder>',
    where: 'a folder of useMultiFileAuthState (with creds.json in it), or a folder of such folders',
    stop: 'end the process that uses Baileys (pm2 stop, systemctl stop, docker stop), and see that nothing starts it again',
    example: './sessions',
    open: openBaileys,
  },
  {
    name: 'whatsmeow',
    argument: '<store>',
    where: 'a SQLite file, or the URL of a PostgreSQL database (postgres://…), with the tables of whatsmeow: wuzapi, GOWA, evolution-go',
    stop: 'end the program (docker stop, systemctl stop), and see that nothing starts it again',
    example: './dbdata/main.db',
    open: openWhatsmeow,
  },
  {
    name: 'waha',
    argument: '<folder>',
    where: 'the folder of its sessions (.sessions), of the engines NOWEB and GOWS',
    stop: 'end WAHA (docker stop), and see that nothing starts it again',
    example: './.sessions',
    open: openWaha,
  },
  {
    name: 'evolution',
    argument: '<url>',
    where: 'the URL of the PostgreSQL or MySQL database of Evolution API, or of its Redis if CACHE_REDIS_SAVE_INSTANCES is true',
    stop: 'end Evolution API (docker stop), and see that nothing starts it again; its database and Redis go on',
    example: "'postgres://…?schema=evolution_api' --keys redis://…",
    keys: 'where its keys are: the folder instances, or with CACHE_REDIS_ENABLED the URL of Redis',
    open: openEvolution,
  },
];

export function addImport(program: Command, run: Run): void {
  const group = program
    .command('import')
    .summary('take over linked numbers of another program, without a scan')
    .description('Take over linked numbers of another program without a scan. Its files are only read.');
  for (const peer of peers) {
    const command = group
      .command(peer.name)
      .description(
        'Add the numbers found there as linked instances: each as a whole, or not at all. Run it with --dry-run first. The server is stopped meanwhile, unless several share a PostgreSQL database.',
      )
      .argument(peer.argument, peer.where)
      .option('--account <id>', 'the account that all of them go to', uuid)
      .option('--accounts <file>', 'a CSV file that says where each goes, with the columns number, account and label')
      .option('--dry-run', 'say what is there and what would happen, and change nothing')
      .option('--stopped', 'the other program is stopped and stays so')
      .addHelpText(
        'after',
        `
Two programs with the keys of one number throw each other out. So stop the other one first: ${peer.stop}.
If it is started again nevertheless, the number here is parked (restriction "replaced") and its keys are kept.

Example:
  gateway import ${peer.name} ${peer.example} --account ID --dry-run
  gateway import ${peer.name} ${peer.example} --account ID --stopped`,
      )
      .action(async (path: string, options: Options, command: Command) => {
        if (options.dryRun === options.stopped) {
          throw new UsageError(`say --dry-run to look only, or --stopped when the other program is stopped and stays so: ${peer.stop}`);
        }
        const archive = await peer.open(path, options.keys ?? null);
        try {
          const { numbers, madeKey } = await withStore(run, async (store, config) => {
            const hadKey = hasSecretKey(config);
            const numbers = await importAll(run, { store, config, archive, options });
            return { numbers, madeKey: !hadKey && hasSecretKey(config) };
          });
          if (numbers.some(({ problem }) => problem !== null)) run.exitCode = 1;
          print(run, command, numbers.map(summaryView), text(numbers, options.dryRun === true) + (madeKey ? madeKeyText : ''));
        } finally {
          await archive.close();
        }
      });
    if (peer.keys !== undefined) command.option('--keys <place>', peer.keys);
  }
}

async function importAll(
  run: Run,
  { store, config, archive, options }: { store: Store; config: Config; archive: Archive; options: Options },
): Promise<Summary[]> {
  if (!config.networks.includes('whatsapp')) throw new OperatorError('whatsapp is not among NETWORKS, so the numbers could not connect');
  const mapping = await readAccounts(store, options);
  if (options.dryRun === true) return planImport(store, archive, mapping);
  const secretKey = await keyToSealWith(config, store);
  // A lone server would not learn of the numbers. Servers that share a database take them within seconds.
  await store.becomeServer({ shared: store.dialect === 'postgres' });
  const vault = await openVault(store.db, secretKey);
  return importNumbers({ store, vault }, archive, mapping, byCommandLine(run));
}

/** A key may be made in the embedded database's own folder, where the server finds it; servers that share a database may have theirs elsewhere. */
async function keyToSealWith(config: Config, { db, dialect }: Store): Promise<Buffer> {
  return dialect === 'postgres' ? givenKey(config, db) : ((await requireSecretKey(config, db)) ?? readSecretKey(config));
}

const madeKeyText =
  '\nTheir keys are encrypted with secret.key in DATA_DIR, which was made for it: start the server without SECRET_KEY, or with the value in that file.';

async function readAccounts(store: Store, { account, accounts }: Options): Promise<Mapping> {
  if ((account === undefined) === (accounts === undefined)) throw new UsageError('name the --account, or a table of --accounts');
  return accounts === undefined
    ? intoAccount(store.db, account ?? '')
    : intoAccounts(store.db, await readInput(accounts, mostMappingBytes));
}

function text(numbers: readonly Summary[], dryRun: boolean): string {
  const columns: Columns<Summary> = {
    SOURCE: ({ source }) => source,
    NUMBER: ({ phoneNumber }) => phoneNumber,
    LID: ({ lid }) => lid,
    PLATFORM: ({ platform }) => platform,
    LINKED: ({ linkedAt }) => isoOrNull(linkedAt)?.slice(0, 10) ?? null,
    USED: ({ usedAt }) => isoOrNull(usedAt)?.slice(0, 10) ?? null,
    LABEL: ({ label }) => label,
    TAKEN: ({ taken }) => taken && takenText(taken),
    'NOT TAKEN': ({ left }) => left && leftText(left),
    [dryRun ? 'RESULT' : 'INSTANCE ID']: ({ problem, instanceId }: Summary) =>
      problem === null ? (instanceId ?? 'can be imported') : `problem: ${problem}`,
  };
  const done = numbers.filter(({ problem }) => problem === null).length;
  const share = `${done} of ${numbers.length}`;
  const end = dryRun ? `Can be imported: ${share}. Nothing was changed.` : `Imported: ${share}. ${done === 0 ? noneText : someText}`;
  return `${list(numbers, columns, 'No numbers.')}\n\n${end}`;
}

const noneText = 'The other program may go on with the numbers that are certainly not linked here.';
const someText = 'Keep the other program stopped, and start the server: they connect without a scan.';

function takenText(taken: NonNullable<Summary['taken']>): string {
  return [
    'identity',
    `${taken['pre-key']} one-time keys`,
    `${taken.session} Signal sessions`,
    `${taken.tctoken} tokens`,
    `${Math.floor(taken['lid-mapping'] / 2)} LIDs`,
    `${taken['app-state-sync-key']} app-state keys`,
  ].join(', ');
}

function leftText({ sessions, groupKeys, unreadable }: NonNullable<Summary['left']>): string | null {
  const parts = [
    ...(sessions > 0 ? [`${sessions} Signal sessions (begin anew)`] : []),
    ...(groupKeys > 0 ? [`${groupKeys} group keys`] : []),
    ...(unreadable > 0 ? [`${unreadable} unreadable values`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
