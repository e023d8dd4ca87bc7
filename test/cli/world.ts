import { Readable } from 'node:stream';
import type { CommandEnvironment } from '../../src/cli/index.ts';
import { runCommandLine } from '../../src/cli/index.ts';
import type { Config } from '../../src/config/index.ts';
import type { Clock } from '../../src/core/index.ts';
import { resealTwoFactors } from '../../src/portal/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, type StoreKind, type TestDatabase } from '../support/stores.ts';

/** What one run of the command line did. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with a database, on which words are run. */
export interface Terminal {
  readonly database: TestDatabase;
  /** Open for the test itself, beside the commands. */
  readonly store: Store;
  readonly now: number;
  /** What `serve` was called with. */
  readonly served: { config: Config; demo: boolean }[];
  run(...words: string[]): Promise<Outcome>;
  /** Like `run`, in a world that differs. */
  runIn(world: Partial<CommandEnvironment>, ...words: string[]): Promise<Outcome>;
  /** Runs with `--json`, expects success, and parses what it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects whose shape they are about to assert
  json(...words: string[]): Promise<any>;
  /** Every row of every table. */
  dump(): Promise<Record<string, unknown[]>>;
  dispose(): Promise<void>;
}

export const startOfTests = Date.UTC(2026, 5, 15, 12);

export async function openTerminal(kind: StoreKind = 'sqlite', clock: Clock = createManualClock(startOfTests)): Promise<Terminal> {
  const database = await createTestDatabase(kind);
  const store = await database.open();
  const served: Terminal['served'] = [];
  const place = kind === 'sqlite' ? { DATA_DIR: database.location } : { DATABASE_URL: database.location, DATA_DIR: '/nonexistent/gateway' };
  // Nothing here may ask the internet.
  const env = { NETWORKS: 'sandbox', ...place };

  async function runIn(world: Partial<CommandEnvironment>, ...words: string[]): Promise<Outcome> {
    let stdout = '';
    let stderr = '';
    const exitCode = await runCommandLine(words, {
      clock,
      isTerminal: false,
      version: '1.2.3',
      stdin: Readable.from([]),
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      nextLine: async () => null,
      openStore: () => database.open(),
      openMail: () => null,
      resealTwoFactors,
      serve: async (config, { demo }) => {
        served.push({ config, demo });
      },
      ...world,
      env: { ...env, ...world.env },
    });
    return { exitCode, stdout, stderr };
  }

  return {
    database,
    store,
    now: startOfTests,
    served,
    runIn,
    run: (...words) => runIn({}, ...words),
    async json(...words) {
      const { exitCode, stdout, stderr } = await runIn({}, ...words, '--json');
      if (exitCode !== 0 || stderr !== '') throw new Error(`${words.join(' ')}: exit ${exitCode}, ${stderr}`);
      return JSON.parse(stdout);
    },
    async dump() {
      const tables = await store.db.introspection.getTables();
      const rows: Record<string, unknown[]> = {};
      for (const { name } of tables) {
        rows[name] = (
          await store.db
            .selectFrom(name as 'accounts')
            .selectAll()
            .execute()
        ).toSorted(byText);
      }
      return rows;
    },
    dispose: () => database.dispose(),
  };
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
