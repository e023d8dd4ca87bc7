import { Button, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { t } from '../../language/language.ts';

interface FilterChipProps {
  /** What the list is narrowed to. */
  readonly children: string;
  onRemove(): void;
}

/** A filter that a link set: it says what the list is narrowed to, and a press removes it. */
export function FilterChip({ children, onRemove }: FilterChipProps) {
  return (
    <Button
      variant="light"
      rightSection={<IconX size={16} aria-hidden />}
      onClick={onRemove}
      maw="100%"
      styles={{ label: { display: 'block', height: 'auto', textOverflow: 'ellipsis' } }}
    >
      {children}
      <VisuallyHidden> {t('(remove this filter)')}</VisuallyHidden>
    </Button>
  );
}
