import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faults } from './docs/built.ts';
import { makeSite, writeSite } from './docs/pages.ts';

// Builds the docs site into site/dist: `npm run docs`, or `npm run docs -- --base /manual/` for a site that does not lie at the top of its name.
// The site's builder is installed the first time, into site/ alone: nothing else needs it.
const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const builder = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
if (!/^\/([\w-]+\/)*$/.test(values.base)) throw new Error('--base begins and ends with a slash');

const installed = join(site, 'node_modules', '.package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(site, 'package-lock.json')).mtimeMs) {
  execFileSync('npm', ['ci', '--prefix', site], { stdio: 'inherit' });
}
writeSite(root, join(site, 'pages'), makeSite(root));
execFileSync(process.execPath, [builder, 'build', site], {
  stdio: 'inherit',
  env: { ...process.env, DOCS_BASE: values.base, NODE_ENV: 'production' },
});

const found = faults(join(site, 'dist'), values.base);
for (const fault of found) process.stderr.write(`leads nowhere, or elsewhere: ${fault}\n`);
if (found.length > 0) process.exitCode = 1;
else process.stdout.write('site/dist is complete: every link leads somewhere, and nothing is loaded from elsewhere\n');
