import { type Command, Option } from 'commander';
import {
  type AccountChanges,
  bounds,
  checkName,
  checkReference,
  createAccount,
  refusalOf,
  requireDefaultPlan,
  selectAccounts,
  showAccount,
  updateAccount,
} from '../accounts/index.ts';
import { isoOrNull } from '../core/index.ts';
import { addAccountImport } from './account-import.ts';
import { addAccountNote } from './account-note.ts';
import { accountJson, accountText } from './account-view.ts';
import { checked, noneAsNull, orNone, time, wholeNumber } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { list, print } from './output.ts';

interface AccountOptions {
  name?: string;
  plan?: string;
  planEnds?: number | 'none';
  accessEnds?: number | 'none';
  instanceLimit?: number | 'none';
  provider?: string;
  operator?: boolean;
  freeSlots?: number;
  defaultPlan?: boolean;
  reference?: string;
  suspend?: boolean;
  resume?: boolean;
}

export function addAccount(program: Command, run: Run): void {
  const group = program
    .command('account')
    .summary('customers: their plan, access and limits')
    .description('Create, change and view accounts. Changes take effect on the next request of a running server.');

  const create = group
    .command('create')
    .description('Create an account. Without --plan it has no plan and cannot do anything that needs one.')
    .requiredOption('--name <name>', 'what you call it, up to 100 characters', checked(checkName));
  withTerms(create)
    .addOption(new Option('--default-plan', "the provider's default plan, else the installation's").conflicts('plan'))
    .option('--operator', 'this is your own account: its numbers are limited by --free-slots instead of a plan')
    .addHelpText(
      'after',
      `${aboutTimes}
Examples:
  gateway account create --name "Acme" --plan trial
  gateway account create --name "Acme" --plan business --plan-ends 2027-01-01
  gateway account create --name "Ourselves" --plan scale --operator --free-slots 5`,
    )
    .action(async (options: AccountOptions & { name: string }, command: Command) => {
      if (typeof options.planEnds === 'number' && (options.plan ?? 'none') === 'none' && options.defaultPlan !== true)
        throw new UsageError('--plan-ends needs --plan');
      if (options.operator === true && options.freeSlots === undefined) throw new UsageError('--operator needs --free-slots');
      if (options.operator !== true && options.freeSlots !== undefined) throw new UsageError('--free-slots needs --operator');
      const act = byCommandLine(run);
      const account = await withStore(
        run,
        async (store) => {
          const usual = options.defaultPlan === true ? { plan: await requireDefaultPlan(store.db, options.provider ?? 'default') } : {};
          return createAccount(store, { ...changesOf(options), ...usual, name: options.name }, act);
        },
        { create: true },
      );
      print(run, command, accountJson(account, act.now), accountText(account, act.now));
    });

  const update = group
    .command('update')
    .description(
      'Change an account; anything you do not name stays as it is. A plan the account does not have yet starts now, without an end unless --plan-ends is given.',
    )
    .argument('<account-id>')
    .option('--name <name>', 'what you call it, up to 100 characters', checked(checkName));
  withTerms(update)
    .option('--operator', 'make it your own account, limited by --free-slots instead of a plan')
    .option('--no-operator', 'make it an ordinary account again')
    .addOption(new Option('--suspend', 'refuse its requests (403 account_suspended) until resumed').conflicts('resume'))
    .addOption(new Option('--resume', 'end a suspension'))
    .addHelpText(
      'after',
      `${aboutTimes}
Examples:
  gateway account update ID --plan starter --plan-ends none
  gateway account update ID --instance-limit 10
  gateway account update ID --suspend`,
    )
    .action(async (id: string, options: AccountOptions, command: Command) => {
      if (Object.keys(options).length === 0) throw new UsageError('name at least one thing to change; see gateway account update --help');
      if (options.operator === false && options.freeSlots !== undefined)
        throw new UsageError('use either --free-slots or --no-operator, not both');
      const act = byCommandLine(run);
      const account = await withStore(run, (store) => updateAccount(store, id, changesOf(options), act));
      print(run, command, accountJson(account, act.now), accountText(account, act.now));
    });

  group
    .command('list')
    .description('List every account, oldest first.')
    .action(async (_options: object, command: Command) => {
      const now = run.environment.clock.now();
      const accounts = await withStore(run, ({ db }) => selectAccounts(db));
      const json = accounts.map((account) => accountJson(account, now));
      const text = list(
        accounts,
        {
          'ACCOUNT ID': ({ id }) => id,
          NAME: ({ name }) => name,
          PLAN: ({ plan_name }) => plan_name,
          'PLAN ENDS': ({ plan_ends_at }) => isoOrNull(plan_ends_at),
          NUMBERS: ({ numbers }) => numbers,
          KEYS: ({ live_keys }) => live_keys,
          STATE: (account) => refusalOf(account, now) ?? 'usable',
        },
        'No accounts yet. Create one with: gateway account create --name NAME --plan trial',
      );
      print(run, command, json, text);
    });

  group
    .command('show')
    .description('Show one account: plan, limits, how many numbers and keys it has, and the error its next send would get, if any.')
    .argument('<account-id>')
    .action(async (id: string, _options: object, command: Command) => {
      const now = run.environment.clock.now();
      const account = await withStore(run, (store) => showAccount(store, id));
      print(run, command, accountJson(account, now), accountText(account, now));
    });

  addAccountImport(group, run);
  addAccountNote(group, run);
}

const aboutTimes = `
Times are ISO 8601: a day such as 2026-12-31 means 00:00 UTC of that day, so that the day itself is no longer included;
a time names its zone, as in 2026-12-31T18:00:00Z or 2026-12-31T18:00:00+02:00.
`;

/** The options that create and update share. */
function withTerms(command: Command): Command {
  return command
    .option('--plan <plan>', 'a plan by name or id; none: no plan')
    .option('--plan-ends <time>', 'when the plan ends; none: never', orNone(time))
    .option('--access-ends <time>', 'when all access to the account ends; none: never', orNone(time))
    .option(
      '--instance-limit <n>',
      "how many numbers it may have, regardless of its plan; none: the plan's limit",
      orNone(wholeNumber(bounds.instanceLimit)),
    )
    .option('--provider <id>', 'the provider it belongs to (for a new account: default)')
    .option('--reference <text>', 'how the provider identifies it; none: no reference', orNone(checked(checkReference)))
    .option('--free-slots <n>', "how many numbers an operator's own account may have", wholeNumber(bounds.freeSlots));
}

function changesOf(options: AccountOptions): AccountChanges {
  return {
    name: options.name,
    providerId: options.provider,
    status: options.suspend === true ? 'suspended' : options.resume === true ? 'active' : undefined,
    plan: noneAsNull(options.plan),
    planEndsAt: noneAsNull(options.planEnds),
    accessEndsAt: noneAsNull(options.accessEnds),
    instanceLimit: noneAsNull(options.instanceLimit),
    operator: options.operator,
    freeSlots: options.freeSlots,
    reference: noneAsNull(options.reference),
  };
}
