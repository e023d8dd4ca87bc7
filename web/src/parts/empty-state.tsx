import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** Shown where a list has nothing yet: says what will be here and how to begin. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" radius="lg">
      <Stack align="center" gap="sm" py="lg">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center" maw={460}>
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
