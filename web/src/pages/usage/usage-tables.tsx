import { ColorSwatch, Group, getThemeColor, Text, useMantineTheme } from '@mantine/core';
import type { UsageView } from '../../../../src/portal/wire/account.ts';
import { locale, shownCount, t } from '../../language/language.ts';
import { FiguresTable } from '../../parts/figures-table.tsx';
import { Folded } from '../../parts/folded.tsx';
import { shownDay } from '../../parts/shown-moment.ts';
import type { KindColour } from './kind-colours.ts';

interface TableProps {
  /** The kinds that occur, each with its colour. */
  readonly kinds: readonly KindColour[];
  readonly usage: UsageView;
}

/** The count of each kind; also the legend of the chart. */
export function KindTable({ kinds, usage: { totals } }: TableProps) {
  const theme = useMantineTheme();
  const sendsOf = (type: string) => totals.by_type[type] ?? 0;
  return (
    <FiguresTable
      label={t('Messages by kind')}
      heads={[t('Kind'), t('Messages'), t('Share')]}
      rows={kinds
        .toSorted((one, other) => sendsOf(other.type) - sendsOf(one.type))
        .map(({ type, name, colour }) => ({
          key: type,
          name: (
            <Group gap="xs" wrap="nowrap">
              <ColorSwatch size={14} radius="sm" color={getThemeColor(colour, theme)} withShadow={false} aria-hidden />
              {name}
            </Group>
          ),
          figures: [shownCount(sendsOf(type)), shareOf(sendsOf(type), totals.sends)],
        }))}
    />
  );
}

/** The figures of the chart as a table, folded by default. */
export function DayTable({ kinds, usage }: TableProps) {
  return (
    <Folded label={t('Every day as a table')}>
      <FiguresTable
        label={t('Usage by day')}
        heads={[t('Day'), t('Messages'), t('Number-days')]}
        rows={usage.days.toReversed().map(({ day, by_type, sends, number_days }) => ({
          key: day,
          name: (
            <>
              {shownDay(day, { year: true })}
              <Text size="xs" c="dimmed">
                {kinds
                  .flatMap(({ type, name }) => (by_type[type] === undefined ? [] : [`${name} ${shownCount(by_type[type])}`]))
                  .join(', ')}
              </Text>
            </>
          ),
          figures: [shownCount(sends), shownCount(number_days)],
        }))}
      />
    </Folded>
  );
}

function shareOf(part: number, whole: number): string {
  const percent = new Intl.NumberFormat(locale(), { style: 'percent' });
  const share = whole === 0 ? 0 : part / whole;
  return share > 0 && share < 0.01 ? `< ${percent.format(0.01)}` : percent.format(share);
}
