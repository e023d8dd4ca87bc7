import { Badge, Box, Button, Code, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { KeysView, KeyView } from '../../../../src/portal/wire/index.ts';
import { Moment } from '../../parts/moment.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { keyName } from './keys.ts';

interface KeyListProps extends KeysView {
  onRevoke(key: KeyView): void;
}

/** The account's keys; those that are revoked only when asked for. A key itself is never listed: it is shown once, when it is made. */
export function KeyList({ keys, revoked_total, onRevoke }: KeyListProps) {
  const [all, { toggle }] = useDisclosure(false);
  const inUse = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.length - inUse.length;
  const rows = all ? keys : inUse;
  return (
    <Stack gap="sm" align="flex-start">
      {rows.length === 0 ? (
        <Text size="sm">No key is in use.</Text>
      ) : (
        <Box w="100%">
          <RecordTable
            label="API keys"
            rows={rows}
            keyOf={({ key_id }) => key_id}
            columns={[
              { label: 'Name', cell: (key) => <Name apiKey={key} /> },
              { label: 'Begins with', cell: ({ prefix }) => <Code>{prefix}…</Code> },
              { label: 'Created', cell: ({ created_at }) => <Moment at={created_at} size="sm" /> },
              { label: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="Never" size="sm" /> },
            ]}
            actions={(key) => <End apiKey={key} onRevoke={onRevoke} />}
          />
        </Box>
      )}
      {revoked > 0 && (
        <Button variant="subtle" size="sm" onClick={toggle} aria-expanded={all}>
          {all ? 'Hide revoked keys' : `Show ${revoked} revoked ${revoked === 1 ? 'key' : 'keys'}`}
        </Button>
      )}
      {all && revoked < revoked_total && (
        <Text size="sm" c="dimmed">
          These are the last {revoked} of {revoked_total.toLocaleString()} revoked keys.
        </Text>
      )}
    </Stack>
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
