import { Chip, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { DayField } from '../../parts/time/day-field.tsx';
import { type Choice, choiceOf, choices, dayOf, mistakeIn, type Period, periodOf, type UsageSearch } from './period.ts';

interface PeriodChooserProps {
  readonly search: UsageSearch;
  onChange(search: UsageSearch): void;
}

/** Which days are shown. */
export function PeriodChooser({ search, onChange }: PeriodChooserProps) {
  const choice = choiceOf(search);
  const choose = (next: Choice) => {
    // Own dates begin with those that are on the page.
    if (next === 'own') onChange(periodOf(search, Date.now()));
    else onChange(next === 'days' ? {} : { period: next });
  };
  return (
    <Group gap="md" mb="md" align="flex-start">
      <Chip.Group value={choice} onChange={(value) => choose(value as Choice)}>
        <Group gap="xs" role="radiogroup" aria-label={t('Period')} mih={36}>
          {choices.map(({ value, label }) => (
            <Chip key={value} value={value} variant="light">
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {choice === 'own' && <OwnDates period={periodOf(search, Date.now())} onChange={onChange} />}
    </Group>
  );
}

function OwnDates({ period, onChange }: { readonly period: Period; onChange(period: Period): void }) {
  const [written, setWritten] = useState(period);
  const mistake = mistakeIn(written);
  const write = (change: Partial<Period>) => {
    const next = { ...written, ...change };
    setWritten(next);
    if (mistakeIn(next) === null) onChange(next);
  };
  const latest = dayOf(Date.now());
  return (
    <div>
      <Group gap="xs">
        <DayField
          aria-label={t('First day')}
          max={latest}
          value={written.from}
          error={mistake !== null}
          onChange={(from) => write({ from })}
        />
        <Text size="sm">–</Text>
        <DayField aria-label={t('Last day')} max={latest} value={written.to} error={mistake !== null} onChange={(to) => write({ to })} />
      </Group>
      {mistake !== null && (
        <Text size="xs" c="red" mt={4} role="alert">
          {mistake}
        </Text>
      )}
    </div>
  );
}
