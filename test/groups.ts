import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLong, nodesOfGateway, type StoreKind, storeKinds } from './support/run-options.ts';

/** What is started once for a run, before the first file that needs it: a file in test/support/setup. */
export type Setup = 'build' | 'caddy' | 'chromium' | 'ffmpeg' | 'languages' | 'mariadb' | 'postgres' | 'prometheus' | 'redis' | 'sqlite';

/** What a contributor runs before a push (`npm test`), and what `npm run test:all` runs besides. */
export type Tier = 'push' | 'rest';

/** Tests that need the same. */
export interface Group {
  readonly name: string;
  /** Its files, as paths from the root. */
  readonly files: readonly string[];
  /** Those of them that run before a push. */
  readonly push: readonly string[];
  readonly needs: readonly Setup[];
  readonly stores: readonly StoreKind[];
  /** Each file has a process of its own; others share a few, which saves loading the program for each. */
  readonly isolate: boolean;
  /** Real processes or a browser: a file that fails is run once more, alone. */
  readonly processes: boolean;
}

const root = join(import.meta.dirname, '..');
const matching = (...patterns: readonly string[]) => globSync(patterns, { cwd: root }).sort();
const all = matching('test/**/*.test.ts');

/** Files that run their cases on each of `storeKinds`. */
const onEachStore = all.filter((file) => readFileSync(join(root, file), 'utf8').includes('storeKinds'));

interface Description extends Pick<Group, 'files' | 'needs' | 'stores'> {
  /** Those of its files that run before a push: these, or all but those that come `later`. */
  readonly push?: readonly string[];
  readonly later?: readonly string[];
  readonly isolate?: boolean;
  readonly processes?: boolean;
}

/** A file belongs to the first of these groups that lists it, and to `gateway` when none does. */
const described: Readonly<Record<string, Description>> = {
  // Functions, without a database or a server.
  units: {
    files: matching(
      'test/{core,http,kinds,language,messages,sessions,support}/**/*.test.ts',
      'test/coordination/*.test.ts',
      'test/web/{account-terms,addresses,answers,brand-palette,audit-words,bulk-runs,chart-ticks,day-text,failure-words,list-pages,message-formatting,message-keys,sandbox-chat,send-curl,send-form,suspension-words,typing,usage-period}.test.ts',
      'test/{clients,config,deploy,docs,rooms,stops,templates}.test.ts',
      'test/contract/coverage.test.ts',
    ),
    later: ['test/language/catalogues.test.ts'],
    needs: [],
    stores: ['sqlite'],
  },
  // What only PostgreSQL has: transactions side by side, several servers, embedded installations that move to it.
  leases: {
    files: matching(
      'test/store/{leases,ownership,simulated,outage,pools,session-settings}.test.ts',
      'test/alerts/targets-meanwhile.test.ts',
      'test/contract/number-elsewhere.test.ts',
      'test/{cli,whatsapp}/move.test.ts',
    ),
    push: matching('test/store/leases.test.ts'),
    needs: ['build', 'sqlite', 'postgres'],
    stores: ['postgres'],
  },
  // Stores of other programs.
  imports: {
    files: matching('test/import/{evolution,places,stores,whatsmeow}.test.ts', 'test/whatsapp/{import,number-upload}.test.ts'),
    push: [],
    needs: ['build', 'sqlite', 'postgres', 'mariadb', 'redis'],
    stores: ['postgres'],
  },
  // A WhatsApp network of this machine.
  whatsapp: {
    files: matching('test/whatsapp/**/*.test.ts', 'test/networks/whatsapp*.test.ts', 'test/contract/whatsapp-linking.test.ts'),
    push: matching('test/whatsapp/{sends,refused-sends,kinds,pairing,restart}.test.ts', 'test/contract/whatsapp-linking.test.ts'),
    needs: ['build', 'sqlite', 'ffmpeg'],
    stores: ['sqlite'],
  },
  // A real browser, on the built pages.
  browser: {
    files: matching('test/web/**/*.test.ts', 'test/contract/docs-page.test.ts', 'test/portal/docs-examples.test.ts'),
    push: matching('test/web/{first-journey,home,send-page,pairing-clock}.test.ts'),
    needs: ['build', 'sqlite', 'chromium', 'ffmpeg'],
    stores: ['sqlite'],
    processes: true,
  },
  // Processes that are killed, starved and watched.
  faults: {
    files: matching('test/faults/**/*.test.ts'),
    push: [],
    needs: ['build', 'sqlite', 'postgres', 'redis', 'ffmpeg', 'prometheus', 'caddy'],
    stores: ['sqlite', 'postgres'],
    isolate: true,
    processes: true,
  },
  // The program as a process: its commands and signals, as it is installed, and started by other versions of Node.
  processes: {
    files: matching(
      'test/cli/{closed-output,database,own-node,package,secret}.test.ts',
      'test/portal/first-operator.test.ts',
      'test/store/server.test.ts',
    ),
    push: [],
    needs: ['build', 'sqlite'],
    stores: ['sqlite'],
    processes: true,
  },
  // Requests as code, run by the languages they are written in.
  languages: {
    files: matching('test/code/**/*.test.ts'),
    push: [],
    needs: ['build', 'sqlite', 'ffmpeg', 'languages'],
    stores: ['sqlite'],
    processes: true,
  },
  media: {
    files: matching('test/media/conversion*.test.ts', 'test/contract/media-conversion.test.ts'),
    push: [],
    needs: ['build', 'sqlite', 'ffmpeg'],
    stores: ['sqlite'],
  },
  // What an operation runs of the sources.
  path: { files: matching('test/path.test.ts'), push: [], needs: ['build', 'postgres', 'redis'], stores: ['sqlite'], processes: true },
  // What nodes share through Redis, and how they do without it.
  redis: { files: matching('test/coordination/redis/**/*.test.ts'), push: [], needs: ['redis'], stores: ['sqlite'] },
  // Several servers in one process, under one seed.
  simulation: { files: matching('test/simulation/**/*.test.ts'), push: [], needs: [], stores: ['sqlite'] },
  // Not tests: they make the pictures in docs/portal (npm run screenshots).
  pictures: {
    files: matching('test/pictures/**/*.test.ts'),
    push: [],
    needs: ['build', 'sqlite', 'ffmpeg', 'chromium'],
    stores: ['sqlite'],
  },
  // A gateway over HTTP.
  gateway: {
    files: all,
    later: matching(
      'test/contract/{restart,start-stop,leaks}.test.ts',
      'test/store/busy.test.ts',
      'test/portal/throttling.test.ts',
      'test/import/upload.test.ts',
    ),
    needs: ['build', 'sqlite'],
    stores: ['sqlite'],
  },
};

