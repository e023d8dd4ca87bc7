import { Button, Paper, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyPanel } from '../../parts/empty-panel.tsx';
import { Section } from '../../parts/section.tsx';
import { UsageChart } from '../usage/usage-chart.tsx';

/** The accepted sends of an account's last 30 days, with the way to what it used before. */
export function AccountSends({ accountId }: { readonly accountId: string }) {
  const usage = useQuery({
    queryKey: accountKey(accountId, 'usage', 'last-days'),
    queryFn: ({ signal }) => call('GET /portal/api/usage', { account: accountId, signal }),
  });
  return (
    <Section
      title={t('Sends of the last 30 days')}
      actions={
        <Button
          renderRoot={(props) => <Link to="/operator/usage" search={{ search: accountId }} {...props} />}
          variant="subtle"
          size="compact-sm"
        >
          {t('Usage by month')}
        </Button>
      }
    >
      <Answered query={usage} loading={<Skeleton h={300} radius="lg" />}>
        {(found) =>
          found.totals.sends === 0 ? (
            <EmptyPanel>{t('Nothing was sent.')}</EmptyPanel>
          ) : (
            <Paper withBorder radius="lg" p="md">
              <UsageChart usage={found} legend />
            </Paper>
          )
        }
      </Answered>
    </Section>
  );
}
