import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { startApp } from '../src/app/start.ts';
import { readConfig } from '../src/config/index.ts';
import { createVault, systemClock } from '../src/core/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { readSecretKey } from '../src/vault/secret-key.ts';
import type { TestGateway } from '../test/support/gateway.ts';
import { operator } from '../test/support/portal.ts';
import { ToldSecrets } from '../test/support/told-secrets.ts';
import { fillPortal, usualSizes } from './portal-data/index.ts';
import { line } from './table.ts';

// How long eight tabs of the portal take that an operator opens at once: `node bench/eight-tabs.ts --help`.

const { values: options } = parseArgs({
  options: {
    looks: { type: 'string', default: '3' },
    accounts: { type: 'string', default: '2000' },
    numbers: { type: 'string', default: '20000' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    serve: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/eight-tabs.ts [--looks 3] [--accounts 2000] [--numbers 20000] [--chromium /usr/bin/chromium]
Clicks on eight entries of the menu at once with Ctrl held, beside a server of its own process whose numbers are connected, and says for each tab
when its content was there. The last two rows are what the same browser takes for eight tabs with a server that has next to nothing to do: bare ones.
`);
  process.exit(0);
}

interface Served {
  readonly address: string;
  readonly cookies: readonly (readonly [name: string, value: string])[];
  readonly connected: number;
}

if (options.serve === undefined) await measure();
else await serve(options.serve);

/** In a process of its own: an installation of some years, and a person who is signed in. */
async function serve(directory: string): Promise<void> {
  const config = readConfig({ DATA_DIR: directory, PORT: '0', NETWORKS: 'sandbox', LOG_LEVEL: 'error' });
  const store = await openStore(config, { create: true });
  await store.migrate();
  const sizes = { ...usualSizes, accounts: Number(options.accounts), numbers: Number(options.numbers) };
  await fillPortal({ store, vault: createVault(readSecretKey(config)), sizes, now: Date.now() });
  await store.close();
  const app = await startApp(config);
  const gateway = { app, address: app.address, secrets: new ToldSecrets(), clock: systemClock } as unknown as TestGateway;
  const { cookies } = await operator(gateway);
  const open = () => app.sessions.all().filter(({ status }) => status === 'open').length;
  let connected = -1;
  while (connected < open()) {
    connected = open();
    await sleep(3_000);
  }
  process.send?.({ address: app.address, cookies: [...cookies], connected } satisfies Served);
  await once(process, 'message');
  await app.stop();
  process.disconnect();
}

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
  const server = fork(import.meta.filename, [...process.argv.slice(2), '--serve', directory]);
  const [served]: Served[] = await once(server, 'message');
  const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    if (served === undefined) throw new Error('the server said nothing');
    process.stdout.write(`${served.connected} numbers are connected\n\n`);
    line('tabs', 'first, s', 'last, s', 'each');
    line('---', '--:', '--:', '---');
    for (let count = 0; count < Number(options.looks); count++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
      await context.addCookies(served.cookies.map(([name, value]) => ({ name, value, url: served.address, httpOnly: true })));
      await context.addInitScript(noteContent);
      tell('of the menu', await openFromMenu(context, served.address));
      await context.close();
    }
    const context = await browser.newContext();
    await context.addInitScript(noteContent);
    for (let count = 0; count < 2; count++) tell('bare', await openBare(context));
  } finally {
    await browser.close();
    server.send('stop');
    await once(server, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
}

type Times = readonly (readonly [path: string, seconds: number])[];

function tell(name: string, times: Times): void {
  const sorted = times.toSorted(([, one], [, other]) => one - other);
  const each = sorted.map(([path, seconds]) => `${path} ${seconds.toFixed(1)}`.trim()).join(', ');
  line(name, sorted[0]?.[1].toFixed(1) ?? '', sorted.at(-1)?.[1].toFixed(1) ?? '', each);
}

/** The first eight entries of the menu, each in a tab of its own. */
async function openFromMenu(context: BrowserContext, address: string): Promise<Times> {
  const home = await context.newPage();
  await home.goto(address);
  await filled(home);
  // What follows by itself: the rest of the scripts, the stream of events.
  await home.waitForTimeout(2_500);
  const tabs: Page[] = [];
  context.on('page', (tab) => tabs.push(tab));
  const began = Date.now();
  const links = (await home.locator('nav a[href^="/"]').all()).slice(0, 8);
  await Promise.all(links.map((link) => link.dispatchEvent('click', { ctrlKey: true })));
  while (tabs.length < 8) await sleep(20);
  return Promise.all(tabs.map(async (tab) => [new URL(tab.url()).pathname, ((await filled(tab)) - began) / 1000] as const));
}

/** Eight tabs with a heading each. */
async function openBare(context: BrowserContext): Promise<Times> {
  const began = Date.now();
  const open = async () => {
    const tab = await context.newPage();
    await tab.goto('data:text/html,<main><h1>bare</h1></main>');
    const at = await filled(tab);
    return ['', (at - began) / 1000] as const;
  };
  return Promise.all(Array.from({ length: 8 }, open));
}

interface Noted {
  /** Of the calendar, in milliseconds. */
  filled?: number;
  readonly document: { querySelector(selector: string): unknown };
}

/** When the page had its content, by the calendar. */
async function filled(page: Page): Promise<number> {
  await page.waitForFunction(() => 'filled' in globalThis, undefined, { timeout: 60_000 });
  return page.evaluate(() => (globalThis as unknown as Required<Noted>).filled);
}

/** Runs in the page: notes when nothing stands in for a part any more. */
function noteContent(): void {
  const page = globalThis as unknown as Noted;
  const look = () => {
    const has = (selector: string) => page.document.querySelector(selector) !== null;
    if (has('main h1') && !has('main [class*="Skeleton"], main [class*="Loader"]'))
      page.filled = performance.timeOrigin + performance.now();
    else setTimeout(look, 10);
  };
  look();
}
