import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { AuditPages } from '../../parts/audit/audit-pages.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useListAddress, withoutPage } from '../../parts/list/use-list.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { AccountSelect } from './place-selects.tsx';
import { auditKey, auditPath, useChangedProviders } from './queries.ts';

/** The audit log of everything the person administers. */
export default function AuditPage() {
  const search = useSearch({ from: '/signed-in/operator/audit' });
  const { narrow, page } = useListAddress(search);
  const audit = useQuery(listQuery<AuditEntry>(auditKey, auditPath, search));
  const names = useChangedProviders(audit.data?.rows);
  const narrowed = Object.keys(withoutPage(search)).length > 0;
  return (
    <>
      <PageHeader
        title={t('Audit log')}
        text={t('Who changed what in the portal, with a key or on the command line. Entries are kept for 400 days and cannot be edited.')}
      />
      <Stack gap="sm">
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
            data={kinds()}
            value={search.action ?? null}
            onChange={(action) => narrow({ action: action ?? undefined })}
            clearable
            comboboxProps={{ withinPortal: false }}
            clearButtonProps={{ 'aria-label': t('All changes') }}
            w={170}
          />
          <SearchField
            value={search.actor ?? ''}
            label={t('Who')}
            placeholder={t('Whole e-mail address, or start of a key')}
            onChange={(actor) => narrow({ actor }, { typing: true })}
          />
          <DayInput label={t('From')} value={search.from} onChange={(from) => narrow({ from })} />
          <DayInput label={t('Before')} value={search.to} onChange={(to) => narrow({ to })} />
        </Group>
        <ListTools count="" path={auditPath} search={search} />
        <AuditPages
          query={audit}
          none={{ title: t('No changes'), text: t('Every change to accounts, plans, people, keys and numbers will be listed here.') }}
          nothingFits={narrowed ? t('No change matches.') : undefined}
          accounts
          administers
          names={names}
          onPage={page}
        />
      </Stack>
    </>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(day: string): void;
}

/** A day of UTC, as the server counts days. */
function DayInput({ label, value = '', onChange }: DayInputProps) {
  return (
    <TextInput type="date" label={label} value={value} max="9999-12-31" onChange={(event) => onChange(event.currentTarget.value)} w={160} />
  );
}

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
