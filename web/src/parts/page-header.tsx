import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useBrand } from '../brand/brand.ts';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly text?: ReactNode;
  /** The page's buttons, the main one last. */
  readonly children?: ReactNode;
}

/** The head of every page; also names the browser's tab. */
export function PageHeader({ title, text, children }: PageHeaderProps) {
  const { name } = useBrand();
  useDocumentTitle(`${title} · ${name}`);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={4} style={{ flex: '1 1 260px' }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {text !== undefined && (
          <Text c="dimmed" maw="64rem" style={{ textWrap: 'pretty' }}>
            {text}
          </Text>
        )}
      </Stack>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
