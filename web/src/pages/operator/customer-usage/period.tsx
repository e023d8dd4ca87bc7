import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { locale, t } from '../../../language/language.ts';
import { DayField } from '../../../parts/time/day-field.tsx';
import { type CustomerUsageSearch, daysOf } from './query.ts';

/** How many months can be chosen; days are counted for as long as the gateway runs, and other days can be given. */
const monthsBack = 24;
const own = 'own';
const mostDays = 366;
const dayMs = 24 * 60 * 60 * 1000;

type Days = Pick<CustomerUsageSearch, 'month' | 'from' | 'to'>;

/** Chooses the month, or days of one's own. */
export function Period({ search, onChange }: { readonly search: CustomerUsageSearch; onChange(days: Days): void }) {
  const now = Date.now();
  const days = daysOf(search, now);
  const isOwn = search.from !== undefined && search.to !== undefined;
  return (
    <>
      <Select
        aria-label={t('Month')}
        data={[...months(now), { value: own, label: t('Custom dates') }]}
        value={isOwn ? own : (search.month ?? days.from.slice(0, 7))}
        allowDeselect={false}
        maxDropdownHeight={320}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => chosen !== null && onChange(chosen === own ? days : { month: chosen })}
        w={220}
      />
      {isOwn && <OwnDays days={days} onChange={onChange} />}
    </>
  );
}

function OwnDays({ days, onChange }: { readonly days: { readonly from: string; readonly to: string }; onChange(days: Days): void }) {
  const [written, setWritten] = useState(days);
  const count = (Date.parse(written.to) - Date.parse(written.from)) / dayMs + 1;
  const fits = count >= 1 && count <= mostDays;
  const write = (change: Partial<typeof days>) => {
    const next = { ...written, ...change };
    setWritten(next);
    const length = (Date.parse(next.to) - Date.parse(next.from)) / dayMs + 1;
    if (length >= 1 && length <= mostDays) onChange(next);
  };
  return (
    <Group gap="xs">
      <Group gap="xs" wrap="nowrap">
        <DayField aria-label={t('First day')} value={written.from} error={!fits} onChange={(from) => write({ from })} />
        <Text size="sm">–</Text>
        <DayField aria-label={t('Last day')} value={written.to} error={!fits} onChange={(to) => write({ to })} />
      </Group>
      {!fits && (
        <Text size="xs" c="red" role="alert" w="100%">
          {t('Choose 1 to {{most}} days.', { most: mostDays })}
        </Text>
      )}
    </Group>
  );
}

/** This month and those before it, as people write them. */
function months(now: number): { value: string; label: string }[] {
  const today = new Date(now);
  return Array.from({ length: monthsBack }, (_, back) => {
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
    return {
      value: first.toISOString().slice(0, 7),
      label: first.toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    };
  });
}
