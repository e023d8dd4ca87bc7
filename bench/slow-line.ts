import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CDPSession, chromium } from 'playwright-core';
import { startApp } from '../src/app/start.ts';
import { readConfig } from '../src/config/index.ts';
import { createVault, systemClock } from '../src/core/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { readSecretKey } from '../src/vault/secret-key.ts';
import type { TestGateway } from '../test/support/gateway.ts';
import { memberOf, operator, providerAdmin, type SignedIn } from '../test/support/portal.ts';
import { ToldSecrets } from '../test/support/told-secrets.ts';
import { fillPortal, usualSizes } from './portal-data/index.ts';
import { line } from './table.ts';

// How long the portal's first page takes on a slow line: `node bench/slow-line.ts --help`.

const { values: options } = parseArgs({
  options: {
    latency: { type: 'string', default: '400' },
    rate: { type: 'string', default: '50' },
    language: { type: 'string', default: 'en-GB' },
    looks: { type: 'string', default: '3' },
    waterfall: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/slow-line.ts [--latency 400] [--rate 50] [--language en-GB] [--looks 3] [--waterfall] [--chromium /usr/bin/chromium]
Opens the first page in a Chromium that has nothing of it yet, on a line with so many milliseconds to each answer and so many KB a second: when its
shell, its own content and its last part are there, and what was loaded until then. The best look of each counts.
`);
  process.exit(0);
}

const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
const config = readConfig({ DATA_DIR: directory, PORT: '0', NETWORKS: 'sandbox', LOG_LEVEL: 'error' });
const store = await openStore(config, { create: true });
await store.migrate();
const sizes = { ...usualSizes, accounts: 50, numbers: 500, people: 100, keys: 100, audit: 1000 };
const data = await fillPortal({ store, vault: createVault(readSecretKey(config)), sizes, now: Date.now() });
await store.close();
const app = await startApp(config);
const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const gateway = { app, address: app.address, secrets: new ToldSecrets(), clock: systemClock } as unknown as TestGateway;
  const account = data.accounts.find(({ status }) => status === 'active')?.id ?? '';
  const people: readonly (readonly [string, string, SignedIn | null])[] = [
    ['sign-in', '/sign-in', null],
    ['home of a customer', '/', await memberOf(gateway, account, 'owner')],
    ['home of a reseller', '/', await providerAdmin(gateway, data.providers[0]?.id)],
    ['home of an operator', '/', await operator(gateway)],
    ['numbers of a customer', '/numbers', await memberOf(gateway, account, 'owner')],
  ];
  line('page', 'shell, s', 'frame, s', 'content, s', 'KB until then', 'requests', 'everything, s', 'KB');
  line('---', '--:', '--:', '--:', '--:', '--:', '--:', '--:');
  for (const [name, path, person] of people) {
    const looks: Look[] = [];
    for (let count = 0; count < Number(options.looks); count++) looks.push(await look(path, person));
    const [best] = looks.toSorted((one, other) => one.content - other.content);
    if (best === undefined) continue;
    const before = best.loads.filter(({ ended }) => ended <= best.content);
    const bytes = (loads: readonly Load[]) => loads.reduce((sum, { size }) => sum + size, 0) / 1000;
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    line(
      name,
      seconds(best.shell),
      seconds(best.frame),
      seconds(best.content),
      bytes(before).toFixed(0),
      String(before.length),
      seconds(Math.max(...best.loads.map(({ ended }) => ended))),
      bytes(best.loads).toFixed(0),
    );
    if (!options.waterfall) continue;
    for (const { url, begun, ended, size } of best.loads) {
      process.stdout.write(`  ${begun.toFixed(0).padStart(5)}–${ended.toFixed(0).padStart(5)} ms ${String(size).padStart(7)} ${url}\n`);
    }
  }
} finally {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Something that came over the wire; times count from the click. */
interface Load {
  readonly url: string;
  readonly begun: number;
  readonly ended: number;
  readonly size: number;
}

interface Look {
  readonly shell: number;
  readonly frame: number;
  readonly content: number;
  readonly loads: readonly Load[];
}

/** Opens the page in a browser that knows nothing but who is signed in. */
async function look(path: string, person: SignedIn | null): Promise<Look> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: options.language });
  try {
    if (person !== null)
      await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: app.address, httpOnly: true })));
    await context.addInitScript(watchContent);
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    const loads = await slow(wire);
    await page.goto(`${app.address}${path}`, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'content' in (globalThis as unknown as { seen: object }).seen, undefined, { timeout: 60_000 });
    // What follows by itself; the stream of events never ends.
    await page.waitForTimeout(4_000);
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: unknown }).seen);
    return { ...(seen as Pick<Look, 'shell' | 'frame' | 'content'>), loads: loads() };
  } finally {
    await context.close();
  }
}

/** Makes the page's line slow, and notes what comes over it. */
async function slow(wire: CDPSession): Promise<() => readonly Load[]> {
  const rate = Number(options.rate) * 1000;
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: Number(options.latency),
    downloadThroughput: rate,
    uploadThroughput: rate,
  });
  const begun = new Map<string, { readonly url: string; readonly at: number }>();
  const loads: Load[] = [];
  let first = Number.NaN;
  wire.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (Number.isNaN(first)) first = timestamp;
    begun.set(requestId, { url: new URL(request.url).pathname, at: timestamp });
  });
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength: size, timestamp }) => {
    const request = begun.get(requestId);
    if (request === undefined) return;
    loads.push({ url: request.url, begun: (request.at - first) * 1000, ended: (timestamp - first) * 1000, size });
  });
  return () => loads;
}

/** Runs in the page: notes when its parts can first be seen. */
function watchContent(): void {
  const page = globalThis as unknown as { seen: Record<string, number>; requestAnimationFrame(step: () => void): void; document: Seen };
  page.seen = {};
  const note = (part: string, there: boolean) => {
    if (there) page.seen[part] ??= performance.now();
  };
  const step = () => {
    const has = (selector: string) => page.document.querySelector(selector) !== null;
    note('shell', performance.getEntriesByName('first-contentful-paint').length > 0);
    note('frame', has('main'));
    // Nothing stands in for a part any more.
    note('content', has('main h1') && !has('main [class*="Skeleton"], main [class*="Loader"]'));
    page.requestAnimationFrame(step);
  };
  step();
}

interface Seen {
  querySelector(selector: string): unknown;
}
