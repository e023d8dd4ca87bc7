import { Skeleton, Stack } from '@mantine/core';

/** Stands in for a list while it is loaded. */
export function ListLoading({ label, rows = 5 }: { readonly label: string; readonly rows?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
        <Skeleton key={row} h={52} radius="md" />
      ))}
    </Stack>
  );
}
