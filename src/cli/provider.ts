import { type Command, Option } from 'commander';
import { bounds, checkName, createProvider, listProviders, type ProviderChanges, providerView, updateProvider } from '../accounts/index.ts';
import type { ProviderRow } from '../store/index.ts';
import { checked, noneAsNull, orNone, wholeNumber } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { print, table } from './output.ts';
import { addProviderBrand } from './provider-brand.ts';

interface ProviderOptions {
  name?: string;
  numberCapacity?: number | 'none';
  defaultPlan?: string;
  suspend?: boolean;
  resume?: boolean;
}

export function addProvider(program: Command, run: Run): void {
  const group = program
    .command('provider')
    .summary('resellers, each with accounts of its own')
    .description('Create, change and list providers. Every account belongs to one; a new database has the provider default.');
  const numberCapacity = () =>
    new Option('--number-capacity <n>', 'how many numbers all its accounts may have together; none: no limit').argParser(
      orNone(wholeNumber(bounds.numberCapacity)),
    );
  const defaultPlan = () =>
    new Option('--default-plan <plan>', "the plan, by name or id, that is proposed for its new accounts; none: the installation's default");

  group
    .command('create')
    .description('Create a provider.')
    .requiredOption('--name <name>', 'what you call it, up to 100 characters', checked(checkName))
    .addOption(numberCapacity())
    .addOption(defaultPlan())
    .addHelpText(
      'after',
      `
Example:
  gateway provider create --name "North" --number-capacity 500`,
    )
    .action(async (options: ProviderOptions & { name: string }, command: Command) => {
      const provider = await withStore(run, (store) =>
        createProvider(store, { ...termsOf(options), name: options.name }, byCommandLine(run)),
      );
      print(run, command, providerView(provider), providersText([provider]));
    });

  group
    .command('update')
    .description('Change a provider; anything you do not name stays as it is. Suspending it suspends all its accounts.')
    .argument('<provider-id>')
    .option('--name <name>', 'what you call it, up to 100 characters', checked(checkName))
    .addOption(numberCapacity())
    .addOption(defaultPlan())
    .addOption(new Option('--suspend', 'refuse the requests of all its accounts (403 account_suspended) until resumed').conflicts('resume'))
    .addOption(new Option('--resume', 'end a suspension'))
    .action(async (id: string, options: ProviderOptions, command: Command) => {
      if (Object.keys(options).length === 0) throw new UsageError('name at least one thing to change; see gateway provider update --help');
      const status = options.suspend === true ? 'suspended' : options.resume === true ? 'active' : undefined;
      const changes: ProviderChanges = { ...termsOf(options), name: options.name, status };
      const provider = await withStore(run, (store) => updateProvider(store, id, changes, byCommandLine(run)));
      print(run, command, providerView(provider), providersText([provider]));
    });

  group
    .command('list')
    .description('List every provider.')
    .action(async (_options: object, command: Command) => {
      const providers = await withStore(run, listProviders);
      print(run, command, providers.map(providerView), providersText(providers));
    });

  addProviderBrand(group, run);
}

function termsOf({ numberCapacity, defaultPlan }: ProviderOptions) {
  return { numberCapacity: noneAsNull(numberCapacity), defaultPlan: noneAsNull(defaultPlan) };
}

function providersText(providers: readonly ProviderRow[]): string {
  const rows = providers.map((provider) => [provider.id, provider.name, provider.status, provider.number_capacity ?? 'no limit']);
  return table(['PROVIDER ID', 'NAME', 'STATUS', 'NUMBER CAPACITY'], rows, 'No providers.');
}
