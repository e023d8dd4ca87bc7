import { Center, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UsageView } from '../../../../src/portal/wire/account.ts';
import { kindsQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { ChartLegend } from '../../parts/chart/chart-legend.tsx';
import { shownDay } from '../../parts/shown-moment.ts';
import { kindColours } from './kind-colours.ts';

interface UsageChartProps {
  readonly usage: UsageView;
  /** Where no table of the kinds below tells their colours. */
  readonly legend?: boolean;
}

export function UsageChart({ usage: { days, totals }, legend = false }: UsageChartProps) {
  const { data: kinds } = useQuery(kindsQuery);
  if (totals.sends === 0)
    return (
      <Center h={280}>
        <Text c="dimmed">{t('Nothing was sent in this period.')}</Text>
      </Center>
    );
  if (kinds === undefined) return <Skeleton h={280} />;
  const series = kindColours(kinds, totals.by_type).map(({ type, ...kind }) => ({ key: type, ...kind }));
  return (
    <>
      <Chart
        label={t('Messages per day')}
        series={series}
        points={days.map(({ day, by_type }) => ({
          name: shownDay(day, { year: true }),
          short: shownDay(day, { year: false }),
          values: by_type,
        }))}
        inWords={(count) => t('{{count}} messages.', { count, defaultValue_one: '{{count}} message.' })}
      />
      {legend && <ChartLegend series={series} />}
    </>
  );
}
