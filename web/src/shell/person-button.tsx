import { Avatar, Group, Text, UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { t } from '../language/language.ts';
import { useSession } from '../session/session.ts';

/** Who is signed in. */
export function PersonButton(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const { user, account } = useSession();
  return (
    <UnstyledButton {...props}>
      <Group gap={8} wrap="nowrap">
        <Text size="sm" visibleFrom="md" truncate maw={160} aria-hidden={account === null}>
          {account?.name ?? user.name}
        </Text>
        <Avatar radius="xl" size={32} name={user.name} color="initials" alt="" aria-hidden />
        <VisuallyHidden>{t('{{name}}, menu', { name: user.name })}</VisuallyHidden>
      </Group>
    </UnstyledButton>
  );
}
