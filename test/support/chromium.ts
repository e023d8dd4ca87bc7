import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserServer, chromium } from 'playwright-core';
import { inject } from 'vitest';

/** Nothing that Chromium would do on its own account. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live for seconds: what the engine would spend on making their scripts faster, and on helpers that collect memory, comes to a sixth of the renderers' time.
  '--js-flags=--no-opt --no-maglev --single-threaded-gc',
];

const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
// The one that cannot open a window comes first: it needs two thirds of the processor time.
const places = ['/usr/bin/chromium-headless-shell', ...whole];

/** Starts a headless Chromium that tests connect to; installs it when it is missing and this process may. */
export const startChromium = (): Promise<BrowserServer> => chromium.launchServer(options(places));

/** Starts a headless Chromium for a script; `close` ends it. */
export const launchChromium = (): Promise<Browser> => chromium.launch(options(whole));

const options = (wanted: readonly string[]) => ({ executablePath: find(wanted) ?? installChromium(wanted), headless: true, args });

/** The run's Chromium: each of its contexts is a browser of somebody else; `close` closes the contexts that were made here. */
export function openChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}

/** A headless Chromium for a person of its own, in this folder, with further arguments; `close` ends it. What it loads as extensions is allowed. */
export const launchPersonal = (folder: string, more: readonly string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    // The one without windows has no extensions.
    ...options(whole),
    args: [...args, ...more],
    ignoreDefaultArgs: ['--disable-extensions'],
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });

function find(wanted: readonly string[]): string | undefined {
  return wanted.find((place) => existsSync(place));
}

/** Debian's packages, installed when this process may; otherwise the error says what is missing. */
function installChromium(wanted: readonly string[]): string {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The browser tests need Chromium, and none of ${wanted.join(', ')} exists: install it, for example with apt-get install chromium.`,
    );
  }
  const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Test files run side by side, and only one may hold apt's lock.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  execFileSync('apt-get', [...wait, 'update', '-q'], options);
  execFileSync('apt-get', [...wait, 'install', '-q', '-y', '--no-install-recommends', 'chromium', 'chromium-headless-shell'], options);
  const found = find(wanted);
  if (found === undefined) throw new Error('apt-get installed the package chromium, but there is no /usr/bin/chromium');
  return found;
}
