import type { Command } from 'commander';
import { checkLabel, createKey, type KeySummary, keyView, listKeys, revokeKey } from '../accounts/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import { checked } from './arguments.ts';
import { byCommandLine, type Run, withStore } from './environment.ts';
import { fields, list, print } from './output.ts';

export function addKey(program: Command, run: Run): void {
  const group = program
    .command('key')
    .summary('API keys of an account')
    .description(
      'Create, list and revoke API keys. To rotate one: create a new key, deploy it, check that it is being used, and revoke the old one.',
    );

  group
    .command('create')
    .description('Create an API key. The full key is printed only now; only its hash is kept.')
    .requiredOption('--account <id>', 'the account it belongs to')
    .option('--label <label>', 'what it is for, up to 60 characters', checked(checkLabel))
    .addHelpText(
      'after',
      `
Example:
  gateway key create --account ID --label "web shop"`,
    )
    .action(async (options: { account: string; label?: string }, command: Command) => {
      const label = options.label ?? null;
      const key = await withStore(run, (store) => createKey(store, options.account, { label }, byCommandLine(run)));
      const { last_used_at, revoked_at, ...json } = keyJson(key);
      const shown = fields([
        ['key id', key.id],
        ['key', key.key],
        ['label', key.label],
      ]);
      print(
        run,
        command,
        { ...json, key: key.key },
        `${shown}\n\nSave the key now: it is shown only this once. Requests carry it in the apikey header.`,
      );
    });

  group
    .command('list')
    .description('List the keys of an account, revoked ones included. Only the first characters of a key are known.')
    .requiredOption('--account <id>', 'the account')
    .action(async (options: { account: string }, command: Command) => {
      const keys = await withStore(run, (store) => listKeys(store, options.account));
      const text = list(
        keys,
        {
          'KEY ID': ({ id }) => id,
          PREFIX: ({ prefix }) => prefix,
          LABEL: ({ label }) => label,
          CREATED: ({ created_at }) => iso(created_at),
          'LAST USED': ({ last_used_at }) => isoOrNull(last_used_at) ?? 'never',
          REVOKED: ({ revoked_at }) => isoOrNull(revoked_at),
        },
        'No keys yet. Create one with: gateway key create --account ID',
      );
      print(run, command, keys.map(keyJson), text);
    });

  group
    .command('revoke')
    .description('Revoke a key: its next request is answered 401 invalid_api_key. Revoking it again changes nothing.')
    .argument('<key-id>', 'the id of the key, as key list shows it (not the key itself)')
    .action(async (id: string, _options: object, command: Command) => {
      const key = await withStore(run, (store) => revokeKey(store, id, byCommandLine(run)));
      print(run, command, keyJson(key), `Key ${key.prefix}… was revoked ${isoOrNull(key.revoked_at)}.`);
    });
}

function keyJson(key: KeySummary) {
  return { ...keyView(key), account_id: key.account_id };
}
