import { Group, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../../language/language.ts';

/** How much of a limit is in use; more than is allowed has a sign of its own beside the colour. */
export function UsedOfAllowed({ used, allowed }: { readonly used: number; readonly allowed: number }) {
  const text = t('{{used}} of {{allowed}}', { used, allowed });
  if (used <= allowed) return <span>{text}</span>;
  const over = t('Over the limit');
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap" c="var(--mantine-color-red-text)" title={over}>
      <IconAlertTriangle size={14} aria-hidden />
      <Text span inherit fw={600}>
        {text}
      </Text>
      <VisuallyHidden>({over})</VisuallyHidden>
    </Group>
  );
}
