import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { dialogs } from './dialogs.ts';
import { speakMarked, unmarked } from './marked-language.ts';
import { useBakeryPortal } from './use-portal.ts';

const phone = { colorScheme: 'dark', width: 390, height: 844 } as const;
const desk = { colorScheme: 'light', width: 1280, height: 900 } as const;

/** How many dialogs and menus are open. */
const open = (page: Page) => page.getByRole('dialog').or(page.getByRole('menu')).count();

describe('every dialog', () => {
  const world = useBakeryPortal();

  // Each is opened where there is little room, and grows while it is open: both schemes and both widths are looked at on one way there.
  it('has nothing that axe finds wrong, fits, dark on a phone and light on a desk, and every text of it is in a catalogue', {
    timeout: 1_200_000,
  }, async () => {
    const wrong: string[] = [];
    const look = async (who: 'owner' | 'operator') => {
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
      for (const { name, path, shownOnce, open: openIt } of dialogs.filter((dialog) => dialog.who === who)) {
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
        // Nothing else lets go of what is shown only now.
        if (shownOnce !== undefined) await page.getByRole('dialog').getByRole('button', { name: shownOnce }).click();
        await page.emulateMedia({ colorScheme: phone.colorScheme });
        await page.setViewportSize(phone);
      }
    };
    await Promise.all([look('owner'), look('operator')]);
    expect(wrong).toEqual([]);
  });
});
