import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { filesOf, groups } from './test/groups.ts';
import { tier } from './test/support/run-options.ts';

// The compiled form of the libraries is kept for the many processes and worker threads that load them. Coverage is counted on the sources.
if (!process.argv.includes('--coverage')) process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'gateway-compile-cache');

/** How long a test may take before it counts as one that hangs. */
const hangMs = 60_000;

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // Of what runs in the processes of the tests; worker threads and server processes are not counted, so what runs only there is left out.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/networks/whatsapp/worker/lifecycle/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 90, functions: 88, branches: 82 },
    },
    projects: groups().map((group) => ({
      extends: true,
      test: {
        name: group.name,
        env: { TEST_STORES: group.stores.length === 1 ? group.stores[0] : '' },
        include: [...(tier === null ? group.files : filesOf(group, tier))],
        setupFiles: ['test/support/setup/patience.ts'],
        expect: { poll: { timeout: 10_000, interval: 20 } },
        globalSetup: group.needs.map((need) => `test/support/setup/${need}.ts`),
        isolate: group.isolate,
        testTimeout: hangMs,
        hookTimeout: hangMs,
      },
    })),
  },
});
