import { Text } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import type { HomeDay } from '../../../../src/portal/wire/home.ts';
import { shownCount, t } from '../../language/language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { Folded } from '../../parts/folded.tsx';
import { FiguresTable } from '../../parts/late-figures-table.ts';
import { shownDay } from '../../parts/shown-moment.ts';
import { LinesCard } from './lines-card.tsx';
import classes from './sends-card.module.css';

/** The page with what was used on a day. */
export type DayLink = (days: { readonly from: string; readonly to: string }) => LinkProps;

interface NumbersCardProps {
  readonly level: 2 | 3;
  readonly days: readonly HomeDay[];
  readonly link: DayLink;
}

/** How many numbers were connected on each of the last 30 days. Nothing where none was. */
export function NumbersCard({ level, days, link }: NumbersCardProps) {
  if (days.every(({ numbers }) => numbers === 0)) return null;
  return (
    <LinesCard title={t('Numbers connected')} level={level} groups={[]}>
      <div className={classes.sends}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('How many were connected on each day. Days begin at midnight UTC.')}
        </Text>
        <Chart
          label={t('Numbers connected')}
          height={180}
          series={[{ key: 'numbers', name: t('Numbers'), colour: 'blue.5' }]}
          points={days.map(({ day, numbers }) => ({
            name: shownDay(day, { year: true }),
            short: shownDay(day, { year: false }),
            values: { numbers },
            link: link({ from: day, to: day }),
          }))}
          inWords={(count) => t('{{count}} numbers.', { count, defaultValue_one: '{{count}} number.' })}
        />
        <Folded label={t('Every day as a table')}>
          <FiguresTable
            label={t('Numbers connected')}
            heads={[t('Day'), t('Numbers')]}
            rows={days.toReversed().map(({ day, numbers }) => ({
              key: day,
              name: shownDay(day, { year: true }),
              figures: [shownCount(numbers)],
            }))}
          />
        </Folded>
      </div>
    </LinesCard>
  );
}
