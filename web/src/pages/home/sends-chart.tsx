import { Chip, ColorSwatch, Group, getThemeColor, Text, useMantineTheme } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import type { HomeHour, HomeSends } from '../../../../src/portal/wire/home.ts';
import { shownCount, t } from '../../language/language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { Folded } from '../../parts/folded.tsx';
import { FiguresTable } from '../../parts/late-figures-table.ts';
import { ends } from '../../parts/sends/ends.ts';
import { shownHour, shownHourStart, shownTime } from '../../parts/shown-moment.ts';
import classes from './sends-card.module.css';

/** The page with the sends of an hour, or with those of them that ended so. */
export type HourLink = (hour: { readonly hour: string; readonly outcome?: string }) => LinkProps;

interface SendsChartProps {
  readonly sends: HomeSends;
  readonly hours: readonly HomeHour[];
  readonly link: HourLink;
}

/** How the sends of each hour ended, beside those of the week before; all together, or those that ended in one way. */
export function SendsChart({ sends, hours, link }: SendsChartProps) {
  const theme = useMantineTheme();
  const [chosen, setChosen] = useState('');
  const shown = ends.filter(({ outcome }) => chosen === '' || outcome === chosen);
  const sumOf = (counts: HomeSends) => shown.reduce((sum, { end }) => sum + counts[end], 0);
  const before = { key: 'before', name: t('Same hour of the week before'), colour: 'var(--mantine-color-text)' };
  return (
    <>
      <Chip.Group value={chosen} onChange={setChosen}>
        <Group gap="xs" my="sm" role="radiogroup" aria-label={t('Outcome')}>
          <Chip size="xs" radius="md" variant="outline" value="">
            {t('All')}
          </Chip>
          {ends.map(({ end, outcome, name, colour }) => (
            <Chip key={outcome} size="xs" radius="md" variant="outline" value={outcome}>
              <Group component="span" gap={6} wrap="nowrap" display="inline-flex">
                <ColorSwatch component="span" size={10} color={getThemeColor(colour, theme)} withShadow={false} aria-hidden />
                {name} <b>{shownCount(sends[end])}</b>
              </Group>
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Chart
        label={t('Sends per hour')}
        height={180}
        series={shown.map(({ end, name, colour }) => ({ key: end, name, colour }))}
        against={before}
        points={hours.map((hour) => ({
          name: shownHour(hour.at),
          short: shownTime(hour.at),
          values: { ...hour.sends, before: sumOf(hour.week_before) },
          ...(sumOf(hour.sends) > 0 ? { link: link({ hour: hour.at, ...(chosen === '' ? {} : { outcome: chosen }) }) } : {}),
        }))}
        inWords={(count) => t('{{count}} sends.', { count, defaultValue_one: '{{count}} send.' })}
      />
      <Text size="xs" c="dimmed" mb="xs" className={classes.before}>
        {before.name}
      </Text>
      <Folded label={t('Every hour as a table')}>
        <FiguresTable
          label={t('Sends per hour')}
          dense
          heads={[t('Hour'), ...shown.map(({ name }) => name)]}
          rows={hours.toReversed().map(({ at, sends: counts, week_before }) => ({
            key: at,
            name: (
              <>
                {shownHourStart(at)}
                <Text size="xs" c="dimmed">
                  {t('{{before}} a week before', { before: sumOf(week_before) })}
                </Text>
              </>
            ),
            figures: shown.map(({ end }) => shownCount(counts[end])),
          }))}
        />
      </Folded>
    </>
  );
}
