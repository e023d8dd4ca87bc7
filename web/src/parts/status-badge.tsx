import { Badge } from '@mantine/core';

const looks = {
  open: { color: 'teal', text: 'Connected' },
  connecting: { color: 'yellow', text: 'Connecting' },
  close: { color: 'gray', text: 'Not connected' },
} as const;

type Status = keyof typeof looks;

/** The states of a number in the order in which they are listed. */
export const statuses: readonly Status[] = ['open', 'connecting', 'close'];

/** What a state is called. */
export function statusText(status: Status): string {
  return looks[status].text;
}

/** A colour of the theme. */
export function statusColor(status: Status): string {
  return looks[status].color;
}

interface StatusBadgeProps {
  readonly status: Status;
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
