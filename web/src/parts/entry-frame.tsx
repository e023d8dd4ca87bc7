import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The frame of the pages before the sign-in. */
export function EntryFrame({ title, text, children }: { readonly title: string; readonly text?: ReactNode; readonly children: ReactNode }) {
  useDocumentTitle(`${title} · Messaging Gateway`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap={10} justify="center">
          <img src="/assets/icon.svg" alt="" width={36} height={36} />
          <Text fw={650} size="lg">
            Messaging Gateway
          </Text>
        </Group>
        <Paper withBorder p="xl" radius="lg" shadow="sm">
          <Title order={1} size="h3" mb={text === undefined ? 'md' : 4}>
            {title}
          </Title>
          {text !== undefined && (
            <Text c="dimmed" size="sm" mb="md">
              {text}
            </Text>
          )}
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
