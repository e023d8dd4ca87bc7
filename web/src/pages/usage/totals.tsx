import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { UsageView } from '../../../../src/portal/wire/account.ts';
import { shownCount, t } from '../../language/language.ts';
import { shownDay } from '../../parts/shown-moment.ts';

/** The period in four figures. */
export function Totals({ usage }: { readonly usage: UsageView }) {
  const { days, totals } = usage;
  const busiest = days.reduce((most, day) => (day.sends > most.sends ? day : most), { day: '', sends: 0 });
  const perDay = days.length === 0 ? 0 : totals.sends / days.length;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure name={t('Messages sent')} value={shownCount(totals.sends)} text={t('Accepted for delivery.')} />
      <Figure
        name={t('Daily average')}
        value={shownCount(perDay, perDay >= 10 ? 0 : 1)}
        text={t('Over {{count}} days.', { count: days.length, defaultValue_one: 'Over one day.' })}
      />
      <Figure
        name={t('Busiest day')}
        value={busiest.sends === 0 ? '–' : shownDay(busiest.day, { year: false })}
        text={
          busiest.sends === 0
            ? t('Nothing was sent.')
            : t('{{count}} messages.', { count: busiest.sends, defaultValue_one: '{{count}} message.' })
        }
      />
      <Figure
        name={t('Number-days')}
        value={shownCount(totals.number_days)}
        text={t('Each number counts once for every day it is connected.')}
      />
    </SimpleGrid>
  );
}

function Figure({ name, value, text }: { readonly name: string; readonly value: string; readonly text: string }) {
  return (
    <Paper withBorder radius="lg" p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={26} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Paper>
  );
}
