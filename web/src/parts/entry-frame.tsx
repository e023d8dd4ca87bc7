import { Center, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useBrand } from '../brand/brand.ts';
import { t } from '../language/language.ts';
import { LanguageChooser } from '../language/language-chooser.tsx';

interface EntryFrameProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly wide?: boolean;
  readonly children?: ReactNode;
}

/** The frame of the pages before the sign-in. */
export function EntryFrame({ title, text, wide = false, children }: EntryFrameProps) {
  const { name, logo } = useBrand();
  useDocumentTitle(`${title} · ${name}`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={wide ? 820 : 400} gap="lg">
        <Group gap={10} justify="center">
          <img src={logo} alt="" width={36} height={36} style={{ objectFit: 'contain' }} />
          <Text fw={650} size="lg">
            {name}
          </Text>
        </Group>
        <Paper withBorder p={wide ? { base: 'md', xs: 'xl' } : 'xl'} radius="lg" shadow="sm">
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
        <Center>
          <LanguageChooser />
        </Center>
      </Stack>
    </Center>
  );
}

/** Stands in for such a page while it is loaded. */
export function OneMoment() {
  return (
    <EntryFrame title={t('One moment')}>
      <Loader role="status" aria-label={t('Loading')} />
    </EntryFrame>
  );
}
