import { Paper, Text } from '@mantine/core';
import type { NumberDetail } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { Chart } from '../chart/chart.tsx';
import { ChartLegend } from '../chart/chart-legend.tsx';
import { EmptyPanel } from '../empty-panel.tsx';
import { Section } from '../section.tsx';
import { ends } from '../sends/ends.ts';
import { shownDay } from '../shown-moment.ts';

/** How the sends of 30 days ended, a bar for each day. */
export function SendsChart({ sends }: Pick<NumberDetail, 'sends'>) {
  const sum = (key: 'accepted' | 'refused' | 'failed') => sends.reduce((total, day) => total + day[key], 0);
  const series = ends.map(({ end, name, colour }) => ({ key: end, name, colour }));
  const counts = { sent: sum('accepted'), refused: sum('refused'), failed: sum('failed') };
  return (
    <Section title={t('Sends of the last 30 days')}>
      {counts.sent + counts.refused + counts.failed === 0 ? (
        <EmptyPanel>{t('None in the last 30 days')}</EmptyPanel>
      ) : (
        <Paper withBorder radius="lg" p="md">
          <Text size="sm" c="dimmed" mb="md">
            {t('{{sent}} sent, {{refused}} refused, {{failed}} failed. Days begin at midnight UTC.', counts)}
          </Text>
          <Chart
            label={t('Sends per day')}
            series={series}
            points={sends.map(({ day, ...values }) => ({
              name: shownDay(day, { year: true }),
              short: shownDay(day, { year: false }),
              values,
            }))}
            inWords={(count) => t('{{count}} sends.', { count, defaultValue_one: '{{count}} send.' })}
          />
          <ChartLegend series={series} />
        </Paper>
      )}
    </Section>
  );
}
