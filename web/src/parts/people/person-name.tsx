import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PersonLink } from '../person-link.tsx';

interface PersonNameProps {
  readonly person: { readonly user_id: string; readonly name: string; readonly email: string };
  /** Whether it leads to their page. */
  readonly linked: boolean;
  /** Beside the name. */
  readonly children?: ReactNode;
}

/** Somebody's name with the address they sign in with. */
export function PersonName({ person: { user_id, name, email }, linked, children }: PersonNameProps) {
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {linked ? <PersonLink id={user_id}>{name}</PersonLink> : name}
        </Text>
        {children}
      </Group>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </>
  );
}
