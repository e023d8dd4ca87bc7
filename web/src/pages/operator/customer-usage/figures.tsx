import { Paper, Table, Text } from '@mantine/core';
import type { CustomersUsage } from '../../../../../src/portal/wire/index.ts';
import { locale, shownCount, t } from '../../../language/language.ts';

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
    <Paper withBorder radius="lg" py={4}>
      <Table aria-label={t('Usage by month')} horizontalSpacing="md" verticalSpacing={6} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            {[t('Month'), t('Messages'), t('Number-days')].map((head, place) => (
              <Table.Th key={head} scope="col" ta={place === 0 ? 'left' : 'right'} c="dimmed" fw={500}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map(({ month, sends, number_days }) => (
            <Table.Tr key={month}>
              <Table.Th scope="row" fw={400}>
                {new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' })}
              </Table.Th>
              <Table.Td ta="right">{shownCount(sends)}</Table.Td>
              <Table.Td ta="right">{shownCount(number_days)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
