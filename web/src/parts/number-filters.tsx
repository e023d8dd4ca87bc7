import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Standing } from '../../../src/portal/wire/operator.ts';
import { t } from '../language/language.ts';
import { useSession } from '../session/session.ts';
import { FilterSelect } from './list/filter-select.tsx';
import type { List } from './list/use-list.ts';
import { networkName, reasons } from './number-words.ts';
import { SearchField } from './search-field.tsx';
import { standingText, statuses, statusText } from './status-badge.tsx';

/** What needs somebody first. */
const standings: readonly Standing[] = ['needs_person', 'never_linked', 'connected', 'reconnecting', 'pairing'];

interface NumberFiltersProps {
  readonly list: List<unknown>;
  readonly placeholder: string;
  /** More of them. */
  readonly children?: ReactNode;
}

export function NumberFilters({ list: { search, find, narrow }, placeholder, children }: NumberFiltersProps) {
  const { networks } = useSession();
  const status = statuses.find((one) => one === search.status);
  return (
    <Group gap="sm">
      <SearchField {...find} label={t('Find a number')} placeholder={placeholder} />
      <FilterSelect
        label={t('State')}
        all={t('All states')}
        options={[
          ...standings.map((one) => ({ value: one, label: one === 'reconnecting' ? t('Reconnecting') : standingText(one) })),
          // The page of this server's health leads here with all that are not connected, for whatever reason.
          ...(status === undefined ? [] : [{ value: status, label: statusText(status) }]),
        ]}
        value={status ?? search.standing}
        onChange={(standing) => narrow(standing === status ? {} : { standing, status: undefined })}
      />
      {networks.length > 1 && (
        <FilterSelect
          label={t('Network')}
          all={t('All networks')}
          options={networks.map((one) => ({ value: one, label: networkName(one) }))}
          value={search.network}
          onChange={(network) => narrow({ network })}
        />
      )}
      <FilterSelect
        label={t('Reason')}
        all={t('Any reason')}
        options={[{ value: 'restricted', label: t('Any restriction') }, ...reasons]}
        value={search.reason}
        onChange={(reason) => narrow({ reason })}
      />
      {children}
    </Group>
  );
}
