import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // n8n's own library comes with n8n only.
  resolve: { alias: { 'n8n-workflow': fileURLToPath(new URL('test/n8n-workflow.mts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.mts'],
    globalSetup: ['test/setup.mts'],
    // For tests that hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
