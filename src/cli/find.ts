import type { Command } from 'commander';
import { type SearchResult, search, searchView } from '../accounts/index.ts';
import { iso } from '../core/index.ts';
import { actorText, changesText } from './audit.ts';
import { type Run, withStore } from './environment.ts';
import { type Cell, print, table } from './output.ts';

export function addFind(program: Command, run: Run): void {
  program
    .command('find')
    .summary('find anything by its name, id or number')
    .description(
      'Find requests (by their id, the message id or the recipient), numbers (by id, digits or label), accounts, keys (by prefix or label), people and providers, in all accounts, and who deleted what had this name. At most five of each kind, newest first.',
    )
    .argument('<text>', 'an id or its beginning, a phone number, a key or its prefix, an e-mail address, or part of a name')
    .addHelpText(
      'after',
      `
Examples:
  gateway find 0198c0de-0000-7000-8000-000000000000
  gateway find "+49 151 12345678"
  gateway find "bakery"`,
    )
    .action(async (text: string, _options: object, command: Command) => {
      const everything = { providerIds: null, accountIds: [], ownedAccountIds: [] };
      const found = await withStore(run, (store) => search(store, everything, text, run.environment.clock.now()));
      const more = Object.entries(found).flatMap(([kind, group]) => (group.more ? [kind] : []));
      const shown = table(['WHAT', 'ID', 'NAME', 'ACCOUNT', 'MORE'], rowsOf(found), 'Nothing has that name.');
      print(run, command, searchView(found), more.length === 0 ? shown : `${shown}\n\nThere are more ${more.join(', ')}.`);
    });
}

function rowsOf({ requests, numbers, accounts, keys, people, providers, changes }: SearchResult): Cell[][] {
  return [
    ...requests.items.map(({ record, account }) => [
      'request',
      record.request_id,
      record.recipient ?? record.path,
      account?.account_name ?? null,
      `${iso(record.at)} ${record.status}${record.code === null ? '' : ` ${record.code}`}`,
    ]),
    ...numbers.items.map((one) => ['number', one.id, one.label ?? one.phone_number, one.account_name, one.phone_number]),
    ...accounts.items.map((one) => ['account', one.id, one.name, one.name, `${one.status}, of ${one.provider_name}`]),
    ...keys.items.map((one) => [
      'key',
      one.id,
      one.label ?? one.prefix,
      one.account_name,
      one.revoked_at === null ? one.prefix : `${one.prefix}, revoked ${iso(one.revoked_at)}`,
    ]),
    ...people.items.map((one) => ['person', one.id, one.name, null, one.email]),
    ...providers.items.map((one) => ['provider', one.id, one.name, null, null]),
    ...changes.items.map((one) => [one.action, one.target_id, changesText(one), one.account_name, `${iso(one.at)} ${actorText(one)}`]),
  ];
}
