import { Paper, Text } from '@mantine/core';

/** Stands in a section of a page, in place of a list that has nothing yet. */
export function EmptyPanel({ children }: { readonly children: string }) {
  return (
    <Paper withBorder radius="lg" p="lg">
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}
