import { Checkbox } from '@mantine/core';
import type { Entry } from './entry.ts';
import { GroupInput } from './group-input.tsx';
import { ListInput } from './list-input.tsx';
import { useProblem } from './problems.tsx';
import { VariantsInput } from './variants-input.tsx';
import { WrittenInput } from './written-input.tsx';

export interface EntryInputProps<Kind extends Entry = Entry> {
  readonly entry: Kind;
  /** Its place in the body, in the server's notation. */
  readonly path: string;
  readonly label: string;
  readonly required: boolean;
  onChange(next: Kind): void;
}

/** The control of any field. */
export function EntryInput({ entry, onChange, ...place }: EntryInputProps) {
  if ('text' in entry) return <WrittenInput entry={entry} onChange={onChange} {...place} />;
  if ('on' in entry) return <SwitchInput entry={entry} onChange={onChange} {...place} />;
  if ('items' in entry) return <ListInput entry={entry} onChange={onChange} {...place} />;
  if ('entries' in entry) return <GroupInput entry={entry} onChange={onChange} {...place} />;
  if ('group' in entry) return <VariantsInput entry={entry} onChange={onChange} {...place} />;
  return null;
}

function SwitchInput({ entry, path, label, onChange }: EntryInputProps<Extract<Entry, { on: boolean }>>) {
  const { problem, changed } = useProblem(path);
  return (
    <Checkbox
      label={label}
      description={entry.field.description}
      checked={entry.on}
      error={problem}
      onChange={(event) => {
        changed();
        onChange({ ...entry, on: event.currentTarget.checked });
      }}
    />
  );
}
