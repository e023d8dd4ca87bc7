import { type Command, Option } from 'commander';
import { checkNote, noteOf, noteView, writeNote } from '../accounts/index.ts';
import { checked } from './arguments.ts';
import { byCommandLine, type Run, withStore } from './environment.ts';
import { print } from './output.ts';

export function addAccountNote(group: Command, run: Run): void {
  group
    .command('note')
    .description('Show or write the note about an account, which its own people never see; up to 4,000 characters.')
    .argument('<account-id>')
    .addOption(new Option('--set <text>', 'replace it').argParser(checked(checkNote)).conflicts('clear'))
    .option('--clear', 'remove it')
    .action(async (id: string, { set, clear }: { set?: string; clear?: boolean }, command: Command) => {
      const text = clear === true ? '' : set;
      const note = await withStore(run, (store) =>
        text === undefined ? noteOf(store, id) : writeNote(store, id, text, byCommandLine(run)),
      );
      const json = noteView(note);
      const shown =
        json.text === ''
          ? 'There is no note.'
          : json.text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => (sign === '\n' ? sign : ' '));
      print(run, command, json, shown);
    });
}
