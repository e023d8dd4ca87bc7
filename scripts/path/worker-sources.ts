import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Loaded into every thread with --import: a worker thread of the built program then runs its sources, so that its functions are found under their own
// names and lines.
const bundle = /\/dist\/whatsapp-worker\.js$/;
const source = new URL('../../src/networks/whatsapp/worker/main.ts', import.meta.url);

if (!isMainThread) {
  registerHooks({
    resolve(specifier, context, next) {
      return next(bundle.test(specifier) && existsSync(source) ? source.href : specifier, context);
    },
  });
}
