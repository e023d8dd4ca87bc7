import { Paper, Text } from '@mantine/core';
import type { CustomersUsage } from '../../../../../src/portal/wire/customers.ts';
import { locale, shownCount, t } from '../../../language/language.ts';
import { FiguresTable } from '../../../parts/figures-table.tsx';

/** One sum. */
export function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <Paper withBorder radius="lg" p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {shownCount(value)}
      </Text>
    </Paper>
  );
}

/** All accounts together, month by month. */
export function MonthTable({ months }: Pick<CustomersUsage, 'months'>) {
  return (
    <FiguresTable
      label={t('Usage by month')}
      heads={[t('Month'), t('Messages'), t('Number-days')]}
      rows={months.map(({ month, sends, number_days }) => ({
        key: month,
        name: new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }),
        figures: [shownCount(sends), shownCount(number_days)],
      }))}
    />
  );
}
