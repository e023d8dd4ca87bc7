import { describe, expect, it } from 'vitest';
import { useBakeryPortal } from './use-portal.ts';

describe('the chart of messages per day', () => {
  const world = useBakeryPortal();

  it('is one stop of the Tab key, and the arrows lead from day to day, each with its figures', async () => {
    const visitor = await world.portal.visitor({ as: world.bakery.owner });
    await visitor.open('/usage');
    const { page } = visitor;
    const chart = page.getByRole('figure', { name: 'Messages per day' });
    const days = chart.getByRole('img');
    const here = page.locator('*:focus');
    expect(await days.count()).toBe(30);
    expect(await days.and(page.locator('[tabindex="0"]')).count()).toBe(1);

    await days.last().focus();
    const today = String(await here.getAttribute('aria-label'));
    expect(today).toMatch(/^\d+ \w+ \d{4}: \d+ messages?\. \w+/);
    await page.keyboard.press('ArrowLeft');
    const before = String(await here.getAttribute('aria-label'));
    expect(before).not.toBe(today);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await here.getAttribute('aria-label')).toBe(await days.first().getAttribute('aria-label'));
    await page.keyboard.press('End');
    expect(await here.getAttribute('aria-label')).toBe(today);

    // What is said is also shown, until Escape.
    const shown = chart.getByText(/^\d+ messages?\.$/);
    await shown.waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });
});
