import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { dialogs } from './dialogs.ts';
import { useBakeryPortal } from './use-portal.ts';

describe('every dialog', () => {
  const world = useBakeryPortal();

  // Dark on a phone, so that both schemes and both widths are looked at in two rounds.
  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'has nothing that axe finds wrong, and fits, %s and %i px wide',
    async (colorScheme, width) => {
      const wrong: string[] = [];
      const look = async (who: 'owner' | 'operator') => {
        const visitor = await world.portal.visitor({ colorScheme, width, as: world.bakery[who] });
        // The send that is refused.
        visitor.expects('400: POST');
        for (const { name, path, open } of dialogs.filter((dialog) => dialog.who === who)) {
          await visitor.open(path);
          await open(visitor.page, world.bakery[who].password).catch((error: unknown) => {
            throw new Error(`${name} does not open`, { cause: error });
          });
          await settled(visitor.page);
          wrong.push(...(await violations(visitor.page)).map((one) => `${name}: ${one}`));
          const scroll = Number(await visitor.page.evaluate('document.documentElement.scrollWidth'));
          if (scroll > width) wrong.push(`${name}: ${scroll} px wide`);
        }
      };
      await Promise.all([look('owner'), look('operator')]);
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
