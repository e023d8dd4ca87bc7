import { Badge, Button, Code, Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { Moment } from '../../parts/moment.tsx';
import { keyName } from './keys.ts';

interface KeyListProps {
  readonly keys: readonly KeyView[];
  onRevoke(key: KeyView): void;
}

/** The keys as a table, on a phone as cards. Never a key itself: it is told once, when it is made. */
export function KeyList(props: KeyListProps) {
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  return narrow ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows({ keys, onRevoke }: KeyListProps) {
  return (
    <Paper withBorder radius="lg">
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="API keys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Begins with</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th w={130}>
              <VisuallyHidden>State</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.key_id}>
              <Table.Th scope="row" fw={600} maw={260}>
                <Name apiKey={key} />
              </Table.Th>
              <Table.Td>
                <Prefix apiKey={key} />
              </Table.Td>
              <Table.Td>
                <Moment at={key.created_at} size="sm" />
              </Table.Td>
              <Table.Td>
                <Moment at={key.last_used_at} none="Never" size="sm" />
              </Table.Td>
              <Table.Td ta="right">
                <End apiKey={key} onRevoke={onRevoke} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Cards({ keys, onRevoke }: KeyListProps) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} aria-label="API keys" style={{ listStyle: 'none' }}>
      {keys.map((key) => (
        <Paper component="li" key={key.key_id} withBorder radius="lg" p="md" aria-label={keyName(key)}>
          <Group justify="space-between" wrap="nowrap" mb="xs">
            <Name apiKey={key} />
            <End apiKey={key} onRevoke={onRevoke} />
          </Group>
          <Stack gap={4}>
            <Prefix apiKey={key} />
            <Fact name="Created" at={key.created_at} />
            <Fact name="Last used" at={key.last_used_at} />
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

function Name({ apiKey }: { readonly apiKey: KeyView }) {
  const { label, revoked_at } = apiKey;
  return (
    <Text fw={600} truncate {...(revoked_at === null && label !== null ? {} : { c: 'dimmed' })} title={label ?? undefined}>
      {label ?? 'No name'}
    </Text>
  );
}

function Prefix({ apiKey }: { readonly apiKey: KeyView }) {
  return <Code style={{ alignSelf: 'flex-start' }}>{apiKey.prefix}…</Code>;
}

function Fact({ name, at }: { readonly name: string; readonly at: string | null }) {
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Moment at={at} none="never" size="sm" />
    </Group>
  );
}

function End({ apiKey, onRevoke }: { readonly apiKey: KeyView; onRevoke(key: KeyView): void }) {
  if (apiKey.revoked_at !== null) {
    return (
      <Stack gap={2} align="flex-end" style={{ flex: 'none' }}>
        <Badge variant="light" color="gray" autoContrast>
          Revoked
        </Badge>
        <Moment at={apiKey.revoked_at} day size="xs" c="dimmed" />
      </Stack>
    );
  }
  return (
    <Button variant="default" size="xs" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${keyName(apiKey)}`} style={{ flex: 'none' }}>
      Revoke
    </Button>
  );
}
