import { Anchor, Badge, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KeyView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { keyName } from '../../parts/keys/keys.ts';
import type { List } from '../../parts/list/use-list.ts';
import { Moment } from '../../parts/moment.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { ShownId } from '../../parts/shown-id.tsx';
import { Ago } from '../../parts/time/ago.tsx';

interface KeyTableProps extends Pick<List<KeyView>, 'order' | 'choice'> {
  readonly keys: readonly KeyView[];
  onRevoke(key: KeyView): void;
}

/** A page of the account's keys. A key itself is never listed: it is shown once, when it is made. */
export function KeyTable({ keys, order, choice, onRevoke }: KeyTableProps) {
  return (
    <RecordTable
      label={t('API keys')}
      rows={keys}
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
  );
}

function Name({ apiKey: { key_id, label, revoked_at } }: { readonly apiKey: KeyView }) {
  return (
    <Anchor
      size="sm"
      fw={600}
      // The table cuts what is longer than its column.
      title={label ?? undefined}
      renderRoot={(props) => <Link to="/keys/$keyId" params={{ keyId: key_id }} {...props} />}
      {...(revoked_at === null ? {} : { c: 'dimmed' })}
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
    <Button variant="default" size="xs" onClick={() => onRevoke(apiKey)} aria-label={t('Revoke {{name}}', { name: keyName(apiKey) })}>
      {t('Revoke')}
    </Button>
  );
}
