import '@mantine/charts/styles.css';
import { BarChart, ChartTooltip } from '@mantine/charts';
import type { UsageDay } from '../../../../src/portal/wire/index.ts';
import type { KindColour } from './kind-colours.ts';
import { shownDay } from './period.ts';

interface DayChartProps {
  readonly days: readonly UsageDay[];
  readonly kinds: readonly KindColour[];
}

/** A bar per day, stacked by kind. Loaded by itself, because its library is larger than the rest of the page. */
export default function DayChart({ days, kinds }: DayChartProps) {
  const series = kinds.map(({ type, name, colour }) => ({ name: type, label: name, color: colour }));
  return (
    <BarChart
      h={280}
      data={days.map(({ day, by_type }) => ({ day: shownDay(day, { year: false }), ...by_type }))}
      dataKey="day"
      type="stacked"
      series={series}
      maxBarWidth={44}
      tickLine="none"
      // Screen readers get the same figures from the table below.
      accessibilityLayer={false}
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      barProps={{ isAnimationActive: false }}
      tooltipProps={{
        content: ({ label, payload }) => (
          <ChartTooltip label={label} series={series} payload={payload.filter(({ value }) => Number(value) > 0)} />
        ),
      }}
    />
  );
}
