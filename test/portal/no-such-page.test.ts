import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';

/** What a browser sends when a person goes to an address. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { error: { code: string } }).error.code;

describe('an address that does not exist', () => {
  const { gateway } = useGateway();
  const ask = (path: string, init: RequestInit = {}) => fetch(`${gateway.address}${path}`, { headers: { accept }, ...init });

  it.each(['/nubmers', '/operator', '/a/b/c?d=e', '/sandboxes', '/link/token/more'])('%s is a guarded page for a browser', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('<div id="app"');
  });

  it.each([
    '/v1',
    '/v1/nubmers',
    '/sandbox/nothing',
    '/portal/api/nothing',
    '/assets/nothing.js',
    '/docs/nothing',
    '/health/nothing',
    '/metrics',
    '/openapi.json/more',
  ])('%s is for programs: JSON for a browser too', async (path) => {
    const answer = await ask(path);
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'not_found']);
  });

  it.each([
    ['a program that takes anything', { headers: { accept: '*/*' } }],
    ['a program that wants JSON', { headers: { accept: 'application/json' } }],
    ['another method', { method: 'POST' }],
  ])('is JSON for %s', async (_, init) => {
    const answer = await ask('/nubmers', init);
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'not_found']);
    expect(answer.headers.get('content-security-policy')).toBe(null);
  });
});
