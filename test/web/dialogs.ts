import type { Page } from 'playwright-core';
import { settled } from '../support/portal-browser.ts';

/** A dialog or menu and the way to it. */
export interface Dialog {
  readonly name: string;
  readonly who: 'owner' | 'operator';
  readonly path: string;
  /** It shows a value that is shown only now; this button closes it. */
  readonly shownOnce?: string;
  /** `password` is the person's own. */
  open(page: Page, password: string): Promise<void>;
}

/** A file of accounts with a line that can be imported and one that cannot. */
const accountsFile = {
  name: 'customers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('name,plan\nApple Farm,starter\n=HYPERLINK(1),gold\n'),
};

const dialog = (page: Page) => page.getByRole('dialog').waitFor();

/** Presses the first button of this name and waits for a dialog. */
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await dialog(page);
};

/** Chooses from the first menu of this name and waits for a dialog. */
const fromMenu = (menu: RegExp, entry: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: menu }).first().click();
  // One that is still on the way to its place would be scrolled to, and be hidden with the button that it belongs to.
  await settled(page);
  await page.getByRole('menuitem', { name: entry }).first().click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await dialog(page);
};

/** Goes to the bakery's account before what follows. */
const inAccount = (then: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('link', { name: 'Sunrise Bakery' }).first().click();
  await page.getByRole('heading', { name: 'Sunrise Bakery', level: 1 }).waitFor();
  await then(page);
};

