import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { UsageView } from '../../../../src/portal/wire/index.ts';
import { count } from './limits.tsx';
import { shownDay } from './period.ts';

/** The period in four figures. */
export function Totals({ usage }: { readonly usage: UsageView }) {
  const { days, totals } = usage;
  const busiest = days.reduce((most, day) => (day.sends > most.sends ? day : most), { day: '', sends: 0 });
  const perDay = days.length === 0 ? 0 : totals.sends / days.length;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure name="Messages sent" value={count(totals.sends)} text="Accepted for delivery." />
      <Figure
        name="A day, on average"
        value={
          perDay >= 10 || Number.isInteger(perDay)
            ? count(Math.round(perDay))
            : perDay.toLocaleString(undefined, { maximumFractionDigits: 1 })
        }
        text={`Over ${days.length === 1 ? 'one day' : `${count(days.length)} days`}.`}
      />
      <Figure
        name="Busiest day"
        value={busiest.sends === 0 ? '–' : shownDay(busiest.day, { year: false })}
        text={busiest.sends === 0 ? 'Nothing was sent.' : `${count(busiest.sends)} messages.`}
      />
      <Figure name="Number-days" value={count(totals.number_days)} text="Each number counts once on a day it is connected." />
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
