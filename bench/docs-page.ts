import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startApp } from '../src/app/start.ts';
import { readConfig } from '../src/config/index.ts';
import { line, median } from './table.ts';

// How long somebody waits for the API reference who opens it for the first time: `node bench/docs-page.ts --help`.

const { values: options } = parseArgs({
  options: {
    paths: { type: 'string', default: '/docs' },
    looks: { type: 'string', default: '9' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/docs-page.ts [--paths /docs] [--looks 9] [--chromium /usr/bin/chromium]
Starts a gateway and opens the pages in Chromium, each time as a browser that has nothing of them yet: when the page shows its first text, when its
largest part is on screen, when everything is loaded, and what went over the wire. The first look of all also finds a server that made no page yet.
`);
  process.exit(0);
}

const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
const app = await startApp(readConfig({ DATA_DIR: directory, PORT: '0', NETWORKS: 'sandbox', LOG_LEVEL: 'error' }));
const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox', '--disable-gpu'] });
try {
  line('page', 'look', 'first text ms', 'largest part ms', 'loaded ms', 'KB on the wire', 'requests');
  line('---', '---', '--:', '--:', '--:', '--:', '--:');
  for (const path of options.paths.split(',')) {
    const looks: Look[] = [];
    for (let count = 0; count < Number(options.looks); count++) looks.push(await look(path));
    const [first, ...others] = looks;
    if (first !== undefined) print(path, 'first of all', (of) => of(first));
    if (others.length > 0) print(path, 'median of the others', (of) => median(others.map(of)));
    if (others.length > 0) print(path, 'worst of the others', (of) => Math.max(...others.map(of)));
  }
} finally {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
}

interface Look {
  readonly text: number;
  readonly largest: number;
  readonly loaded: number;
  readonly bytes: number;
  readonly requests: number;
}

function print(path: string, which: string, figure: (of: (look: Look) => number) => number): void {
  const shown = (of: (look: Look) => number) => figure(of).toFixed(0);
  line(
    path,
    which,
    shown(({ text }) => text),
    shown(({ largest }) => largest),
    shown(({ loaded }) => loaded),
    shown(({ bytes }) => bytes / 1000),
    shown(({ requests }) => requests),
  );
}

/** Opens a page in a browser that knows nothing. Times count from the click. */
async function look(path: string): Promise<Look> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send('Network.enable');
    const sizes: number[] = [];
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
    await page.goto(`${app.address}${path}`, { waitUntil: 'networkidle' });
    const times = await page.evaluate(
      () =>
        new Promise<{ text: number; largest: number; loaded: number }>((done) => {
          new PerformanceObserver((list) => {
            const text = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
            const largest = list.getEntries().at(-1)?.startTime ?? Number.NaN;
            const loaded = Math.max(
              ...performance.getEntriesByType('resource').map((entry) => (entry as unknown as { responseEnd: number }).responseEnd),
            );
            done({ text, largest, loaded });
          }).observe({ type: 'largest-contentful-paint' as never, buffered: true });
        }),
    );
    return { ...times, bytes: sizes.reduce((sum, size) => sum + size, 0), requests: sizes.length };
  } finally {
    await context.close();
  }
}
