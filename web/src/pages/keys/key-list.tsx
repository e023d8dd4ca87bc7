import { Anchor, Badge, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KeyView, ListView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { keyName, keysPath } from '../../parts/keys/keys.ts';
import { ChoiceBar } from '../../parts/list/choice-bar.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { type ListSearch, useChosen, useListAddress } from '../../parts/list/use-list.ts';
import { Moment } from '../../parts/moment.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { ShownId } from '../../parts/shown-id.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useAccountId } from '../../session/session.ts';
import { RevokeKeysAction } from './revoke-keys-action.tsx';

interface KeyListProps {
  readonly page: ListView<KeyView>;
  /** As the page's address says it, with what it is without saying so. */
  readonly search: ListSearch;
  onRevoke(key: KeyView): void;
}

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'label', label: t('By name') },
  { value: '-used', label: t('Last used first') },
];

/** A page of the account's keys. A key itself is never listed: it is shown once, when it is made. */
export function KeyList({ page, search, onRevoke }: KeyListProps) {
  const accountId = useAccountId();
  const address = useListAddress(search);
  const choice = useChosen(search);
  const order = { sort: search.sort ?? '-created', onSort: (sort: string) => address.narrow({ sort }) };
  if (page.rows.length === 0)
    return <NothingFits>{search.state === 'revoked' ? t('No key was revoked.') : t('No key is in use.')}</NothingFits>;
  return (
    <>
      <ListTools
        count={t('{{count}} keys', { count: page.total ?? 0, defaultValue_one: '{{count}} key' })}
        path={keysPath}
        search={search}
        orders={{ value: order.sort, sorts: orders(), onSort: order.onSort }}
      />
      <ChoiceBar choice={choice} path={keysPath} search={search} total={page.total} account={accountId}>
        <RevokeKeysAction ids={[...choice.chosen]} account={accountId} onDone={choice.clear} />
      </ChoiceBar>
      <RecordTable
        label={t('API keys')}
        rows={page.rows}
        keyOf={({ key_id }) => key_id}
        order={order}
        choice={{ ...choice, nameOf: (key: KeyView) => keyName(key) }}
        columns={[
          { label: t('Name'), long: true, sort: 'label', cell: (key) => <Name apiKey={key} /> },
          {
            label: t('Begins with'),
            cell: (key) => <ShownId id={key.prefix} short={`${key.prefix}…`} label={t('beginning of {{name}}', { name: keyName(key) })} />,
          },
          { label: t('Created'), sort: 'created', cell: ({ created_at }) => <Moment at={created_at} size="sm" /> },
          { label: t('Last used'), sort: 'used', cell: ({ last_used_at }) => <Ago at={last_used_at} none={t('Never')} size="sm" /> },
        ]}
        actions={(key) => <End apiKey={key} onRevoke={onRevoke} />}
      />
      <ListPager page={page} onPage={address.page} />
    </>
  );
}

function Name({ apiKey: { key_id, label, revoked_at } }: { readonly apiKey: KeyView }) {
  return (
    <Anchor
      size="sm"
      fw={600}
      renderRoot={(props) => <Link to="/keys/$keyId" params={{ keyId: key_id }} {...props} />}
      {...(revoked_at === null && label !== null ? {} : { c: 'dimmed' })}
    >
      {label ?? t('No name')}
    </Anchor>
  );
}

function End({ apiKey, onRevoke }: { readonly apiKey: KeyView; onRevoke(key: KeyView): void }) {
  if (apiKey.revoked_at !== null) {
    return (
      <Group gap={8} wrap="nowrap" justify="flex-end">
        <Badge variant="light" color="gray" autoContrast>
          {t('Revoked')}
        </Badge>
        <Moment at={apiKey.revoked_at} day size="xs" c="dimmed" />
      </Group>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => onRevoke(apiKey)}
      aria-label={t('Revoke {{name}}', { name: keyName(apiKey) })}
    >
      {t('Revoke')}
    </Button>
  );
}
