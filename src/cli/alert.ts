import type { Command } from 'commander';
import {
  type AlertBody,
  type Condition,
  createTarget,
  type EventName,
  listDeliveries,
  listTargets,
  readQuietHours,
  removeTarget,
  replaceSecret,
  resendDelivery,
  testTarget,
  updateTarget,
} from '../alerts/index.ts';
import type { Config } from '../config/index.ts';
import { GatewayError, iso, isoOrNull, type Vault } from '../core/index.ts';
import { createAddressGuard } from '../media/index.ts';
import { checkEmail } from '../people/index.ts';
import type { Store } from '../store/index.ts';
import { openVault } from '../vault/index.ts';
import { conditionList, conditionsText, eventList, eventsText, shownBody, targetJson, targetsText } from './alert-words.ts';
import { checked, uuid } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { print, table } from './output.ts';
import { givenKey } from './secret.ts';

interface CreateOptions {
  webhook?: string;
  mail?: string;
  account?: string;
  provider?: string;
  conditions?: Condition[];
  events?: EventName[];
  quiet?: string;
  timeZone?: string;
}

export function addAlert(program: Command, run: Run): void {
  const group = program
    .command('alert')
    .summary('who is alerted when something is wrong, and who gets the outcome of messages')
    .description(
      'Webhooks and mail addresses that are alerted when a problem begins and ends, and webhooks that get the outcome of messages. A running server sends everything.',
    )
    .addHelpText('after', `\nConditions:\n${conditionsText()}\n\nMessage events:\n${eventsText()}`);

  group
    .command('create')
    .description('Add a webhook or a mail address. It gets at once what is wrong now, and then every problem that begins or ends.')
    .option('--webhook <url>', 'posts go to this address, signed according to the Standard Webhooks specification')
    .option('--mail <address>', 'mails go to this address (needs SMTP_URL)', checked(checkEmail))
    .option('--account <id>', 'only about this account', uuid)
    .option('--provider <id>', "only about this provider's accounts")
    .option('--conditions <list>', 'only these conditions, separated by commas; none: no conditions', conditionList)
    .option('--events <list>', 'also these message events, separated by commas (webhooks only)', eventList)
    .option('--quiet <hours>', 'send no new alerts between these hours, such as 22:00-07:00; problems that remain are reported afterwards')
    .option('--time-zone <zone>', 'time zone of the quiet hours, such as Europe/Berlin (default: UTC)')
    .addHelpText(
      'after',
      `
Conditions:
${conditionsText()}

Message events:
${eventsText()}

Examples:
  gateway alert create --mail ops@example.com
  gateway alert create --webhook https://example.com/alerts --account ID --conditions number_needs_person --quiet 22:00-07:00
  gateway alert create --webhook https://example.com/messages --account ID --conditions none --events message.delivered,message.read`,
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { target, secret } = await withStore(run, async (store, config) => {
        const created = await readTarget(options, config);
        return createTarget({ store, vault: await vaultOf(store, config) }, created, byCommandLine(run));
      });
      const shown = secret === null ? '' : `\nSecret to check the signatures with, shown only this once:\n${secret}`;
      print(run, command, { ...targetJson(target), secret }, `${targetsText([target])}${shown}`);
    });

  group
    .command('list')
    .description('List every webhook and mail address.')
    .action(async (_options: object, command: Command) => {
      const targets = await withStore(run, (store) => listTargets(store));
      print(run, command, targets.map(targetJson), targetsText(targets));
    });

  group
    .command('update')
    .description('Change what a webhook or mail address gets. Anything you do not name stays as it is.')
    .argument('<target-id>', 'as alert list shows it', uuid)
    .option('--conditions <list>', 'these conditions, separated by commas, or none', conditionList)
    .option('--events <list>', 'these message events, separated by commas, or none', eventList)
    .action(async (id: string, change: Pick<CreateOptions, 'conditions' | 'events'>, command: Command) => {
      if (change.conditions === undefined && change.events === undefined) throw new UsageError('name --conditions, --events or both');
      const target = await withStore(run, (store) => updateTarget(store, id, change, byCommandLine(run)));
      print(run, command, targetJson(target), targetsText([target]));
    });

  /** A command about one target, without options. */
  const ofTarget = (name: string, description: string, act: (id: string, command: Command) => Promise<void>) =>
    group
      .command(name)
      .description(description)
      .argument('<target-id>', 'as alert list shows it', uuid)
      .action((id: string, _options: object, command: Command) => act(id, command));

  ofTarget('remove', 'Remove a webhook or mail address and everything still waiting to be sent to it.', async (id, command) => {
    await withStore(run, (store) => removeTarget(store, id, byCommandLine(run)));
    print(run, command, { target_id: id, removed: true }, 'Removed.');
  });

  ofTarget('test', 'Have a running server send a test; alert deliveries shows the result.', async (id, command) => {
    const deliveryId = await withStore(run, (store) => testTarget(store, id, run.environment.clock.now()));
    print(run, command, { delivery_id: deliveryId }, `The test will be sent within seconds: gateway alert deliveries ${id}`);
  });

  ofTarget('secret', 'Create a new secret for a webhook. The previous one keeps signing too for 24 hours.', async (id, command) => {
    const secret = await withStore(run, async (store, config) =>
      replaceSecret({ store, vault: await vaultOf(store, config) }, id, byCommandLine(run)),
    );
    print(run, command, { target_id: id, secret }, `The new secret, shown only this once:\n${secret}`);
  });

  ofTarget(
    'deliveries',
    'List what was sent to a webhook or mail address in the last 30 days, the newest 100 first.',
    async (id, command) => {
      const rows = await withStore(run, (store) => listDeliveries(store, id));
      const json = rows.map(({ at, next_at, ended_at, body, id: delivery_id, ...row }) => ({
        delivery_id,
        ...row,
        at: iso(at),
        next_at: isoOrNull(next_at),
        ended_at: isoOrNull(ended_at),
        body: shownBody(JSON.parse(body) as AlertBody),
      }));
      const lines = rows.map((row) => [iso(row.at), row.state, row.attempts, row.outcome, isoOrNull(row.next_at), row.id]);
      print(run, command, json, table(['AT', 'STATE', 'ATTEMPTS', 'LAST ATTEMPT', 'NEXT', 'DELIVERY ID'], lines, 'Nothing was sent.'));
    },
  );

  group
    .command('resend')
    .description('Repeat a delivery that succeeded or was given up on.')
    .argument('<delivery-id>', 'as alert deliveries shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      await withStore(run, (store) => resendDelivery(store, id, run.environment.clock.now()));
      print(run, command, { delivery_id: id }, 'It will be sent again within seconds.');
    });
}

async function readTarget(options: CreateOptions, config: Config): Promise<Parameters<typeof createTarget>[1]> {
  const { webhook, mail, account, provider, quiet, timeZone, conditions: wanted, events } = options;
  if ((webhook === undefined) === (mail === undefined)) throw new UsageError('name either --webhook or --mail');
  if (account !== undefined && provider !== undefined) throw new UsageError('name --account or --provider, not both');
  if (quiet === undefined && timeZone !== undefined) throw new UsageError('--time-zone is for --quiet');
  const of = account !== undefined ? { accountId: account } : provider !== undefined ? { providerId: provider } : 'all';
  const quietHours = quiet === undefined ? undefined : readQuietHours(quiet, timeZone ?? 'UTC');
  if (webhook === undefined) return { of, kind: 'mail', address: mail ?? '', conditions: wanted, events, quietHours };
  return { of, kind: 'webhook', address: await approved(webhook, config), conditions: wanted, events, quietHours };
}

/** The address as it is stored. Throws UsageError when it is not a public one: what is sent reveals who is whose customer. */
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
  return openVault(store.db, await givenKey(config, store.db));
}
