import { ActionIcon, Fieldset, Group, Stack } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Entry } from './entry.ts';
import { EntryInput } from './entry-input.tsx';
import classes from './form.module.css';
import { GroupFields } from './group-input.tsx';
import { WrittenInput } from './written-input.tsx';

interface ListItemProps {
  readonly entry: Entry;
  readonly path: string;
  readonly label: string;
  /** What the button is called that removes it. */
  readonly removes: string;
  /** False while the list has its least number of items. */
  readonly removable: boolean;
  onChange(next: Entry): void;
  onRemove(): void;
}

/** One item of a list: a single line for a simple value, a frame for anything else. */
export function ListItem({ entry, path, label, removes, removable, onChange, onRemove }: ListItemProps) {
  const remove = removable && (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={onRemove} aria-label={removes}>
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  );
  if ('text' in entry) {
    return (
      <Group gap={4} wrap="nowrap" align="flex-start">
        <div className={classes.line}>
          <WrittenInput entry={entry} path={path} label={label} required bare onChange={onChange} />
        </div>
        {remove}
      </Group>
    );
  }
  return (
    <Fieldset legend={label} className={classes.item}>
      {remove !== false && <div className={classes.remove}>{remove}</div>}
      <Stack gap="sm">
        {'entries' in entry ? (
          <GroupFields entry={entry} path={path} onChange={onChange} />
        ) : (
          <EntryInput entry={entry} path={path} label={label} required onChange={onChange} />
        )}
      </Stack>
    </Fieldset>
  );
}
