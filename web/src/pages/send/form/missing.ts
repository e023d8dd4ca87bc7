import { t } from '../../../language/language.ts';
import { bodyOf, type Entry, type GroupEntry } from './entry.ts';

/** What must be filled in before the message can be sent, by field path: what the schema requires and the form does not have. */
export function missingIn(group: GroupEntry): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  lookInto(group, '', found);
  return found;
}

function lookInto({ entries }: GroupEntry, path: string, found: Map<string, string>): void {
  for (const { name, required, entry } of entries) lookAt(entry, required, path === '' ? name : `${path}.${name}`, found);
}

function lookAt(entry: Entry, required: boolean, path: string, found: Map<string, string>): void {
  if ('text' in entry) {
    const mayBeEmpty = entry.field.control === 'text' && entry.field.mayBeEmpty;
    if (required && entry.text === '' && !mayBeEmpty)
      found.set(path, entry.field.control === 'choice' ? t('Choose one.') : t('Fill this in.'));
  } else if ('items' in entry) {
    const { min } = entry.field;
    if (entry.items.length < min && (required || entry.items.length > 0)) found.set(path, t('Add at least {{count}}.', { count: min }));
    for (const [index, item] of entry.items.entries()) lookAt(item.entry, true, `${path}[${index}]`, found);
  } else if ('group' in entry) {
    lookInto(entry.group, path, found);
  } else if ('entries' in entry && (required || Object.keys(bodyOf(entry)).length > 0)) {
    lookInto(entry, path, found);
  }
}
