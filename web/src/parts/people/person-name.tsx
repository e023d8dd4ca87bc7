import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface PersonNameProps {
  readonly person: { readonly name: string; readonly email: string };
  /** Beside the name. */
  readonly children?: ReactNode;
}

/** Somebody's name with the address they sign in with. */
export function PersonName({ person: { name, email }, children }: PersonNameProps) {
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {children}
      </Group>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </>
  );
}
