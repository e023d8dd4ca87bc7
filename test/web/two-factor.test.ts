import { describe, expect, it } from 'vitest';
import { memberOf } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { authenticator } from '../support/totp.ts';
import { usePortal } from './use-portal.ts';

describe('two-factor sign-in', () => {
  const portal = usePortal();

  it('is turned on with an app, asks for its code at the next sign-in, and takes a backup code once', async () => {
    const { gateway } = portal;
    const person = await memberOf(gateway, (await gateway.customer()).accountId, 'owner');
    const visitor = await portal.visitor({ as: person });
    // The backup code that was used before.
    visitor.expects('401: POST', '400: POST');
    const { page } = visitor;
    const signOut = async () => {
      // What the page still asks for would be refused meanwhile.
      await settled(page);
      await page.getByRole('button', { name: /menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    };
    const inside = () => page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();

    await visitor.open('/account?part=sign-in');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Your password/).fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const uri = `otpauth://totp/x?secret=${await dialog.locator('code').innerText()}`;
    const nextCode = authenticator(uri);
    await dialog.getByLabel(/Enter the code/).fill(nextCode());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const shown = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
    await shown.first().waitFor();
    const codes = await shown.allInnerTexts();
    expect(codes.length).toBeGreaterThanOrEqual(5);
    // They are shown once: a slip of the hand does not lose them.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await dialog.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await signOut();
    await visitor.signIn(person);
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await page.getByLabel('Code').fill(nextCode());
    await page.getByRole('button', { name: 'Continue' }).click();
    await inside();

    const withBackupCode = async () => {
      await signOut();
      await visitor.signIn(person);
      await page.getByRole('button', { name: 'Use a backup code' }).click();
      expect(await page.getByLabel('Backup code').getAttribute('autocapitalize')).toBe('none');
      await page.getByLabel('Backup code').fill(codes[0] ?? '');
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await withBackupCode();
    await inside();
    await withBackupCode();
    await page.getByRole('alert').waitFor();
  });
});
