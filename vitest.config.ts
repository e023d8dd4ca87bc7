import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { storeKinds } from './test/support/run-options.ts';

/** Tests that need the same: what a project sets up is started only when one of its files runs. */
interface Project {
  readonly files: readonly string[];
  /** Files in test/support/setup. */
  readonly needs: readonly string[];
  /** Each file has a process of its own; others share a few, which saves loading the program for each. */
  readonly isolate?: true;
  /** Files that are not meant, though listed. */
  readonly not?: readonly string[];
  /** Its files are run here as well, whichever project they belong to. */
  readonly again?: true;
  readonly env?: Readonly<Record<string, string>>;
}

/** How long a test may take on a machine that is busy with other things, too, unless it names a time of its own. */
const patienceMs = 300_000;

const databases = ['build', 'sqlite', ...(storeKinds.includes('postgres') ? ['postgres'] : [])];

const listed: Readonly<Record<string, Project>> = {
  // Functions, without a database or a server.
  units: {
    needs: [],
    files: [
      'test/{core,http,kinds,language,messages,sessions,simulation,support}/**/*.test.ts',
      'test/coordination/*.test.ts',
      'test/web/{account-terms,brand-palette,audit-words,message-formatting,sandbox-chat,send-curl,send-form,suspension-words,usage-period}.test.ts',
      'test/{config,deploy,rooms}.test.ts',
    ],
    // It is about several servers over a PostgreSQL, if only a model of one.
    not: storeKinds.includes('postgres') ? [] : ['test/simulation/**'],
  },
  // A real browser, on the built pages.
  web: {
    needs: ['build', 'sqlite', 'chromium', 'ffmpeg'],
    files: ['test/web/**/*.test.ts', 'test/contract/docs-page.test.ts', 'test/portal/docs-examples.test.ts'],
  },
  // What nodes share through Redis, and how they do without it.
  redis: { needs: ['redis'], files: ['test/coordination/redis/**/*.test.ts'] },
  // Processes that are killed, starved and watched, and what only PostgreSQL can suffer.
  faults: {
    needs: [...databases, 'ffmpeg'],
    files: ['test/faults/**/*.test.ts', 'test/store/{outage,pools}.test.ts'],
    isolate: true,
  },
  // A WhatsApp network of this machine.
  whatsapp: {
    needs: databases,
    files: ['test/whatsapp/**/*.test.ts', 'test/networks/whatsapp*.test.ts', 'test/contract/whatsapp-linking.test.ts'],
  },
  // What only PostgreSQL has: transactions side by side, several servers, embedded installations that move to it.
  leases: {
    needs: databases,
    files: [
      'test/store/{leases,ownership,simulated}.test.ts',
      'test/alerts/targets-meanwhile.test.ts',
      'test/contract/number-elsewhere.test.ts',
      'test/cli/move.test.ts',
    ],
  },
  // The program as it is installed, and started by other versions of Node.
  installed: { needs: ['build'], files: ['test/cli/{own-node,package}.test.ts'] },
  // Requests as code, run by the languages they are written in.
  code: { needs: ['build', 'sqlite', 'ffmpeg', 'languages'], files: ['test/code/**/*.test.ts'] },
  // Not tests: they make the pictures in docs/portal (npm run screenshots).
  pictures: { needs: ['build', 'sqlite', 'ffmpeg'], files: ['test/pictures/**/*.test.ts'] },
  media: { needs: ['build', 'sqlite', 'ffmpeg'], files: ['test/media/conversion*.test.ts', 'test/contract/media-conversion.test.ts'] },
};

// A file belongs to the first project that lists it; to `gateway` when none does: a gateway over HTTP, on the stores.
const names = Object.keys(listed);
const projects: Readonly<Record<string, Project>> = {
  ...listed,
  gateway: { needs: databases, files: ['test/**/*.test.ts'] },
  // The contract once more, asked of three servers in turn.
  cluster: {
    needs: ['build', 'sqlite', 'postgres', 'redis', 'chromium', 'ffmpeg'],
    again: true,
    env: { TEST_STORES: 'postgres', TEST_NODES: '3' },
    // Budgets of the portal are shared as those of keys are.
    files: ['test/contract/**/*.test.ts', 'test/portal/throttling.test.ts'],
    // A table of the tests, and what is about one process: what it holds of a number, its event loop, a lease it has lost.
    not: ['test/contract/{coverage,leaks,long-lists,number-elsewhere}.test.ts'],
  },
};

// The compiled form of the libraries is kept for the many processes and worker threads that load them. Coverage is counted on the sources.
if (!process.argv.includes('--coverage')) process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'gateway-compile-cache');

export default defineConfig({
  test: {
    // More than cores: most files wait half of their time, for a disk, a database or a process.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    // Of what runs in the processes of the tests; worker threads and server processes are not counted, so what runs only there is left out.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/networks/whatsapp/worker/lifecycle/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 90, functions: 88, branches: 82 },
    },
    projects: Object.entries(projects).map(([name, { files, not = [], again, env = {}, needs, isolate = false }], place) => ({
      extends: true,
      test: {
        name,
        env,
        include: [...files],
        exclude: [...not, ...(again ? [] : names.slice(0, place).flatMap((earlier) => listed[earlier]?.files ?? []))],
        setupFiles: ['test/support/setup/patience.ts'],
        expect: { poll: { timeout: 60_000, interval: 50 } },
        globalSetup: needs.map((need) => `test/support/setup/${need}.ts`),
        isolate,
        testTimeout: patienceMs,
        hookTimeout: patienceMs,
      },
    })),
  },
});
