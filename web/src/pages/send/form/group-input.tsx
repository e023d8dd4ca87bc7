import { Fieldset, Stack, Text } from '@mantine/core';
import type { Entry, GroupEntry } from './entry.ts';
import { EntryInput, type EntryInputProps } from './entry-input.tsx';
import classes from './form.module.css';
import { labelOf } from './labels.ts';
import { longTextFrom } from './written-input.tsx';

interface GroupFieldsProps {
  readonly entry: GroupEntry;
  /** Path of the group; empty for the body itself. */
  readonly path: string;
  onChange(next: GroupEntry): void;
}

/** The fields of a group, without a frame. Short fields share a line where there is room. */
export function GroupFields({ entry: group, path, onChange }: GroupFieldsProps) {
  return (
    <div className={classes.fields}>
      {group.entries.map(({ name, required, entry }) =>
        entry.field.control === 'constant' ? null : (
          <div key={name} className={isShort(entry) ? classes.short : classes.wide}>
            <EntryInput
              entry={entry}
              path={path === '' ? name : `${path}.${name}`}
              label={labelOf(name)}
              required={required}
              onChange={(next) =>
                onChange({ ...group, entries: group.entries.map((one) => (one.name === name ? { ...one, entry: next } : one)) })
              }
            />
          </div>
        ),
      )}
    </div>
  );
}

function isShort({ field }: Entry): boolean {
  if (field.control === 'text') return field.format === null && (field.maxLength === null || field.maxLength < longTextFrom);
  return field.control === 'number' || field.control === 'choice';
}

/** A group inside a group, framed. */
export function GroupInput({ entry, path, label, onChange }: EntryInputProps<GroupEntry>) {
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {entry.field.description !== null && (
          <Text size="xs" c="dimmed">
            {entry.field.description}
          </Text>
        )}
        <GroupFields entry={entry} path={path} onChange={onChange} />
      </Stack>
    </Fieldset>
  );
}
