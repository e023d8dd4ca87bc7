import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Overrides } from '../../src/app/overrides.ts';
import { openChromium } from './chromium.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { noteTroubles } from './page-troubles.ts';
import type { SignedIn } from './portal.ts';

export type ColorScheme = 'light' | 'dark';

export interface VisitorOptions {
  readonly colorScheme?: ColorScheme;
  readonly width?: number;
  readonly height?: number;
  /** Lets scripts run that the pages' security policy would stop: then only the pages' own care is left. */
  readonly bypassCSP?: boolean;
  /** Where the browser reaches the gateway, when that is not the gateway itself. */
  readonly address?: string;
  /** Signed in already, and acting for their account. */
  readonly as?: Pick<SignedIn, 'cookies' | 'account'>;
}

/** Somebody at the portal, with a browser of their own. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a page by its path and waits until it shows what it has. */
  open(path: string): Promise<void>;
  /**
   * Goes on to a page as a link does, without loading the program of the pages again, which costs more than most pages do. Whatever the page
   * before had open is gone then. Only for somebody who is signed in and has opened a page.
   */
  go(path: string): Promise<void>;
  signIn(person: Pick<SignedIn, 'email' | 'password'>): Promise<void>;
  /** Failures that belong to the test: parts of what would be noted. */
  expects(...parts: string[]): void;
}

/** A gateway and a browser, for tests that look at the portal as people do. */
export interface Portal {
  readonly gateway: TestGateway;
  visitor(options?: VisitorOptions): Promise<Visitor>;
  /** What the visitors' pages show, for a test that has failed. */
  shown(): Promise<string[]>;
  /** Closes every visitor's browser and tells what went wrong in them: errors, refused requests, violations of the policy, requests to anywhere else. */
  leave(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface PortalOptions {
  readonly env?: Record<string, string>;
  readonly overrides?: Overrides;
  /** Gives the browser, which is closed with the portal; without, it is the one of the test run. */
  readonly openBrowser?: () => Promise<Browser>;
}

/** The most that a step on a page may take: a browser does each in a moment. */
const waitMs = 10_000;

/** Starts a gateway with the sandbox, and opens the browser. */
export async function startPortal({ openBrowser = openChromium, ...options }: PortalOptions = {}): Promise<Portal> {
  const gateway = await startGateway('sqlite', options);
  const browser = await openBrowser().catch(async (error: unknown) => {
    await gateway.stop();
    throw error;
  });
  const opened = new Set<Opened>();
  return {
    gateway,
    async visitor(visitorOptions = {}) {
      const one = await openVisitor(browser, visitorOptions.address ?? gateway.address, visitorOptions);
      opened.add(one);
      return one.visitor;
    },
    async shown() {
      const pages = [...opened].flatMap(({ visitor }) => visitor.context.pages());
      return await Promise.all(pages.map(asSeen));
    },
    async leave() {
      const left = [...opened];
      opened.clear();
      await Promise.all(left.map(({ visitor }) => visitor.context.close()));
      return left.flatMap(({ troubles, expected }) => troubles.filter((trouble) => !expected.some((part) => trouble.includes(part))));
    },
    async stop() {
      await browser.close();
      await gateway.stop();
    },
  };
}

/** A visitor, what went wrong in their browser, and parts of what the test expects of that. */
interface Opened {
  readonly visitor: Visitor;
  readonly troubles: readonly string[];
  readonly expected: readonly string[];
}

async function openVisitor(browser: Browser, address: string, options: VisitorOptions): Promise<Opened> {
  const { colorScheme = 'light', width = 1280, height = 900, bypassCSP = false, as } = options;
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    bypassCSP,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(waitMs);
  const troubles = await noteTroubles(context, address);
  if (as !== undefined) {
    await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url: address, httpOnly: true })));
    if (as.account !== null)
      await context.addInitScript(`if (origin !== 'null') sessionStorage.setItem('acting-account', ${JSON.stringify(as.account)})`);
  }
  const page = await context.newPage();
  const expected: string[] = [];
  const visitor: Visitor = {
    context,
    page,
    async open(path) {
      await page.goto(address + path);
      await settled(page);
    },
    async go(path) {
      // By way of a page of nothing, so that even the same page begins anew.
      for (const next of ['/no/such/page', path]) await page.evaluate(`(${leave})(${JSON.stringify(next)})`);
      await settled(page);
    },
    async signIn({ email, password }) {
      await page.goto(`${address}/sign-in`);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel(/^Password/).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    expects: (...parts) => void expected.push(...parts),
  };
  return { visitor, troubles, expected };
}

/** The page's address and what a screen reader would find on it. */
async function asSeen(page: Page): Promise<string> {
  const seen = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => `It could not be looked at: ${error}`);
  return `${page.url()}\n${seen.slice(0, 6_000)}`;
}

/** Run in the page: goes to a path within the portal, and resolves when the heading of the page before has made way for another. */
const leave = `(path) => new Promise((resolve, reject) => {
  const began = performance.now();
  document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-left', ''));
  history.pushState({}, '', path);
  const look = () => {
    if (document.querySelector('h1') !== null && document.querySelector('h1[data-left]') === null) resolve();
    else if (performance.now() - began > ${waitMs}) reject(new Error('no way to ' + path + ' from ' + document.title));
    // Not with every frame: that would have the browser draw sixty of them a second.
    else setTimeout(look, 20);
  };
  look();
})`;

/** Run in the page: resolves when nothing on it is loading or moving. */
const nothingMoves = `new Promise((resolve, reject) => {
  const began = performance.now();
  const look = () => {
    const loading = document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root, [data-loading="true"]');
    const moving = document.getAnimations().find(
      ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
    );
    if (loading === null && moving === undefined) resolve();
    else if (performance.now() - began > ${waitMs}) reject(new Error('still loading or moving: ' + (loading ?? moving.effect.target).outerHTML));
    else setTimeout(look, 20);
  };
  look();
})`;

/** Resolves when the page has its heading, nothing on it is still loading, and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(nothingMoves);
}
