import type { Page } from 'playwright-core';
import { english, type Say } from './words.ts';

/** What people do at the portal, through its pages alone; `say` gives the pages' language. */

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Opens a one-time link and makes a sign-in with it. */
export async function useLink(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  // Only the first operator says the address; others were invited by it.
  if (title === 'Welcome') await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('Choose a password').fill(person.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
}

/** Chooses an entry of a drop-down field of the open dialog. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Creates an account on a plan; its page is open afterwards. */
export async function createAccount(page: Page, name: string, plan: string): Promise<void> {
  await goTo(page, 'Accounts');
  await page
    .getByRole('button', { name: /New account|Create the first account/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await choose(page, 'Plan', plan);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Makes an invitation to the account whose page is open, and gives its link. */
export async function inviteToAccount(page: Page, email: string, role: 'Owner' | 'Member'): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog.getByText(/^https?:.*\/link\//).innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return link;
}

/** Follows an entry of the navigation, whose English is given; on a phone it is opened first. */
export async function goTo(page: Page, entry: string, say: Say = english): Promise<void> {
  const open = page.getByRole('button', { name: say('Open the navigation') });
  if (await open.isVisible()) await open.click();
  await page
    .getByRole('navigation', { name: say('Pages'), exact: true })
    .getByRole('link', { name: say(entry), exact: true })
    .click();
}

/** Creates a key and reads it from the page. */
export async function createKey(page: Page, label: string, say: Say = english): Promise<string> {
  await goTo(page, 'API keys', say);
  await page
    .getByRole('button', { name: say('Create key') })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Name')).fill(label);
  await dialog.getByRole('button', { name: say('Create key') }).click();
  const key = await dialog
    .getByRole('group', { name: say('Your new API key') })
    .locator('code')
    .first()
    .innerText();
  await dialog.getByRole('button', { name: say('I have copied the key') }).click();
  await dialog.waitFor({ state: 'hidden' });
  return key;
}

/** Adds a sandbox number and links it with the sandbox's phone; gives the number that was linked, as it is shown. */
export async function addSandboxNumber(page: Page, label: string, say: Say = english): Promise<string> {
  await goTo(page, 'Numbers', say);
  await page.getByRole('button', { name: say('Add number'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Name')).fill(label);
  await dialog.getByRole('button', { name: say('Add and link') }).click();
  await dialog.getByRole('button', { name: say('Scan with the sandbox phone') }).click();
  await dialog.getByRole('heading', { name: say('Linked'), exact: true }).waitFor();
  const number = await dialog.locator('[data-linked-number]').innerText();
  await dialog.getByRole('button', { name: say('Done') }).click();
  await dialog.waitFor({ state: 'hidden' });
  return number;
}

interface Example {
  /** What the pages call it in English. */
  readonly kind: string;
  readonly to: string;
  readonly change?: Readonly<Record<string, string>>;
  readonly check?: readonly string[];
  readonly say?: Say;
}

/** Sends the first example of a kind from the page Send, with some of its fields changed; gives the id of the message. */
export async function sendExample(page: Page, { kind, to, change = {}, check = [], say = english }: Example): Promise<string> {
  await page.getByRole('radio', { name: say(kind), exact: true }).click();
  await page.getByRole('button', { name: say('Fill with an example') }).click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('textbox', { name: say('To'), exact: true }).fill(to);
  for (const [label, text] of Object.entries(change)) await page.getByRole('textbox', { name: label, exact: true }).fill(text);
  for (const label of check) await page.getByRole('checkbox', { name: label }).check();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/portal/api/messages/'));
  await page.getByRole('button', { name: say('Send'), exact: true }).click();
  const { success, data } = await (await answered).json();
  if (success !== true) throw new Error(`the ${kind} was not sent: ${await (await answered).text()}`);
  await page.getByText(say('Sent'), { exact: true }).waitFor();
  return data.message_id;
}

/** Revokes the key of this name. */
export async function revokeKey(page: Page, label: string): Promise<void> {
  await goTo(page, 'API keys');
  await page.getByRole('button', { name: `Revoke ${label}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}
