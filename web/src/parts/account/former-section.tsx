import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormerView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { FailureAlert } from '../failure-alert.tsx';
import { RecordTable } from '../record-table.tsx';
import { Section } from '../section.tsx';
import { Ago } from '../time/ago.tsx';
import { useChange } from '../use-change.ts';

/** What an account has from its former provider's people, to keep or to end; nothing where there is none. */
export function FormerSection({ accountId }: { readonly accountId: string }) {
  const { data, error } = useQuery({
    queryKey: accountKey(accountId, 'former'),
    queryFn: async ({ signal }) => (await call('GET /portal/api/account/former', { account: accountId, signal })).former,
  });
  const decide = useChange(
    ({ kind, id, keep }: Pick<FormerView, 'kind' | 'id'> & { readonly keep: boolean }) =>
      call('POST /portal/api/account/former', { account: accountId, body: { kind, id, keep } }),
    { said: (_, { keep }) => (keep ? t('It is kept.') : t('It is ended.')) },
  );
  if (error !== null) return <FailureAlert error={error} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <Section title={t('From the former provider')}>
      <Text size="sm" c="dimmed" maw={720}>
        {t('People of the provider that this account belonged to before made or changed these. Keep what you know, and end the rest.')}
      </Text>
      <FailureAlert error={decide.error} />
      <RecordTable<FormerView>
        label={t('From the former provider')}
        rows={data}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        columns={[
          { label: t('What'), cell: (one) => nameOf(one), long: true },
          { label: t('By'), cell: ({ made_by }) => made_by ?? t('Unknown'), long: true },
          { label: t('When'), cell: ({ made_at }) => <Ago at={made_at} size="sm" /> },
        ]}
        actions={({ kind, id }) => (
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" size="xs" disabled={decide.isPending} onClick={() => decide.mutate({ kind, id, keep: true })}>
              {t('Keep')}
            </Button>
            <Button
              color="red"
              variant="light"
              size="xs"
              disabled={decide.isPending}
              onClick={() => decide.mutate({ kind, id, keep: false })}
            >
              {t('End')}
            </Button>
          </Group>
        )}
      />
    </Section>
  );
}

function nameOf({ kind, name }: FormerView): string {
  switch (kind) {
    case 'key':
      return t('API key {{name}}', { name });
    case 'alert':
      return t('Alerts to {{name}}', { name });
    case 'note':
      return t('Note about the account');
  }
}
