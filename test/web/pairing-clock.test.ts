import { describe, expect, it } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { memberOf } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

describe('codes that grow old in the pairing dialog', () => {
  const clock = createManualClock(Date.now());
  const portal = usePortal({ overrides: { clock } });

  it('follow each other until they have run out, and a new attempt links the number', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer();
    const { page } = await portal.visitor({ as: await memberOf(gateway, accountId, 'owner') });
    await page.clock.install({ time: clock.now() });
    /** Turns the clocks of the gateway and of the browser. */
    const turn = async (ms: number) => {
      await clock.advanceAsync(ms);
      await page.clock.fastForward(ms);
    };
    await page.goto(`${gateway.address}/numbers?add=true`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Add and link' }).click();
    const picture = dialog.getByRole('img', { name: 'QR code to scan with the phone' });
    const left = dialog.locator('[data-seconds-left]');
    const secondsLeft = async () => Number(await left.getAttribute('data-seconds-left'));

    await dialog.getByText('Code 1 of 5', { exact: true }).waitFor();
    await left.waitFor();
    const pictures = [await picture.getAttribute('src')];
    const atFirst = await secondsLeft();
    expect(atFirst).toBeGreaterThan(40);
    await turn(25_000);
    await expect.poll(secondsLeft).toBeLessThanOrEqual(atFirst - 25);
    await turn(35_000);
    for (const code of [2, 3, 4, 5]) {
      await dialog.getByText(`Code ${code} of 5`, { exact: true }).waitFor();
      await expect.poll(secondsLeft).toBeGreaterThan(5);
      expect(await secondsLeft()).toBeLessThanOrEqual(20);
      await expect.poll(async () => pictures.includes(await picture.getAttribute('src'))).toBe(false);
      pictures.push(await picture.getAttribute('src'));
      await turn(20_000);
    }
    await dialog.getByText('The codes have run out', { exact: true }).waitFor();
    expect(await picture.count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Scan with the sandbox phone' }).isDisabled()).toBe(true);

    await dialog.getByRole('button', { name: 'Show a new code' }).click();
    await dialog.getByText('Code 1 of 5', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
    await dialog.getByRole('heading', { name: 'Linked' }).waitFor();
  });
});
