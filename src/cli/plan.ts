import type { Command } from 'commander';
import {
  bounds,
  checkPlanName,
  createPlan,
  listPlans,
  type NewPlan,
  planChoice,
  selectDefaultPlan,
  setDefaultPlan,
  updatePlan,
} from '../accounts/index.ts';
import type { PlanRow } from '../store/index.ts';
import { checked, noneAsNull, orNone, wholeNumber } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { type Columns, list, print } from './output.ts';

interface PlanOptions {
  name?: string;
  messagesPerMinute?: number;
  instanceLimit?: number;
  trialMessages?: number | 'none';
  default?: boolean;
}

export function addPlan(program: Command, run: Run): void {
  const group = program
    .command('plan')
    .summary('plans that accounts can be on')
    .description('Create, change and list plans. A change applies to every account on the plan from its next request on.');

  group
    .command('create')
    .description('Create a plan.')
    .requiredOption('--name <name>', 'its unique name, up to 100 characters', checked(checkPlanName))
    .requiredOption('--messages-per-minute <n>', 'sends and number checks per minute and key', wholeNumber(bounds.messagesPerMinute))
    .requiredOption('--instance-limit <n>', 'how many numbers an account may have', wholeNumber(bounds.instanceLimit))
    .option('--trial-messages <n>', 'makes it a trial: messages in total; none: not a trial', orNone(wholeNumber(bounds.trialMessages)))
    .addHelpText(
      'after',
      `
Examples:
  gateway plan create --name pro --messages-per-minute 600 --instance-limit 50
  gateway plan create --name try --messages-per-minute 10 --instance-limit 1 --trial-messages 20`,
    )
    .action(async (options: PlanOptions & Omit<NewPlan, 'trialMessages'>, command: Command) => {
      // A new plan is nobody's default yet.
      const plan = await withStore(run, (store) =>
        createPlan(store, { ...options, trialMessages: noneAsNull(options.trialMessages) }, byCommandLine(run)),
      );
      print(run, command, planChoice(plan, null), plansText([plan], null));
    });

  group
    .command('update')
    .description('Change a plan, named by its name or id; anything you do not name stays as it is.')
    .argument('<plan>')
    .option('--name <name>', 'a new unique name, up to 100 characters', checked(checkPlanName))
    .option('--messages-per-minute <n>', 'sends and number checks per minute and key', wholeNumber(bounds.messagesPerMinute))
    .option('--instance-limit <n>', 'how many numbers an account may have; numbers above it stay', wholeNumber(bounds.instanceLimit))
    .option('--trial-messages <n>', 'messages in total for a trial; none: not a trial', orNone(wholeNumber(bounds.trialMessages)))
    .option('--default', 'propose it for new accounts whose provider has no default of its own')
    .option('--no-default', 'propose no plan')
    .addHelpText(
      'after',
      `
Example:
  gateway plan update trial --trial-messages 250`,
    )
    .action(async (plan: string, options: PlanOptions, command: Command) => {
      if (Object.keys(options).length === 0) throw new UsageError('name at least one thing to change; see gateway plan update --help');
      const { default: isDefault, ...others } = options;
      const { changed, chosen } = await withStore(run, async (store) => {
        const act = byCommandLine(run);
        const changed = await updatePlan(store, plan, { ...others, trialMessages: noneAsNull(options.trialMessages) }, act);
        if (isDefault !== undefined) await setDefaultPlan(store, changed.id, isDefault, act);
        return { changed, chosen: await selectDefaultPlan(store.db) };
      });
      print(run, command, planChoice(changed, chosen), plansText([changed], chosen));
    });

  group
    .command('list')
    .description('List every plan.')
    .action(async (_options: object, command: Command) => {
      const [plans, chosen] = await withStore(run, async (store) => [await listPlans(store), await selectDefaultPlan(store.db)] as const);
      const json = plans.map((plan) => planChoice(plan, chosen));
      print(run, command, json, plansText(plans, chosen));
    });
}

function plansText(plans: readonly PlanRow[], defaultId: string | null): string {
  const columns: Columns<PlanRow> = {
    NAME: ({ name }) => name,
    'MESSAGES/MINUTE': ({ messages_per_minute }) => messages_per_minute,
    NUMBERS: ({ instance_limit }) => instance_limit,
    'TRIAL MESSAGES': ({ trial_message_limit }) => trial_message_limit,
    DEFAULT: ({ id }) => id === defaultId,
    'PLAN ID': ({ id }) => id,
  };
  return list(plans, columns, 'No plans.');
}
