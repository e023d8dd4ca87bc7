import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Said in a list's place when its search or filter leaves nothing; said also to people who hear the page. */
export function NothingFits({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" ta="center" p="xl" role="status">
      {children}
    </Text>
  );
}
