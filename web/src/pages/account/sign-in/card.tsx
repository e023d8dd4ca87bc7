import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Beside the title. */
  readonly mark?: ReactNode;
  readonly children: ReactNode;
}

/** One matter of the sign-in under its heading. */
export function Card({ title, text, mark, children }: CardProps) {
  const id = useId();
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby={id}>
      <Group gap="sm" mb={text === undefined ? 'sm' : 4}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {mark}
      </Group>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {text}
        </Text>
      )}
      {children}
    </Paper>
  );
}
