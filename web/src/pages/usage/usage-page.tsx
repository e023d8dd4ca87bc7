import { Button, Paper, SimpleGrid, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { UsageView } from '../../../../src/portal/wire/account.ts';
import { addressOf } from '../../api/address.ts';
import { call } from '../../api/client.ts';
import { accountKey, kindsQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { shownDay } from '../../parts/shown-moment.ts';
import { useAccountId } from '../../session/session.ts';
import { kindColours } from './kind-colours.ts';
import { Limits } from './limits.tsx';
import { type Period, periodOf, type UsageSearch } from './period.ts';
import { PeriodChooser } from './period-chooser.tsx';
import { Totals } from './totals.tsx';
import classes from './usage.module.css';
import { UsageChart } from './usage-chart.tsx';
import { DayTable, KindTable } from './usage-tables.tsx';

/** What the account used in a period, and its present use of its limits. */
export default function UsagePage() {
  const search = useSearch({ from: '/signed-in/of-account/usage' });
  const navigate = useNavigate({ from: '/usage' });
  const accountId = useAccountId();
  const period = periodOf(search, Date.now());
  const query = useQuery({
    queryKey: accountKey(accountId, 'usage', period.from, period.to),
    queryFn: ({ signal }) => call('GET /portal/api/usage', { query: { ...period }, account: accountId, signal }),
    placeholderData: keepPreviousData,
  });
  const change = (next: UsageSearch) => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title={t('Usage')} text={t('What was sent, and how many numbers were connected. Days begin at midnight UTC.')}>
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          href={csvAddress(period, accountId)}
          download
        >
          {t('Download as CSV')}
        </Button>
      </PageHeader>
      <PeriodChooser search={search} onChange={change} />
      <Answered query={query} loading={<Loading />}>
        {(usage) => (
          <Stack gap="md" className={query.isPlaceholderData ? classes.outdated : undefined} aria-busy={query.isPlaceholderData}>
            <Totals usage={usage} />
            <Limits limits={usage.limits} />
            <Days usage={usage} />
          </Stack>
        )}
      </Answered>
    </>
  );
}

function Days({ usage }: { readonly usage: UsageView }) {
  const { data: all = [] } = useQuery(kindsQuery);
  const kinds = kindColours(all, usage.totals.by_type);
  return (
    <>
      <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="per-day">
        <Title order={2} size="h5" id="per-day">
          {t('Messages per day')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('{{from}} to {{to}}', { from: shownDay(usage.from, { year: true }), to: shownDay(usage.to, { year: true }) })}
          <VisuallyHidden> {t('A chart; “Every day as a table” says the same in figures.')}</VisuallyHidden>
        </Text>
        <UsageChart usage={usage} />
      </Paper>
      {kinds.length > 0 && <KindTable kinds={kinds} usage={usage} />}
      <DayTable kinds={kinds} usage={usage} />
    </>
  );
}

function Loading() {
  return (
    <Stack gap="md" role="status" aria-label={t('Loading the usage')}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {[0, 1, 2, 3].map((figure) => (
          <Skeleton key={figure} h={110} radius="lg" />
        ))}
      </SimpleGrid>
      <Skeleton h={120} radius="lg" />
      <Skeleton h={370} radius="lg" />
    </Stack>
  );
}

/** A link cannot set headers, so the account is in the address. */
function csvAddress(period: Period, accountId: string): string {
  return addressOf('/portal/api/usage.csv', {}, { ...period, account_id: accountId });
}
