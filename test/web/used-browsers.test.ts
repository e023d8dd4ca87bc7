import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberOf } from '../support/portal.ts';
import { type Portal, startPortal } from '../support/portal-browser.ts';

describe('the browser that a visitor has left', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await startPortal();
  });
  afterAll(() => portal.stop());

  /** Written into the window of the document, which is gone with it, and into what outlasts documents. */
  const mark = `window.mark = 'before'; localStorage.setItem('mark', 'before'); sessionStorage.setItem('mark', 'before')`;
  const marks = `JSON.stringify([window.mark ?? null, localStorage.getItem('mark'), sessionStorage.getItem('mark'), sessionStorage.getItem('acting-account'), innerWidth, matchMedia('(prefers-color-scheme: dark)').matches])`;

  it('has nothing of theirs: neither cookies nor storage, scripts, size or scheme', async () => {
    const { accountId } = await portal.gateway.customer();
    const first = await portal.visitor({ as: await memberOf(portal.gateway, accountId) });
    await first.open('/numbers');
    await first.page.emulateMedia({ colorScheme: 'dark' });
    await first.page.setViewportSize({ width: 500, height: 500 });
    await first.page.evaluate(mark);
    expect(await portal.leave()).toEqual([]);
    const next = await portal.visitor();
    await next.open('/numbers');
    expect(await next.page.evaluate(marks)).toBe(JSON.stringify([null, null, null, null, 1280, false]));
    await next.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await next.context.cookies()).toEqual([]);
    expect(await portal.leave()).toEqual([]);
  });

  it('is closed when something of its page would last', async () => {
    const first = await portal.visitor();
    let asked = 0;
    first.page.on('request', () => asked++);
    await first.open('/sign-in');
    expect(await portal.leave()).toEqual([]);
    const before = asked;
    await (await portal.visitor()).open('/sign-in');
    expect([await portal.leave(), asked]).toEqual([[], before]);
  });
});
