import { Group, Radio, Stack } from '@mantine/core';
import { type VariantsEntry, withVariant } from './entry.ts';
import type { EntryInputProps } from './entry-input.tsx';
import { GroupFields } from './group-input.tsx';
import { labelOf } from './labels.ts';
import { useProblem } from './problems.tsx';
import type { GroupField } from './schema.ts';

/** A choice between groups, and the fields of the one that is chosen. */
export function VariantsInput({ entry, path, onChange }: EntryInputProps<VariantsEntry>) {
  const { field, chosen, group } = entry;
  const [name = 'type'] = constantsOf(group.field).map((constant) => constant.name);
  const { problem, changed } = useProblem(path);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={labelOf(name)}
        value={String(chosen)}
        error={problem}
        onChange={(next) => {
          changed();
          onChange(withVariant(entry, Number(next)));
        }}
      >
        <Group gap="md" mt={4}>
          {field.variants.map((variant, place) => (
            <Radio key={variantName(variant)} value={String(place)} label={variantName(variant)} />
          ))}
        </Group>
      </Radio.Group>
      <GroupFields entry={group} path={path} onChange={(next) => onChange({ ...entry, group: next })} />
    </Stack>
  );
}

function variantName(variant: GroupField): string {
  return (
    variant.title ??
    constantsOf(variant)
      .map(({ value }) => labelOf(value))
      .join(', ')
  );
}

function constantsOf({ fields }: GroupField): { readonly name: string; readonly value: string }[] {
  return fields.flatMap(({ name, field }) => (field.control === 'constant' ? [{ name, value: String(field.value) }] : []));
}
