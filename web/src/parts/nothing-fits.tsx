import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown instead of a list when a search or filter leaves nothing. Announced to screen readers. */
export function NothingFits({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" ta="center" p="xl" role="status">
      {children}
    </Text>
  );
}
