import { type Browser, type BrowserContext, type BrowserServer, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { browser, ensureComponent, howToGet } from './components.ts';

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

/** Starts a headless Chromium that tests connect to. */
export const startChromium = (): Promise<BrowserServer> => chromium.launchServer(options());

/** Starts a headless Chromium for a script; `close` ends it. */
export const launchChromium = (): Promise<Browser> => chromium.launch(options({ windows: true }));

function options(wanted: { readonly windows?: boolean } = {}) {
  ensureComponent('chromium');
  const executablePath = browser(wanted);
  if (executablePath === null) throw new Error(howToGet('chromium'));
  return { executablePath, headless: true, args };
}

/** The run's Chromium: each of its contexts is a browser of somebody else; `close` closes the contexts that were made here. */
export function openChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}

/** A headless Chromium for a person of its own, in this folder, with further arguments; `close` ends it. What it loads as extensions is allowed. */
export const launchPersonal = (folder: string, more: readonly string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    // The one without windows has no extensions.
    ...options({ windows: true }),
    args: [...args, ...more],
    ignoreDefaultArgs: ['--disable-extensions'],
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
