import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { type Dialog, dialogs } from './dialogs.ts';
import { speakMarked, unmarked } from './marked-language.ts';
import { parts } from './parts.ts';
import { useBakeryPortal } from './use-portal.ts';

const phone = { colorScheme: 'dark', width: 390, height: 844 } as const;
const desk = { colorScheme: 'light', width: 1280, height: 900 } as const;

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

  // Each is opened where there is little room, and grows while it is open: both schemes and both widths are looked at on one way there.
  it.each([...cut('owner', 4), ...cut('operator', 4)])(
    'has nothing that axe finds wrong, fits, dark on a phone and light on a desk, every text of it is in a catalogue, and a value shown once stays until its own button is pressed: of the %s, from “%s” to “%s”',
    async (who, _first, _last, some) => {
      const wrong: string[] = [];
      const visitor = await world.portal.visitor({ ...phone, as: world.bakery[who] });
      // The send that is refused.
      visitor.expects('422: POST');
      const { page, context } = visitor;
      await speakMarked(context);
      const inspect = async (name: string, { colorScheme, width }: typeof phone | typeof desk, rules: 'all' | 'colours') => {
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
        await page.emulateMedia({ colorScheme: desk.colorScheme });
        await page.setViewportSize(desk);
        // The scheme changes colours, and the width what fits.
        await inspect(name, desk, 'colours');
        if ((await open(page)) !== opened) wrong.push(`${name}: closes when the window grows`);
        if (shownOnce !== undefined) {
          wrong.push(...(await slips(page)).map((one) => `${name}: ${one}`));
          await page.getByRole('dialog').getByRole('button', { name: shownOnce }).click();
          await page.getByRole('dialog').waitFor({ state: 'hidden' });
        }
        await page.emulateMedia({ colorScheme: phone.colorScheme });
        await page.setViewportSize(phone);
      }
      expect(wrong).toEqual([]);
    },
  );
});
