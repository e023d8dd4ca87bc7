import type { Command } from 'commander';
import { bounds, checkPlanName, createPlan, listPlans, type NewPlan, updatePlan } from '../accounts/index.ts';
import type { PlanRow } from '../store/index.ts';
import { byCommandLine } from './act.ts';
import { checked, noneAsNull, orNone, wholeNumber } from './arguments.ts';
import { type Run, UsageError } from './environment.ts';
import { iso, print, table } from './output.ts';
import { withStore } from './with-store.ts';

interface PlanOptions {
  name?: string;
  messagesPerMinute?: number;
  instanceLimit?: number;
  trialMessages?: number | 'none';
}

/** gateway plan create | update | list */
export function addPlan(program: Command, run: Run): void {
  const group = program
    .command('plan')
    .summary('plans that accounts can be on')
    .description('Create, change and list plans. A change holds for every account on the plan from its next request on.');

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
      const plan = await withStore(run, (store) =>
        createPlan(store, { ...options, trialMessages: noneAsNull(options.trialMessages) }, byCommandLine(run)),
      );
      print(run, command, planJson(plan), plansText([plan]));
    });

  group
    .command('update')
    .description('Change a plan, named by its name or id; what is not named stays.')
    .argument('<plan>')
    .option('--name <name>', 'a new unique name, up to 100 characters', checked(checkPlanName))
    .option('--messages-per-minute <n>', 'sends and number checks per minute and key', wholeNumber(bounds.messagesPerMinute))
    .option('--instance-limit <n>', 'how many numbers an account may have; numbers above it stay', wholeNumber(bounds.instanceLimit))
    .option('--trial-messages <n>', 'messages in total of a trial; none: not a trial', orNone(wholeNumber(bounds.trialMessages)))
    .addHelpText(
      'after',
      `
Example:
  gateway plan update trial --trial-messages 250`,
    )
    .action(async (plan: string, options: PlanOptions, command: Command) => {
      if (Object.keys(options).length === 0) throw new UsageError('name at least one thing to change; see gateway plan update --help');
      const changed = await withStore(run, (store) =>
        updatePlan(store, plan, { ...options, trialMessages: noneAsNull(options.trialMessages) }, byCommandLine(run)),
      );
      print(run, command, planJson(changed), plansText([changed]));
    });

  group
    .command('list')
    .description('List every plan.')
    .action(async (_options: object, command: Command) => {
      const plans = await withStore(run, listPlans);
      print(run, command, plans.map(planJson), plansText(plans));
    });
}

function planJson(plan: PlanRow) {
  return {
    plan_id: plan.id,
    name: plan.name,
    messages_per_minute: plan.messages_per_minute,
    instance_limit: plan.instance_limit,
    trial_message_limit: plan.trial_message_limit,
    created_at: iso(plan.created_at),
  };
}

function plansText(plans: readonly PlanRow[]): string {
  const rows = plans.map((plan) => [plan.name, plan.messages_per_minute, plan.instance_limit, plan.trial_message_limit, plan.id]);
  return table(['NAME', 'MESSAGES/MINUTE', 'NUMBERS', 'TRIAL MESSAGES', 'PLAN ID'], rows, 'No plans.');
}
