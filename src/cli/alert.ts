import { type Command, InvalidArgumentError } from 'commander';
import { checkEmail } from '../accounts/index.ts';
import {
  type Condition,
  conditionNames,
  conditions,
  createTarget,
  isCondition,
  listDeliveries,
  listTargets,
  readQuietHours,
  removeTarget,
  replaceSecret,
  resendDelivery,
  type Target,
  testTarget,
  timeOfDay,
} from '../alerts/index.ts';
import type { Config } from '../config/index.ts';
import { GatewayError, type Vault } from '../core/index.ts';
import { openVault } from '../keys.ts';
import { createAddressGuard } from '../media/index.ts';
import { readSecretKey } from '../secret-key.ts';
import type { Store } from '../store/index.ts';
import { byCommandLine } from './act.ts';
import { checked, uuid } from './arguments.ts';
import { type Run, UsageError } from './environment.ts';
import { iso, isoOrNull, print, table } from './output.ts';
import { withStore } from './with-store.ts';

interface CreateOptions {
  webhook?: string;
  mail?: string;
  account?: string;
  provider?: string;
  conditions?: Condition[];
  quiet?: string;
  timeZone?: string;
}

/** gateway alert create | list | remove | test | secret | deliveries | resend */
export function addAlert(program: Command, run: Run): void {
  const group = program
    .command('alert')
    .summary('who is told when something is wrong')
    .description('Webhooks and mail addresses that are alerted when something begins and ends. A running server sends the alerts.')
    .addHelpText('after', `\nConditions:\n${conditionsText()}`);

  group
    .command('create')
    .description('Add a webhook or a mail address. It is alerted at once to what is going on, and then to each beginning and end.')
    .option('--webhook <url>', 'posts go to this address, signed after the Standard Webhooks specification')
    .option('--mail <address>', 'mails go to this address (needs SMTP_URL)', checked(checkEmail))
    .option('--account <id>', 'of this account only', uuid)
    .option('--provider <id>', "of this provider's accounts only")
    .option('--conditions <list>', 'of these conditions only, with commas between them', conditionList)
    .option('--quiet <hours>', 'send nothing between these hours; what still lasts is told afterwards: 22:00-07:00')
    .option('--time-zone <zone>', 'of the quiet hours, such as Europe/Berlin; UTC when absent')
    .addHelpText(
      'after',
      `
Conditions:
${conditionsText()}

Examples:
  gateway alert create --mail ops@example.com
  gateway alert create --webhook https://example.com/alerts --account ID --conditions number_needs_person --quiet 22:00-07:00`,
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { target, secret } = await withStore(run, async (store, config) => {
        const created = await readTarget(options, config);
        return createTarget({ store, vault: await vaultOf(store, config) }, created, byCommandLine(run));
      });
      const told = secret === null ? '' : `\nSecret to check the signatures with, shown only this once:\n${secret}`;
      print(run, command, { ...targetJson(target), secret }, `${targetsText([target])}${told}`);
    });

  group
    .command('list')
    .description('List every webhook and mail address.')
    .action(async (_options: object, command: Command) => {
      const targets = await withStore(run, (store) => listTargets(store));
      print(run, command, targets.map(targetJson), targetsText(targets));
    });

  group
    .command('remove')
    .description('Remove a webhook or mail address, with what it was still to be told.')
    .argument('<target-id>', 'as alert list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      await withStore(run, (store) => removeTarget(store, id, byCommandLine(run)));
      print(run, command, { target_id: id, removed: true }, 'Removed.');
    });

  group
    .command('test')
    .description('Have a running server send a test; alert deliveries shows the result.')
    .argument('<target-id>', 'as alert list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const deliveryId = await withStore(run, (store) => testTarget(store, id, run.environment.clock.now()));
      print(run, command, { delivery_id: deliveryId }, `The test will be sent within seconds: gateway alert deliveries ${id}`);
    });

  group
    .command('secret')
    .description('Create a new secret for a webhook. The previous one keeps signing too for 24 hours.')
    .argument('<target-id>', 'as alert list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const secret = await withStore(run, async (store, config) =>
        replaceSecret({ store, vault: await vaultOf(store, config) }, id, byCommandLine(run)),
      );
      print(run, command, { target_id: id, secret }, `The new secret, shown only this once:\n${secret}`);
    });

  group
    .command('deliveries')
    .description('List what was sent to a webhook or mail address in the last 30 days, the newest 100 first.')
    .argument('<target-id>', 'as alert list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const rows = await withStore(run, (store) => listDeliveries(store, id));
      const json = rows.map(({ at, next_at, ended_at, body, id: delivery_id, ...row }) => ({
        delivery_id,
        ...row,
        at: iso(at),
        next_at: isoOrNull(next_at),
        ended_at: isoOrNull(ended_at),
        body: JSON.parse(body) as unknown,
      }));
      const lines = rows.map((row) => [iso(row.at), row.state, row.attempts, row.outcome, isoOrNull(row.next_at), row.id]);
      print(run, command, json, table(['AT', 'STATE', 'ATTEMPTS', 'LAST ATTEMPT', 'NEXT', 'DELIVERY ID'], lines, 'Nothing was sent.'));
    });

  group
    .command('resend')
    .description('Send again what was delivered or given up on.')
    .argument('<delivery-id>', 'as alert deliveries shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      await withStore(run, (store) => resendDelivery(store, id, run.environment.clock.now()));
      print(run, command, { delivery_id: id }, 'It will be sent again within seconds.');
    });
}