/** The cases that are about a store once more, on PostgreSQL. */
const onPostgres: Description = {
  files: onEachStore.filter((file) => !file.startsWith('test/faults/')),
  push: matching('test/store/{claim,finish,migrations}.test.ts', 'test/contract/{idempotency,first-message}.test.ts'),
  needs: ['build', 'sqlite', 'postgres'],
  stores: ['postgres'],
};

/** What of the contract is about one process: what it holds of a number, its event loop, a lease it has lost. */
const ofOneProcess = matching('test/contract/{coverage,docs-page,leaks,long-lists,number-elsewhere}.test.ts');

/** The contract asked of three servers in turn: what is about a store, and all of it with TEST_ROUNDS=long. Budgets of the portal are shared as those of keys are, a scan link's page may come to any of them, and an inner request goes on to the owner. */
const cluster: Description = {
  files: [
    ...(isLong ? all : onEachStore).filter((file) => file.startsWith('test/contract/') && !ofOneProcess.includes(file)),
    ...matching('test/portal/{throttling,scan-links}.test.ts', 'test/compatibility/evolution-sends.test.ts'),
  ],
  push: [],
  needs: ['build', 'sqlite', 'postgres', 'redis', 'ffmpeg'],
  stores: ['postgres'],
};

/** Every group on the stores of this run; with several servers (TEST_NODES) only that of the contract. */
export function groups(): readonly Group[] {
  if (nodesOfGateway > 1) return [group('cluster', cluster)];
  const taken = new Set<string>();
  const found = Object.entries(described).map(([name, description]) => {
    const files = description.files.filter((file) => !taken.has(file));
    for (const file of files) taken.add(file);
    return group(name, { ...description, files });
  });
  return [...found, group('postgres', onPostgres)].filter(({ stores }) => stores.length > 0);
}

/** The group's files of this tier. */
export function filesOf({ files, push }: Group, tier: Tier): readonly string[] {
  return files.filter((file) => push.includes(file) === (tier === 'push'));
}

function group(name: string, { files, later = [], push = files, needs, stores, isolate = false, processes = false }: Description): Group {
  return {
    name,
    files,
    push: files.filter((file) => push.includes(file) && !later.includes(file)),
    needs,
    stores: stores.filter((store) => storeKinds.includes(store)),
    isolate,
    processes,
  };
}
