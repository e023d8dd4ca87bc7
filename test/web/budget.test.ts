import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { memberOf, type SignedIn } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

const mostBytes = 252 * 1024;
/** Each takes a round trip of its own on a slow line. */
const mostScripts = 12;
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
      const name = /\/assets\/(.*\.js)$/.exec(request.url())?.[1];
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
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((all, one) => all + one, 0);

  it.each(['/sign-in', '/numbers', '/'])('are few, and at most 252 KB for %s, with either compression', async (path) => {
    const scripts = await loaded([path], path === '/sign-in' ? undefined : owner);
    expect(scripts.size).toBeGreaterThan(1);
    expect(scripts.size).toBeLessThanOrEqual(mostScripts);
    expect(sum(scripts.values())).toBeLessThanOrEqual(mostBytes);
    expect(sum([...scripts.keys()].map((name) => statSync(join(assets, `${name}.gz`)).size))).toBeLessThanOrEqual(mostBytes);
  });
});
