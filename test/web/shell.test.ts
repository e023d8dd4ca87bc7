import { describe, expect, it } from 'vitest';
import { usePortal } from './use-portal.ts';

describe('before the scripts of the pages are there', () => {
  const portal = usePortal();

  it.each(['light', 'dark'] as const)('the frame is painted without them and without their styles, %s', async (colorScheme) => {
    const { page } = await portal.visitor({ colorScheme });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/assets\/(?!before-pages|shell)[^/]*\.(js|css)$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${portal.gateway.address}/sign-in`, { waitUntil: 'commit' });
    await page.locator('.shell').waitFor();
    await page.evaluate("new Promise((done) => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.shell')).backgroundColor")).toBe(
      colorScheme === 'dark' ? 'rgb(36, 36, 36)' : 'rgb(255, 255, 255)',
    );
    release();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('.shell').count()).toBe(0);
  });
});
