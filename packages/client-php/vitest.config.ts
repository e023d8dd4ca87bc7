import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../client/test/setup.ts'],
    // For tests that hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
