import { Skeleton, Stack, Text } from '@mantine/core';

/** How many records there are. Lists show the newest 500. Announced to screen readers when it changes. */
export function Total({
  shown,
  total,
  one,
  many,
}: {
  readonly shown: number;
  readonly total: number;
  readonly one: string;
  readonly many: string;
}) {
  const count = `${total.toLocaleString()} ${total === 1 ? one : many}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {shown < total ? `The newest ${shown.toLocaleString()} of ${count}. Search to find others.` : count}
    </Text>
  );
}

/** Stands in for a list while it is loaded. */
export function ListLoading({ label, rows = 5 }: { readonly label: string; readonly rows?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <Skeleton key={row} h={52} radius="md" />
      ))}
    </Stack>
  );
}
