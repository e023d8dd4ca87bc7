import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ImportedNumberView } from '../../../../../src/portal/wire/customers.ts';
import { listed, t } from '../../../language/language.ts';
import { Moment } from '../../../parts/moment.tsx';
import { shownNumber } from '../../../parts/phone-number.ts';
import { RecordTable } from '../../../parts/record-table.tsx';

/** What was found of each number, what of it is taken, and what becomes or became of it. */
export function ImportTable({ numbers }: { readonly numbers: readonly ImportedNumberView[] }) {
  return (
    <RecordTable
      label={t('Numbers that were found')}
      rows={numbers}
      keyOf={({ source }) => source}
      columns={[
        { label: t('Found as'), name: true, long: true, cell: ({ source }) => source },
        { label: t('Number'), cell: (number) => <FoundNumber number={number} /> },
        { label: t('Linked'), cell: ({ linked_at }) => <Moment at={linked_at} day size="sm" /> },
        { label: t('Last used'), cell: ({ used_at }) => <Moment at={used_at} day size="sm" /> },
        { label: t('Taken'), long: true, cell: ({ taken }) => <Text size="sm">{taken === null ? '–' : takenText(taken)}</Text> },
        { label: t('Not taken'), long: true, cell: ({ not_taken }) => <Text size="sm">{leftText(not_taken)}</Text> },
        { label: t('Result'), long: true, cell: (number) => <Result number={number} /> },
      ]}
    />
  );
}

function FoundNumber({ number: { phone_number, lid, platform } }: { readonly number: ImportedNumberView }) {
  if (phone_number === null) return '–';
  return (
    <Stack gap={0}>
      <Text size="sm">{shownNumber(phone_number)}</Text>
      {lid !== null && (
        <Text size="xs" c="dimmed">
          {t('LID {{lid}}', { lid })}
        </Text>
      )}
      {platform !== null && (
        <Text size="xs" c="dimmed">
          {platform}
        </Text>
      )}
    </Stack>
  );
}

function Result({ number: { instance_id, problem, label } }: { readonly number: ImportedNumberView }) {
  if (problem !== null) {
    return (
      <Stack gap={4} align="flex-start">
        <Badge color="red" variant="light">
          {t('Not taken')}
        </Badge>
        <Text size="sm" lang="en">
          {problem}
        </Text>
      </Stack>
    );
  }
  if (instance_id === null) {
    return (
      <Badge color="teal" variant="light">
        {t('Can be imported')}
      </Badge>
    );
  }
  return (
    <Anchor renderRoot={(props) => <Link to="/operator/numbers/$instanceId" params={{ instanceId: instance_id }} {...props} />} size="sm">
      {label ?? t('Imported')}
    </Anchor>
  );
}

function takenText(taken: NonNullable<ImportedNumberView['taken']>): string {
  return listed([
    t('identity'),
    t('{{count}} one-time keys', { count: taken['pre-key'], defaultValue_one: '{{count}} one-time key' }),
    t('{{count}} Signal sessions', { count: taken.session, defaultValue_one: '{{count}} Signal session' }),
    t('{{count}} tokens', { count: taken.tctoken, defaultValue_one: '{{count}} token' }),
    // Each is kept in both directions.
    t('{{count}} LIDs', { count: Math.floor(taken['lid-mapping'] / 2), defaultValue_one: '{{count}} LID' }),
    t('{{count}} app-state keys', { count: taken['app-state-sync-key'], defaultValue_one: '{{count}} app-state key' }),
  ]);
}

function leftText(left: ImportedNumberView['not_taken']): string {
  const { sessions, groupKeys, unreadable } = left ?? { sessions: 0, groupKeys: 0, unreadable: 0 };
  const parts = [
    ...(sessions > 0
      ? [
          t('{{count}} Signal sessions, which begin anew', {
            count: sessions,
            defaultValue_one: '{{count}} Signal session, which begins anew',
          }),
        ]
      : []),
    ...(groupKeys > 0 ? [t('{{count}} group keys', { count: groupKeys, defaultValue_one: '{{count}} group key' })] : []),
    ...(unreadable > 0 ? [t('{{count}} unreadable values', { count: unreadable, defaultValue_one: '{{count}} unreadable value' })] : []),
  ];
  return parts.length === 0 ? '–' : listed(parts);
}
