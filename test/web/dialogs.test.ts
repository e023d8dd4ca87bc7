import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { type Dialog, dialogs } from './dialogs.ts';
import { speakMarked, unmarked } from './marked-language.ts';
import { parts } from './parts.ts';
import { useBakeryPortal } from './use-portal.ts';

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

/** How many dialogs and menus are open. */
const open = (page: Page) => page.getByRole('dialog').or(page.getByRole('menu')).count();

/** What is wrong with a value that is shown only now: it must stay until its own button is pressed, whatever closes an ordinary dialog. */
async function slips(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog');
  const value = await dialog.locator('code, pre').first().innerText();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await settled(page);
  return [
    ...((await dialog.getByText(value, { exact: true }).count()) === 1 ? [] : ['a slip of the hand loses the value']),
    ...((await dialog.getByRole('button', { name: 'Close', exact: true }).count()) === 0 ? [] : ['has a button Close']),
  ];
}

type Some = readonly [who: Dialog['who'], first: string, last: string, some: readonly Dialog[]];

const cut = (who: Dialog['who'], count: number) =>
  parts(
    dialogs.filter((dialog) => dialog.who === who),
    count,
  ).map((some): Some => [who, some[0]?.name ?? '', some.at(-1)?.name ?? '', some]);

describe('every dialog', () => {
  const world = useBakeryPortal();

  // Each is opened where there is little room, and grows while it is open. The scheme changes with it, and the next one is opened in that: both
  // schemes and both widths are looked at on one way there.
  it.each([...cut('owner', 6), ...cut('operator', 8)])(
    'has nothing that axe finds wrong, fits a phone and a desk, in both schemes, every text of it is in a catalogue, and a value shown once stays until its own button is pressed: of the %s, from “%s” to “%s”',
    async (who, _first, _last, some) => {
      const wrong: string[] = [];
      const visitor = await world.portal.visitor({ ...phone, colorScheme: 'dark', as: world.bakery[who] });
      // The send that is refused.
      visitor.expects('422: POST');
      const { page, context } = visitor;
      await speakMarked(context);
      let colorScheme: 'dark' | 'light' = 'dark';
      const inspect = async (name: string, { width }: typeof phone, rules: 'all' | 'colours') => {
        await settled(page);
        // The page behind is looked at by itself (accessibility.test.ts).
        const found = await violations(page, rules, 'open');
        const scroll = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (scroll > width) found.push(`${scroll} px wide`);
        wrong.push(...found.map((one) => `${name}, ${colorScheme}: ${one}`));
      };
      await visitor.open('/account');
      for (const { name, path, shownOnce, open: openIt } of some) {
        await visitor.go(path);
        await openIt(page, world.bakery[who].password).catch((error: unknown) => {
          throw new Error(`${name} does not open`, { cause: error });
        });
        await inspect(name, phone, 'all');
        wrong.push(...(await unmarked(page, world.bakery.texts)).map((one) => `${name}: ${one}`));
        const opened = await open(page);
        colorScheme = colorScheme === 'dark' ? 'light' : 'dark';
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(desk);
        // The scheme changes colours, and the width what fits.
        await inspect(name, desk, 'colours');
        if ((await open(page)) !== opened) wrong.push(`${name}: closes when the window grows`);
        if (shownOnce !== undefined) {
          wrong.push(...(await slips(page)).map((one) => `${name}: ${one}`));
          await page.getByRole('dialog').getByRole('button', { name: shownOnce }).click();
          await page.getByRole('dialog').waitFor({ state: 'hidden' });
        }
        await page.setViewportSize(phone);
      }
      expect(wrong).toEqual([]);
    },
  );
});
