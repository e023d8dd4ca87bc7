import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

const mostBytes = 236 * 1024;
/** Each takes a round trip of its own on a slow line. */
const mostScripts = 12;
/** Of what is on screen first: at 50 KB a second it is there within four seconds. */
const mostFirstBytes = 168 * 1024;
const mostFirstFiles = 11;
const assets = join(import.meta.dirname, '../../dist/web/assets');

describe('the scripts of the pages', () => {
  const portal = usePortal();
  let owner: SignedIn;
  beforeAll(async () => {
    owner = await memberOf(portal.gateway, (await portal.gateway.customer()).accountId, 'owner');
  });

  /** What a new browser loads for these pages, one after the other: names and bytes on the wire. */
  async function loaded(paths: readonly [string, ...string[]], as?: SignedIn): Promise<Map<string, number>> {
    const visitor = await portal.visitor(as === undefined ? {} : { as });
    const finished: Promise<void>[] = [];
    const scripts = new Map<string, number>();
    visitor.page.on('requestfinished', (request) => {
      const name = /\/assets\/(.*\.js)$/.exec(new URL(request.url()).pathname)?.[1];
      if (name === undefined) return;
      finished.push(
        (async () => {
          const response = await request.response();
          expect(await response?.headerValue('content-encoding')).toBe('br');
          scripts.set(name, (await request.sizes()).responseBodySize);
        })(),
      );
    });
    const [first, ...further] = paths;
    await visitor.open(first);
    for (const path of further) await visitor.go(path);
    await Promise.all(finished);
    return scripts;
  }
  it.each(['/sign-in', '/numbers', '/'])('are few, and at most 236 KB for %s, with either compression', async (path) => {
    const scripts = await loaded([path], path === '/sign-in' ? undefined : owner);
    expect(scripts.size).toBeGreaterThan(1);
    expect(scripts.size).toBeLessThanOrEqual(mostScripts);
    expect(sum(scripts.values())).toBeLessThanOrEqual(mostBytes);
    expect(sum([...scripts.keys()].map((name) => statSync(join(assets, `${name}.gz`)).size))).toBeLessThanOrEqual(mostBytes);
  });
});

describe('what is on screen first', () => {
  const portal = usePortal();
  const people = {
    nobody: async () => null,
    owner: async () => memberOf(portal.gateway, (await portal.gateway.customer()).accountId, 'owner'),
    reseller: () => providerAdmin(portal.gateway),
    operator: () => operator(portal.gateway),
  };
  const sizeOf = (file: string, ending = '') => statSync(join(assets, file + ending), { throwIfNoEntry: false })?.size;

  // Everything else is kept back: what the reader waits for on a slow line are these bytes and their round trips.
  it.each([
    ['/sign-in', 'nobody', 'Sign in'],
    ['/', 'owner', 'Sends of the last 24 hours'],
    ['/', 'reseller', 'Sends of the last 24 hours'],
    ['/', 'operator', 'Sends of the last 24 hours'],
  ] as const)('needs of %s for the %s only files that its document names, and at most one answer', async (path, who, heading) => {
    const person = await people[who]();
    const document = String((await (person ?? openBrowser(portal.gateway)).call('GET', path)).body);
    expect(document).toContain('class="shell"');
    const files = [...new Set([...document.matchAll(/"\/assets\/([^"?]+)[^"]*"/g)].map(([, file]) => file ?? ''))];
    expect(files.length).toBeLessThanOrEqual(mostFirstFiles);
    expect(sum(files.map((file) => sizeOf(file, '.br') ?? sizeOf(file) ?? 0))).toBeLessThanOrEqual(mostFirstBytes);

    const { page } = await portal.visitor(person === null ? {} : { as: person });
    const answers: string[] = [];
    await page.route('**/{assets,portal,v1}/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/portal/api/start') answers.push(pathname);
      else if (!files.includes(pathname.replace('/assets/', ''))) return;
      await route.continue();
    });
    await page.goto(portal.gateway.address + path, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(answers.length).toBe(person === null ? 0 : 1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((all, one) => all + one, 0);
}
