import { Badge } from '@mantine/core';

const looks = {
  open: { color: 'teal', text: 'Connected' },
  connecting: { color: 'yellow', text: 'Connecting' },
  close: { color: 'gray', text: 'Not connected' },
} as const;

interface StatusBadgeProps {
  readonly status: keyof typeof looks;
  /** In place of the usual ones. */
  readonly words?: string | undefined;
}

/** A number's state, told by word and colour. */
export function StatusBadge({ status, words }: StatusBadgeProps) {
  const { color, text } = looks[status];
  return (
    <Badge color={color} variant="light" autoContrast data-status={status}>
      {words ?? text}
    </Badge>
  );
}
