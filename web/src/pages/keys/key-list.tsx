import { Badge, Button, Code, Text } from '@mantine/core';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { Moment } from '../../parts/moment.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { keyName } from './keys.ts';

interface KeyListProps {
  readonly keys: readonly KeyView[];
  onRevoke(key: KeyView): void;
}

/** The account's keys. A key itself is never listed: it is shown once, when it is made. */
export function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <RecordTable
      label="API keys"
      rows={keys}
      keyOf={({ key_id }) => key_id}
      columns={[
        { label: 'Name', cell: (key) => <Name apiKey={key} /> },
        { label: 'Begins with', cell: ({ prefix }) => <Code>{prefix}…</Code> },
        { label: 'Created', cell: ({ created_at }) => <Moment at={created_at} size="sm" /> },
        { label: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="Never" size="sm" /> },
      ]}
      actions={(key) => <End apiKey={key} onRevoke={onRevoke} />}
    />
  );
}

function Name({ apiKey: { label, revoked_at } }: { readonly apiKey: KeyView }) {
  return (
    <Text size="sm" fw={600} {...(revoked_at === null && label !== null ? {} : { c: 'dimmed' })}>
      {label ?? 'No name'}
    </Text>
  );
}

function End({ apiKey, onRevoke }: { readonly apiKey: KeyView; onRevoke(key: KeyView): void }) {
  if (apiKey.revoked_at !== null) {
    return (
      <>
        <Badge variant="light" color="gray" autoContrast>
          Revoked
        </Badge>
        <Moment at={apiKey.revoked_at} day size="xs" c="dimmed" />
      </>
    );
  }
  return (
    <Button variant="default" size="xs" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${keyName(apiKey)}`}>
      Revoke
    </Button>
  );
}