async function readTarget(options: CreateOptions, config: Config): Promise<Parameters<typeof createTarget>[1]> {
  const { webhook, mail, account, provider, quiet, timeZone, conditions: wanted } = options;
  if ((webhook === undefined) === (mail === undefined)) throw new UsageError('name either --webhook or --mail');
  if (account !== undefined && provider !== undefined) throw new UsageError('name --account or --provider, not both');
  if (quiet === undefined && timeZone !== undefined) throw new UsageError('--time-zone is for --quiet');
  const of = account !== undefined ? { accountId: account } : provider !== undefined ? { providerId: provider } : 'all';
  const quietHours = quiet === undefined ? undefined : readQuietHours(quiet, timeZone ?? 'UTC');
  if (webhook === undefined) return { of, kind: 'mail', address: mail ?? '', conditions: wanted, quietHours };
  return { of, kind: 'webhook', address: await approved(webhook, config), conditions: wanted, quietHours };
}

/** The address as it is stored. Throws UsageError when it is not a public one: what is sent says who is whose customer. */
async function approved(url: string, config: Config): Promise<string> {
  try {
    return (await createAddressGuard({ allowHosts: config.media.allowHosts }).check({ field: '--webhook', url })).url;
  } catch (error) {
    if (error instanceof GatewayError)
      throw new UsageError(`${error.message}; hosts of your own network are allowed with MEDIA_ALLOW_HOSTS`);
    throw error;
  }
}

async function vaultOf(store: Store, config: Config): Promise<Vault> {
  return openVault(store.db, readSecretKey(config));
}

function conditionList(text: string): Condition[] {
  const words = text.split(',').map((word) => word.trim());
  const known = words.filter(isCondition);
  if (known.length !== words.length) throw new InvalidArgumentError(`It must be a list of: ${conditionNames.join(', ')}.`);
  return known;
}

function conditionsText(): string {
  const widest = Math.max(...conditionNames.map((name) => name.length));
  return conditionNames.map((name) => `  ${name.padEnd(widest)}  ${conditions[name].text}`).join('\n');
}

function targetJson({ id, quiet_from, quiet_to, time_zone, created_at, previous_until, ...target }: Target) {
  return {
    target_id: id,
    ...target,
    quiet_hours: quiet_from === null || quiet_to === null ? null : { from: timeOfDay(quiet_from), to: timeOfDay(quiet_to), time_zone },
    previous_secret_until: isoOrNull(previous_until),
    created_at: iso(created_at),
  };
}

function targetsText(targets: readonly Target[]): string {
  const rows = targets.map((target) => [
    target.kind,
    target.address,
    target.account_id !== null
      ? `account ${target.account_id}`
      : target.provider_id !== null
        ? `provider ${target.provider_id}`
        : 'everything',
    target.conditions.length === conditionNames.length ? 'all' : target.conditions.join(','),
    target.quiet_from === null || target.quiet_to === null
      ? null
      : `${timeOfDay(target.quiet_from)}-${timeOfDay(target.quiet_to)} ${target.time_zone}`,
    target.id,
  ]);
  return table(
    ['KIND', 'ADDRESS', 'OF', 'CONDITIONS', 'QUIET', 'TARGET ID'],
    rows,
    'Nobody is alerted yet. Add somebody with gateway alert create.',
  );
}
