import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '../../api/address.ts';
import { actingAccount } from '../../api/client.ts';
import type { ListPath } from '../../api/endpoints.ts';
import { t } from '../../language/language.ts';
import { OrderSelect, type OrderSelectProps } from './order-select.tsx';
import { type ListSearch, withoutPage } from './use-list.ts';

interface ListToolsProps {
  /** How many there are, in words: "20,000 numbers". */
  readonly count: string;
  readonly path: ListPath;
  readonly search: ListSearch;
  readonly orders?: OrderSelectProps;
}

/** Above a list: how many records fit, in which order they are, and the file of them. */
export function ListTools({ count, path, search, orders }: ListToolsProps) {
  const account = actingAccount.get();
  // A link has no headers; lists of all accounts take no account from it.
  const ofAccount = account === null || path.includes('/operator/') ? {} : { account_id: account };
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {count}
      </Text>
      <Group gap="xs">
        {orders !== undefined && <OrderSelect {...orders} />}
        <Button
          component="a"
          href={addressOf(`${path}.csv`, {}, { ...withoutPage(search), ...ofAccount })}
          download
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('Export CSV')}
        </Button>
      </Group>
    </Group>
  );
}
