import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  /** What can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <Group justify="space-between" gap="sm" mih={36}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
