import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../page-header.tsx';
import { Listed, type ListedProps } from './listed.tsx';

interface ListPageProps<Row> extends ListedProps<Row> {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly text: string;
  /** The page's main buttons. */
  readonly buttons?: ReactNode;
  /** What stands between the head and the list. */
  readonly above?: ReactNode;
  /** What narrows the list. */
  readonly filters: ReactNode;
}

export function ListPage<Row>({ title, text, buttons, above, filters, ...listed }: ListPageProps<Row>) {
  return (
    <>
      <PageHeader title={title} text={text}>
        {buttons}
      </PageHeader>
      {above}
      <Stack gap="sm">
        {filters}
        <Listed {...listed} />
      </Stack>
    </>
  );
}
