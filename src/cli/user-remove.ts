import { type Command, Option } from 'commander';
import { OperatorError } from '../core/index.ts';
import {
  checkEmail,
  existingUser,
  membershipsOf,
  operatorExists,
  type Place,
  removeRole,
  removeUser,
  selectMembers,
} from '../people/index.ts';
import type { Store } from '../store/index.ts';
import { checked } from './arguments.ts';
import { byCommandLine, type Run, withStore } from './environment.ts';
import { print } from './output.ts';

interface RemoveOptions {
  email: string;
  account?: string;
  provider?: string;
}

export function addUserRemove(group: Command, run: Run): void {
  group
    .command('remove')
    .description(
      "Remove somebody's role at an account or provider, or, without either, remove the person altogether: every role, the sign-in and " +
        'the sessions. Their unused invitations end. Unlike the portal, it also removes the last owner and the last operator.',
    )
    .requiredOption('--email <address>', 'whom', checked(checkEmail))
    .addOption(new Option('--account <id>', 'only the role at this account').conflicts('provider'))
    .option('--provider <id>', 'only the role at this provider')
    .addHelpText(
      'after',
      `
Examples:
  gateway user remove --email bob@example.com --account ID
  gateway user remove --email bob@example.com`,
    )
    .action(async (options: RemoveOptions, command: Command) => {
      const { userId, removed, notes } = await withStore(run, (store) => remove(store, options, run));
      const json = {
        user_id: userId,
        email: options.email,
        removed: removed.map(({ role, accountId, providerId }) => ({ role, account_id: accountId, provider_id: providerId })),
      };
      const what = options.account === undefined && options.provider === undefined ? 'Removed' : 'Removed the role of';
      print(run, command, json, [`${what} ${options.email}.`, ...notes].join('\n'));
    });
}

async function remove(store: Store, { email, account, provider }: RemoveOptions, run: Run) {
  const user = await existingUser(store.db, email);
  const places = await membershipsOf(store, user.id);
  const act = byCommandLine(run);
  let removed = places;
  if (account === undefined && provider === undefined) await removeUser(store, email, act);
  else {
    const isMeant = ({ accountId, providerId }: Place) =>
      account === undefined ? providerId === provider?.toLowerCase() : accountId === account.toLowerCase();
    removed = places.filter(isMeant);
    const [place] = removed;
    if (place === undefined || !(await removeRole(store, user.id, place, { lastToo: true }, act)))
      throw new OperatorError(`${email} has no role at this ${account === undefined ? 'provider' : 'account'}`);
  }
  return { userId: user.id, removed, notes: await whatIsMissing(store, removed) };
}

/** What nobody can do any more. */
async function whatIsMissing(store: Store, removed: readonly Place[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { role, accountId } of removed) {
    if (role === 'operator' && !(await operatorExists(store.db)))
      notes.push('There is no operator now; the next start of the gateway prints a link to create one.');
    if (role === 'owner' && accountId !== null && !(await selectMembers(store.db, accountId)).some((member) => member.role === 'owner'))
      notes.push(`Account ${accountId} has no owner now; invite one with gateway user invite.`);
  }
  return notes;
}
