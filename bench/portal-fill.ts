import { parseArgs } from 'node:util';
import { readConfig } from '../src/config/index.ts';
import { createVault } from '../src/core/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { readSecretKey } from '../src/vault/secret-key.ts';
import { fillPortal, usualSizes } from './portal-data/index.ts';

// Fills the database that the settings name (DATA_DIR or DATABASE_URL) with a large installation's data: `node bench/portal-fill.ts --help`.

const names = ['providers', 'accounts', 'numbers', 'people', 'keys', 'audit', 'invitations', 'requests'] as const;
const { values: options } = parseArgs({
  options: {
    ...(Object.fromEntries(names.map((name) => [name, { type: 'string', default: String(usualSizes[name]) }])) as Record<
      (typeof names)[number],
      { type: 'string'; default: string }
    >),
    'usage-days': { type: 'string', default: String(usualSizes.usageDays) },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`DATA_DIR=… node bench/portal-fill.ts ${names.map((name) => `[--${name} ${usualSizes[name]}]`).join(' ')} [--usage-days 30]
Makes the tables where there are none, and adds made-up providers, accounts, numbers of the sandbox, people who cannot sign in, keys that nobody
knows, audit entries and --requests records in the request log (up to ten million and more). No server may use the database meanwhile.
`);
  process.exit(0);
}

const config = readConfig(process.env);
const store = await openStore(config, { create: true });
try {
  await store.migrate();
  const sizes = {
    ...usualSizes,
    ...Object.fromEntries(names.map((name) => [name, Number(options[name])])),
    usageDays: Number(options['usage-days']),
  };
  const begun = performance.now();
  await fillPortal({
    store,
    vault: createVault(readSecretKey(config)),
    sizes,
    now: Date.now(),
    onProgress: (what, count) => process.stderr.write(`\r${((performance.now() - begun) / 1000).toFixed(0)} s: ${count} ${what}          `),
  });
  process.stderr.write('\n');
} finally {
  await store.close();
}
