import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** A browser of one's own: a fresh profile, and nothing that Chromium would do on its own account. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts a headless Chromium; `close` ends it and removes its profile. */
export async function openChromium(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const executablePath = findChromium() ?? installChromium();
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Starts a headless Chromium without a profile: each of its contexts is a browser of somebody else. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium() ?? installChromium(), headless: true, args });
}

function findChromium(): string | undefined {
  return places.find((place) => existsSync(place));
}

/** Debian's package, installed when this process may; otherwise the error says what is missing. */
function installChromium(): string {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The browser tests need Chromium, and none of ${places.join(', ')} exists: install it, for example with apt-get install chromium.`,
    );
  }
  const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Test files run side by side, and only one may hold apt's lock.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  execFileSync('apt-get', [...wait, 'update', '-q'], options);
  execFileSync('apt-get', [...wait, 'install', '-q', '-y', '--no-install-recommends', 'chromium'], options);
  const found = findChromium();
  if (found === undefined) throw new Error('apt-get installed the package chromium, but there is no /usr/bin/chromium');
  return found;
}
