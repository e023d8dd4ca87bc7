import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openChromium } from './chromium.ts';

// A browser of a visitor's own starts a process and compiles the program of the pages: more than half of what the first page in it costs. So
// visitors of one process of tests take over, one after the other, what another has left: a page that is as good as new, but for its cache,
// where the files of the pages are.

/** What a browser is told when it is made. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  readonly bypassCSP: boolean;
}

/** What is noted of one visitor. */
export interface Notes {
  readonly address: string;
  readonly troubles: string[];
}

/** A context with its first page. */
export interface VisitorBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whose notes are taken; null: nobody's. */
  notes: Notes | null;
  /** Has the script run in every document of the page before its own, until the browser is left. */
  runFirst(script: string): Promise<void>;
}

interface Left {
  readonly look: string;
  readonly browser: VisitorBrowser & { readonly session: CDPSession; readonly scripts: string[] };
}

/** So many are kept in a process. */
const mostKept = 4;
const kept: Left[] = [];
let chromium: Promise<Browser> | null = null;

/** The run's Chromium, for all portals of this process that want no other. */
export const sharedChromium = (): Promise<Browser> => (chromium ??= openChromium());

/** A browser that looks like this: one that was left, unless it must be new, or a new one. */
export async function takeBrowser(browser: Browser, look: Look, { fresh }: { readonly fresh: boolean }): Promise<VisitorBrowser> {
  const wanted = JSON.stringify(look);
  const place = fresh ? -1 : kept.findIndex((left) => left.look === wanted && left.browser.context.browser() === browser);
  const [found] = place === -1 ? [] : kept.splice(place, 1);
  return found?.browser ?? (await makeBrowser(browser, look));
}

async function makeBrowser(browser: Browser, { colorScheme, width, height, bypassCSP }: Look): Promise<Left['browser']> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    bypassCSP,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(100_000);
  const taken: { notes: Notes | null } = { notes: null };
  await note(context, taken);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  const scripts: string[] = [];
  const runFirst = async (source: string) => {
    scripts.push((await session.send('Page.addScriptToEvaluateOnNewDocument', { source })).identifier);
  };
  return Object.assign(taken, { context, page, session, scripts, runFirst });
}

/** Makes a browser ready for the next visitor, whose pages are at the same address; closes it when that does not work. */
export async function leaveBrowser(made: VisitorBrowser, look: Look, address: string): Promise<void> {
  const browser = made as Left['browser'];
  const { context, page, session, scripts } = browser;
  try {
    if (context.pages().length !== 1 || page.isClosed() || new URL(page.url()).origin !== address) throw new Error('it cannot be left');
    // A document of the same origin, without scripts: with another one, or none, the browser would end the process.
    await page.goto(`${address}/assets/icon.svg`);
    browser.notes = null;
    for (const identifier of scripts.splice(0)) await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce', media: null });
    await page.setViewportSize({ width: look.width, height: look.height });
    // Nothing is under it.
    await page.mouse.move(-1, -1);
    kept.push({ look: JSON.stringify(look), browser });
  } catch {
    await context.close();
  }
  while (kept.length > mostKept) await kept.shift()?.browser.context.close();
}

/** What can be done with a page and leaves nothing behind when it has gone on to another document. */
const passing =
  /^(getBy|waitFor|evaluate|\$)|^(locator|frameLocator|goto|goBack|goForward|reload|url|title|content|keyboard|mouse|emulateMedia|setViewportSize|viewportSize|isClosed|screenshot|ariaSnapshot|then)$/;

/** The page, telling once something is asked of it that would last. */
export function watched(page: Page, tell: () => void): Page {
  return new Proxy(page, {
    get(target, name) {
      if (typeof name === 'string' && !name.startsWith('_') && !passing.test(name)) tell();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const tellViolations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    noteViolation(violatedDirective + ' ' + blockedURI + ' ' + sourceFile);
  });
`;

/** Has everything noted that must not happen at the portal. */
async function note(context: BrowserContext, taken: { readonly notes: Notes | null }): Promise<void> {
  const trouble = (what: string) => void taken.notes?.troubles.push(what);
  await context.exposeBinding('noteViolation', (_, what: string) => trouble(`policy: ${what}`));
  await context.addInitScript(tellViolations);
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== taken.notes?.address) trouble(`asked elsewhere: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // What a page no longer needs when it is left is taken back.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') trouble(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    // Asking who is signed in, when nobody is.
    const nobody = response.status() === 401 && new URL(response.url()).pathname === '/portal/api/session';
    if (response.status() >= 400 && !nobody) trouble(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  context.on('console', (message) => {
    // Told above, with more.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) trouble(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => trouble(`thrown: ${error.error().message}`));
}
