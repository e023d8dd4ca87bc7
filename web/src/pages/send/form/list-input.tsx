import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../../../language/language.ts';
import { type Entry, type ListEntry, withItem } from './entry.ts';
import type { EntryInputProps } from './entry-input.tsx';
import { itemWords } from './labels.ts';
import { ListItem } from './list-item.tsx';
import { useProblem } from './problems.tsx';

/** A list: its items, each with a button to remove it, and a button to add one. */
export function ListInput({ entry: list, path, label, required, onChange }: EntryInputProps<ListEntry>) {
  const { field, items } = list;
  const words = itemWords(path.slice(path.lastIndexOf('.') + 1));
  const { problem, changed } = useProblem(path);
  const place = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const full = field.max !== null && items.length >= field.max;

  const change = (key: number, next: Entry) =>
    onChange({ ...list, items: items.map((item) => (item.key === key ? { key, entry: next } : item)) });
  const add = () => {
    // The mistakes found are tied to positions, which may now hold other items.
    changed();
    onChange(withItem(list));
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>(':scope > :last-child :is(input, textarea)')?.focus());
  };
  const remove = (key: number) => {
    changed();
    onChange({ ...list, items: items.filter((item) => item.key !== key) });
    addButton.current?.focus();
  };

  return (
    <Input.Wrapper label={label} labelElement="div" description={field.description} error={problem} required={required}>
      <Stack gap="sm" my="xs" ref={place} role="group" aria-label={label}>
        {items.map(({ key, entry }, index) => (
          <ListItem
            key={key}
            entry={entry}
            path={`${path}[${index}]`}
            label={words.one(index + 1)}
            removes={words.remove(index + 1)}
            removable={items.length > field.min}
            onChange={(next) => change(key, next)}
            onRemove={() => remove(key)}
          />
        ))}
      </Stack>
      <Group gap="sm">
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          // Not `disabled`: a disabled button would lose the keyboard focus when the last possible item is added.
          aria-disabled={full}
          data-disabled={full}
          onClick={full ? undefined : add}
        >
          {words.add}
        </Button>
        {full && (
          <Text size="xs" c="dimmed">
            {t('There can be no more than {{most}}.', { most: field.max ?? 0 })}
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}
