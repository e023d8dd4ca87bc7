import { type Command, Option } from 'commander';
import { listProviders, showAccount } from '../accounts/index.ts';
import { serviceOf } from '../branding/index.ts';
import { iso } from '../core/index.ts';
import {
  checkEmail,
  endTwoFactor,
  invitationMail,
  invite,
  type Place,
  passwordResetLink,
  passwordResetMail,
  selectPeoplePage,
  selectUserByEmail,
  type UserWithRoles,
  userView,
} from '../people/index.ts';
import type { Store } from '../store/index.ts';
import { checked } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { brandsOf, portalAddress, send, spokenTo } from './handed-link.ts';
import { fields, print, table } from './output.ts';
import { addUserRemove } from './user-remove.ts';

/** How many people one look shows; a search finds the others. */
const mostListed = 500;

/** Each role in the words of the command line. */
const roles = { operator: 'operator', 'provider-admin': 'provider_admin', owner: 'owner', member: 'member' } as const;

interface InviteOptions {
  email: string;
  role: keyof typeof roles;
  account?: string;
  provider?: string;
}

export function addUser(program: Command, run: Run): void {
  const group = program
    .command('user')
    .summary('people who sign in to the portal')
    .description('Invite, list and remove the people who sign in to the portal, and help those who forgot their password.');

  group
    .command('invite')
    .description(
      'Invite somebody to a role and print the link that sets up their sign-in; it works once, for 7 days. ' +
        'With SMTP_URL it is mailed too. An earlier unused invitation to the same place ends.',
    )
    .requiredOption('--email <address>', 'whom', checked(checkEmail))
    .addOption(
      new Option('--role <role>', 'operator: everything; provider-admin: the accounts of one provider; owner, member: one account')
        .choices(Object.keys(roles))
        .makeOptionMandatory(),
    )
    .addOption(new Option('--account <id>', 'the account of an owner or member').conflicts('provider'))
    .option('--provider <id>', 'the provider of a provider admin')
    .addHelpText(
      'after',
      `
Examples:
  gateway user invite --email ada@example.com --role operator
  gateway user invite --email bob@example.com --role owner --account ID
  gateway user invite --email cy@example.com --role provider-admin --provider ID`,
    )
    .action(async (options: InviteOptions, command: Command) => {
      const place = placeOf(options);
      const { link, mailed, made } = await withStore(run, async (store, config) => {
        const brand = await brandsOf(run, store).ofPlace(place);
        const portal = portalAddress(config, brand);
        // Before the link is made, which ends the earlier one and is shown only here.
        const leadsTo = await nameOf(store, place);
        const made = await invite(store, options.email, place, byCommandLine(run));
        const link = `${portal}/link/${made.token}`;
        const mail = invitationMail(await spokenTo(store, options.email), {
          role: place.role,
          leadsTo,
          link,
          expiresAt: made.expiresAt,
          ...serviceOf(brand),
        });
        return { link, mailed: await send(run, config, options.email, mail, brand), made };
      });
      const json = {
        invitation_id: made.id,
        email: options.email,
        role: place.role,
        account_id: place.accountId,
        provider_id: place.providerId,
        expires_at: iso(made.expiresAt),
        link,
        mailed,
      };
      print(run, command, json, linkText(link, made.expiresAt, mailed));
    });

  group
    .command('list')
    .description('List the people who can sign in, newest first, and what they may do; the newest 500.')
    .option('--search <text>', 'only those with this in their name or e-mail address')
    .action(async ({ search }: { search?: string }, command: Command) => {
      const { rows, total } = await withStore(run, (store) =>
        selectPeoplePage(store.db, { providerIds: null, search }, { sort: 'created', descending: true, from: null, limit: mostListed }),
      );
      const cells = rows.map((user) => [user.id, user.email, user.name, Boolean(user.two_factor_enabled), rolesText(user)]);
      const more = total !== null && total > rows.length ? `\n${total - rows.length} more; find them with --search` : '';
      const text = table(
        ['USER ID', 'EMAIL', 'NAME', 'TWO-FACTOR', 'ROLES'],
        cells,
        'Nobody yet. Invite somebody with: gateway user invite',
      );
      const json = rows.map(userView).map(({ email_verified, ...user }) => user);
      print(run, command, json, text + more);
    });

  group
    .command('reset-password')
    .description(
      'Print a link to choose a new password; it works once, for 2 hours, and signs the person out everywhere. Earlier ones end. With SMTP_URL it is mailed too.',
    )
    .requiredOption('--email <address>', 'whose', checked(checkEmail))
    .option('--two-factor-off', 'also turn off two-factor, for somebody who lost the authenticator and the backup codes')
    .action(async ({ email, twoFactorOff }: { email: string; twoFactorOff?: boolean }, command: Command) => {
      const { link, mailed, made } = await withStore(run, async (store, config) => {
        const user = await selectUserByEmail(store.db, email);
        const brand = user === undefined ? null : await brandsOf(run, store).ofPerson(user.id);
        const portal = portalAddress(config, brand);
        // Before the link is made, as above.
        if (twoFactorOff === true) await endTwoFactor(store, email, byCommandLine(run));
        const made = await passwordResetLink(store, email, byCommandLine(run));
        const link = `${portal}/link/${made.token}`;
        const mail = passwordResetMail(await spokenTo(store, email), { link, expiresAt: made.expiresAt, ...serviceOf(brand) });
        return { link, mailed: await send(run, config, email, mail, brand), made };
      });
      print(run, command, { email, expires_at: iso(made.expiresAt), link, mailed }, linkText(link, made.expiresAt, mailed));
    });

  addUserRemove(group, run);
}

function placeOf({ role: word, account, provider }: InviteOptions): Place {
  const role = roles[word];
  switch (role) {
    case 'operator':
      if (account !== undefined || provider !== undefined) throw new UsageError('an operator belongs to no --account and no --provider');
      return { role, accountId: null, providerId: null };
    case 'provider_admin':
      if (provider === undefined) throw new UsageError('a provider-admin needs --provider');
      return { role, accountId: null, providerId: provider.toLowerCase() };
    case 'owner':
    case 'member':
      if (account === undefined) throw new UsageError(`an account's ${role} needs --account`);
      return { role, accountId: account.toLowerCase(), providerId: null };
  }
}

async function nameOf(store: Store, { accountId, providerId }: Place): Promise<string | null> {
  if (accountId !== null) return (await showAccount(store, accountId)).name;
  return (await listProviders(store)).find(({ id }) => id === providerId)?.name ?? null;
}

function linkText(link: string, expiresAt: number, mailed: boolean): string {
  return fields([
    ['link', link],
    ['works once, until', iso(expiresAt)],
    ['mailed', mailed],
  ]);
}

function rolesText({ memberships }: UserWithRoles): string {
  return memberships
    .map(({ role, account_name, provider_name }) => {
      const where = account_name ?? provider_name;
      return where === null ? role : `${role.replace('_', ' ')} of ${where}`;
    })
    .join(', ');
}