/** Goes to the page of the first alert target before what follows. */
const inTarget = (then: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('table', { name: 'Alert targets' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await then(page);
};

/** Invites somebody in the dialog that is open, and waits for the link. */
async function invite(page: Page): Promise<void> {
  const form = page.getByRole('dialog');
  await form.getByLabel('E-mail address').fill('somebody@example.com');
  await form.getByRole('button', { name: 'Create invitation' }).click();
  await form.getByRole('button', { name: 'Copy invitation link' }).waitFor();
}

/** Opens the search by its keys, looks for a text and waits for what is found. */
const search = (text: string, found: string) => async (page: Page) => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('textbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
  await palette.getByText(found).first().waitFor();
};

export const dialogs: readonly Dialog[] = [
  { name: 'add a number', who: 'owner', path: '/numbers?add=true', open: dialog },
  {
    name: 'pairing',
    who: 'owner',
    path: '/numbers',
    async open(page) {
      await press(/^Show code|^Link: /)(page);
      await page.getByRole('img', { name: 'QR code to scan with the phone' }).waitFor();
    },
  },
  {
    name: 'pairing by a typed code',
    who: 'owner',
    path: '/numbers',
    async open(page) {
      await press(/^Show code|^Link: /)(page);
      await page.getByText('Type a code instead').click();
      await page.getByRole('button', { name: 'Get a code' }).waitFor();
    },
  },
  {
    name: 'scan link',
    who: 'owner',
    path: '/numbers',
    shownOnce: 'Done',
    async open(page) {
      await fromMenu(/^More for Christmas market/, 'Scan link')(page);
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByRole('button', { name: 'Copy scan link' }).waitFor();
    },
  },
  {
    name: 'menu of a number',
    who: 'owner',
    path: '/numbers',
    async open(page) {
      await page.getByRole('button', { name: 'More for Shop' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'rename', who: 'owner', path: '/numbers', open: fromMenu(/More for Shop/, 'Rename') },
  { name: 'disconnect', who: 'owner', path: '/numbers', open: fromMenu(/More for Shop/, 'Disconnect') },
  { name: 'delete a number', who: 'owner', path: '/numbers', open: fromMenu(/More for Shop/, 'Delete') },
  {
    name: 'a budget of new chats',
    who: 'owner',
    path: '/numbers',
    async open(page) {
      await page.getByRole('link', { name: 'Shop', exact: true }).click();
      await press('New-chat budget')(page);
      const form = page.getByRole('dialog');
      await form.getByRole('switch', { name: 'Limit new chats' }).check();
      await form.getByRole('switch', { name: 'Warm up' }).check();
      await form.getByLabel('On the first day').waitFor();
    },
  },
  { name: 'create a key', who: 'owner', path: '/keys?add=true', open: dialog },
  {
    name: 'a new key',
    who: 'owner',
    path: '/keys?add=true',
    shownOnce: 'I have copied the key',
    async open(page) {
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('group', { name: 'Your new API key' }).waitFor();
    },
  },
  { name: 'revoke a key', who: 'owner', path: '/keys', open: press(/^Revoke Web shop/) },
  {
    name: 'examples of a kind',
    who: 'owner',
    path: '/send?kind=poll',
    async open(page) {
      await page.getByRole('button', { name: 'Fill with an example' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'an answer that refuses',
    who: 'owner',
    path: '/send?kind=poll',
    async open(page) {
      await page.getByRole('textbox', { name: 'To', exact: true }).fill('+15550000');
      await page.getByRole('button', { name: 'Fill with an example' }).click();
      await page.getByRole('menuitem').first().click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Not sent').waitFor();
    },
  },
  { name: 'menu of a list message', who: 'owner', path: '/sandbox-phone?with=15550123', open: press('Show options') },
  { name: 'invite to the account', who: 'owner', path: '/account?part=members', open: press(/^Invite/) },
  {
    name: 'an invitation to the account',
    who: 'owner',
    path: '/account?part=members',
    shownOnce: 'Done',
    async open(page) {
      await press(/^Invite/)(page);
      await invite(page);
    },
  },
  { name: 'remove a member', who: 'owner', path: '/account?part=members', open: fromMenu(/More for Tom/, /^Remove/) },
  { name: 'withdraw an invitation', who: 'owner', path: '/account?part=members', open: press(/^Withdraw/) },
  { name: 'two-factor', who: 'owner', path: '/account?part=sign-in', open: press('Turn on') },
  {
    name: 'two-factor, the app',
    who: 'owner',
    path: '/account?part=sign-in',
    async open(page, password) {
      await press('Turn on')(page);
      await page
        .getByRole('dialog')
        .getByLabel(/^Your password/)
        .fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Scan this with your authenticator app').waitFor();
    },
  },
  {
    name: 'add an alert target',
    who: 'owner',
    path: '/alerts',
    async open(page) {
      await press('Add a target')(page);
      const form = page.getByRole('dialog');
      await form.getByRole('switch', { name: 'Quiet hours' }).check();
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await form.getByText('Enter the address that takes the posts.').waitFor();
    },
  },
  {
    name: 'the secret of a new webhook',
    who: 'owner',
    path: '/alerts',
    shownOnce: 'I have copied the secret',
    async open(page) {
      await press('Add a target')(page);
      const form = page.getByRole('dialog');
      await form.getByLabel('Address').fill('https://example.com/alerts');
      await form.getByRole('switch', { name: 'Quiet hours' }).check();
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('group', { name: 'Secret of the webhook' }).waitFor();
    },
  },
  { name: 'change an alert target', who: 'owner', path: '/alerts', open: inTarget(press('Edit')) },
  {
    name: 'a new secret of a webhook',
    who: 'owner',
    path: '/alerts',
    shownOnce: 'I have copied the secret',
    open: inTarget(async (page) => {
      await press('New secret')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Make new secret' }).click();
      await page.getByRole('group', { name: 'Secret of the webhook' }).waitFor();
    }),
  },
  { name: 'remove an alert target', who: 'owner', path: '/alerts', open: inTarget(press('Remove')) },
  { name: 'what a delivery sent', who: 'operator', path: '/operator/alerts', open: inTarget(press(/^Open$/)) },
  { name: 'add an alert target for everything', who: 'operator', path: '/operator/alerts', open: press('Add a target') },
  { name: 'unlink a sandbox phone', who: 'owner', path: '/sandbox-phone', open: press(/^Unlink/) },
  {
    name: 'menu of the person',
    who: 'owner',
    path: '/keys',
    async open(page) {
      await page.getByRole('button', { name: /menu$/ }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'search', who: 'owner', path: '/keys', open: search('', 'Numbers') },
  { name: 'what a search finds', who: 'owner', path: '/keys', open: search('Web shop', 'Web shop') },
  { name: 'a search that finds nothing', who: 'owner', path: '/keys', open: search('zzz nobody', 'Nothing has that name.') },
  { name: 'new account', who: 'operator', path: '/operator/accounts', open: press('New account') },
  {
    name: 'the invitation of the owner of a new account',
    who: 'operator',
    path: '/operator/accounts',
    shownOnce: 'Done',
    async open(page) {
      await press('New account')(page);
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Tours');
      await form.getByLabel("Owner's e-mail address").fill('ann@example.com');
      await form.getByRole('button', { name: 'Create account' }).click();
      await form.getByText(/\/link\//).waitFor();
    },
  },
  {
    name: 'suspend several accounts',
    who: 'operator',
    path: '/operator/accounts',
    async open(page) {
      for (const name of ['Corner Books', 'Old Mill']) await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check();
      await page.getByRole('region', { name: 'The chosen ones' }).getByRole('button', { name: 'Suspend' }).click();
      await dialog(page);
    },
  },
  {
    name: 'extend several accounts',
    who: 'operator',
    path: '/operator/accounts',
    async open(page) {
      for (const name of ['Sunrise Bakery', 'Old Mill']) await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check();
      await page.getByRole('region', { name: 'The chosen ones' }).getByRole('button', { name: 'Extend' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('radio', { name: 'by days' }).check();
      await form.getByRole('textbox', { name: 'Days' }).fill('30');
      await form.getByText('What changes', { exact: true }).waitFor();
    },
  },
  { name: 'edit an account', who: 'operator', path: '/operator/accounts', open: inAccount(press('Edit')) },
  { name: 'suspend an account', who: 'operator', path: '/operator/accounts', open: inAccount(press('Suspend')) },
  { name: 'send an invitation again', who: 'operator', path: '/operator/users/invitations', open: press(/^Send again/) },
  { name: 'import accounts', who: 'operator', path: '/operator/accounts', open: press('Import') },
  {
    name: 'mistakes in a file of accounts',
    who: 'operator',
    path: '/operator/accounts',
    async open(page) {
      await press('Import')(page);
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles(accountsFile);
      await page.getByRole('group', { name: 'Lines with mistakes' }).waitFor();
    },
  },
  { name: 'invite to an account', who: 'operator', path: '/operator/accounts', open: inAccount(press('Invite')) },
  {
    name: 'an invitation to an account',
    who: 'operator',
    path: '/operator/accounts',
    shownOnce: 'Done',
    open: inAccount(async (page) => {
      await press('Invite')(page);
      await invite(page);
    }),
  },
  {
    name: 'remove a member of an account',
    who: 'operator',
    path: '/operator/accounts',
    open: inAccount(fromMenu(/More for Tom/, /^Remove/)),
  },
  { name: 'new provider', who: 'operator', path: '/operator/providers', open: press('New provider') },
  { name: 'edit a provider', who: 'operator', path: '/operator/providers', open: fromMenu(/More for/, 'Edit') },
  { name: 'suspend a provider', who: 'operator', path: '/operator/providers', open: fromMenu(/More for/, 'Suspend') },
  { name: 'new plan', who: 'operator', path: '/operator/plans', open: press('New plan') },
  { name: 'edit a plan', who: 'operator', path: '/operator/plans', open: press(/^Edit/) },
  { name: 'invite a person', who: 'operator', path: '/operator/users', open: press('Invite a person') },
  {
    name: 'an invitation of an operator',
    who: 'operator',
    path: '/operator/users',
    shownOnce: 'Done',
    async open(page) {
      await press('Invite a person')(page);
      await page.getByRole('radio', { name: 'Operator' }).check();
      await invite(page);
    },
  },
  { name: 'withdraw the invitation of anybody', who: 'operator', path: '/operator/users/invitations', open: press(/^Withdraw/) },
  { name: 'a new password', who: 'operator', path: '/operator/users', open: fromMenu(/More for/, 'New password link') },
  {
    name: 'a link to a new password',
    who: 'operator',
    path: '/operator/users',
    shownOnce: 'Done',
    async open(page) {
      await fromMenu(/More for Tom/, 'New password link')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
      await page.getByRole('button', { name: 'Copy password link' }).waitFor();
    },
  },
  {
    name: 'menu of a number with a proxy',
    who: 'operator',
    path: '/operator/numbers',
    async open(page) {
      await page.getByRole('button', { name: 'More for Deliveries' }).click();
      await page.getByRole('menuitem', { name: 'Remove the proxy' }).waitFor();
    },
  },
  { name: 'set a proxy', who: 'operator', path: '/operator/numbers', open: fromMenu(/More for Shop/, 'Set a proxy') },
  { name: 'change a proxy', who: 'operator', path: '/operator/numbers', open: fromMenu(/More for Deliveries/, 'Change the proxy') },
  { name: 'remove a proxy', who: 'operator', path: '/operator/numbers', open: fromMenu(/More for Deliveries/, 'Remove the proxy') },
  {
    name: 'notify the owners',
    who: 'operator',
    path: '/operator/numbers',
    async open(page) {
      const boxes = page.getByRole('checkbox', { name: /^Choose / });
      await boxes.first().waitFor();
      for (const box of await boxes.all()) await box.check();
      await page.getByRole('button', { name: 'Notify the owners' }).click();
      await page
        .getByRole('dialog')
        .getByText(/will be skipped/)
        .waitFor();
    },
  },
  { name: 'take a role away', who: 'operator', path: '/operator/users', open: fromMenu(/More for Tom/, /Sunrise Bakery/) },
];
