import { Group, Select } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { actionName, actions } from '../../parts/audit/sentence.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { DayField } from '../../parts/time/day-field.tsx';
import { AccountSelect } from './place-selects.tsx';
import { auditKey, auditPath, useChangedProviders } from './queries.ts';

/** The audit log of everything the person administers. */
export default function AuditPage() {
  const search = useSearch({ from: '/signed-in/operator/audit' });
  const list = useList({ queryKey: auditKey, path: auditPath, search });
  const names = useChangedProviders(list.query.data?.rows);
  const { narrow } = list;
  return (
    <ListPage
      list={list}
      title={t('Audit log')}
      text={t('Who changed what in the portal, with a key or on the command line. Entries are kept for 400 days and cannot be edited.')}
      filters={
        <Group gap="sm" align="flex-end">
          <AccountSelect
            label={t('Account')}
            placeholder={t('All accounts')}
            value={search.account_id ?? null}
            onChange={(chosen) => narrow({ account_id: chosen ?? undefined })}
          />
          <Select
            label={t('What')}
            placeholder={t('All changes')}
            data={choices()}
            value={search.action ?? null}
            onChange={(action) => narrow({ action: action ?? undefined })}
            clearable
            comboboxProps={{ withinPortal: false }}
            clearButtonProps={{ 'aria-label': t('All changes') }}
            searchable
            nothingFoundMessage={t('Nothing matches')}
            w={220}
          />
          <SearchField
            value={search.name ?? ''}
            label={t('To what')}
            labelled
            placeholder={t('Start of a name, also a deleted one')}
            onChange={(name) => narrow({ name }, { typing: true })}
          />
          <SearchField
            value={search.actor ?? ''}
            label={t('Who')}
            labelled
            placeholder={t('Whole e-mail address, or start of a key')}
            onChange={(actor) => narrow({ actor }, { typing: true })}
          />
          {/* Days of UTC, as the server counts days. */}
          <Group gap="sm" wrap="nowrap" align="flex-end">
            <DayField w={160} label={t('From')} value={search.from ?? ''} onChange={(from) => narrow({ from })} />
            <DayField w={160} label={t('Before')} value={search.to ?? ''} onChange={(to) => narrow({ to })} />
          </Group>
        </Group>
      }
      loading={<AuditLoading rows={8} />}
      none={
        <EmptyState
          icon={<IconHistory size={28} />}
          title={t('No changes')}
          text={t('Every change to accounts, plans, people, keys and numbers will be listed here.')}
        />
      }
      nothingFits={t('No change matches.')}
    >
      {(entries) => <AuditList entries={entries} accounts administers names={names} />}
    </ListPage>
  );
}

/** Each kind of object, with what can be done to it. */
const choices = () =>
  kinds().flatMap((kind) => [
    kind,
    ...actions.filter((action) => action.startsWith(`${kind.value}.`)).map((value) => ({ value, label: actionName(value) ?? value })),
  ]);

/** What stands before the dot of an action. */
const kinds = () => [
  { value: 'account', label: t('Accounts') },
  { value: 'number', label: t('Numbers') },
  { value: 'key', label: t('API keys') },
  { value: 'user', label: t('People') },
  { value: 'plan', label: t('Plans') },
  { value: 'provider', label: t('Providers') },
  { value: 'alert', label: t('Alerts') },
];
