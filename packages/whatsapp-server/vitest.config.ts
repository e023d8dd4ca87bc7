import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Loading the library takes longer than most files, so they share processes.
    isolate: false,
    maxWorkers: availableParallelism(),
    // For tests that hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
