import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PersonLink } from '../person-link.tsx';
import type { PagesOfPeople } from './pages.ts';

interface PersonNameProps {
  readonly person: { readonly user_id: string; readonly name: string; readonly email: string };
  /** Which page of theirs it leads to. */
  readonly pages: PagesOfPeople;
  /** Beside the name. */
  readonly children?: ReactNode;
}

/** Somebody's name with the address they sign in with. */
export function PersonName({ person: { user_id, name, email }, pages, children }: PersonNameProps) {
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          <PersonLink id={user_id} pages={pages}>
            {name}
          </PersonLink>
        </Text>
        {children}
      </Group>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </>
  );
}
