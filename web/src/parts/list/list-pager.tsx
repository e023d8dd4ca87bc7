import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ListView } from '../../../../src/portal/wire/listing.ts';
import { t } from '../../language/language.ts';

interface ListPagerProps {
  readonly page: Pick<ListView<never>, 'next' | 'previous'>;
  onPage(place: { readonly after?: string; readonly before?: string }): void;
}

/** To the pages before and after; nothing when there is only one. */
export function ListPager({ page: { next, previous }, onPage }: ListPagerProps) {
  if (next === null && previous === null) return null;
  return (
    <Group justify="flex-end" gap="xs" component="nav" aria-label={t('Pages of the list')}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        disabled={previous === null}
        onClick={() => previous !== null && onPage({ before: previous })}
      >
        {t('Previous page')}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={16} aria-hidden />}
        disabled={next === null}
        onClick={() => next !== null && onPage({ after: next })}
      >
        {t('Next page')}
      </Button>
    </Group>
  );
}
