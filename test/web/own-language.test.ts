import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { memberOf, type SignedIn } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';
import { words } from './words.ts';

describe("a person's language", () => {
  const portal = usePortal();

  const owner = async (): Promise<SignedIn> => memberOf(portal.gateway, (await portal.gateway.customer()).accountId, 'owner');

  /** Resolves when the page for whoever is signed in speaks the language. */
  async function speaks(page: Page, language: string): Promise<void> {
    await page.getByRole('navigation', { name: words(language)('Pages'), exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
  }

  const told = async (person: SignedIn): Promise<unknown> => (await person.call('GET', '/portal/api/session')).body.data.user.language;

  it('follows them into a browser that speaks another one, onto the page they asked for', async () => {
    const person = await owner();
    await person.call('PUT', '/portal/api/language', { body: { language: 'es' } });
    const { page, open } = await portal.visitor();
    await open('/keys#page');
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel(/^Password/).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await speaks(page, 'es');
    const { pathname, hash } = new URL(page.url());
    expect(pathname + hash).toBe('/keys#page');
  });

  it('is the one chosen on the sign-in page, which counts last and is kept', async () => {
    const person = await owner();
    await person.call('PUT', '/portal/api/language', { body: { language: 'es' } });
    const { page, open } = await portal.visitor();
    await open('/sign-in');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('id');
    const say = words('id');
    await page.getByRole('button', { name: say('Sign in') }).waitFor();
    await page.getByLabel(say('E-mail address')).fill(person.email);
    await page.getByLabel(say('Password'), { exact: false }).first().fill(person.password);
    await page.getByRole('button', { name: say('Sign in') }).click();
    await speaks(page, 'id');
    expect(await told(person)).toBe('id');
  });
});
