import { Group, Radio, Stack, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import { WholeNumber } from '../../parts/whole-number.tsx';
import { dayOf, endOf } from './days.ts';
import { EndDay } from './end-day.tsx';

/** How far accounts are extended, while it is chosen. */
export interface Extension {
  readonly by: 'day' | 'days';
  /** YYYY-MM-DD in the person's time zone; empty: not chosen. */
  readonly day: string;
  readonly days: number | null;
}

export const noExtension: Extension = { by: 'day', day: '', days: null };

/** The extension as the server takes it; null while it is not chosen. */
export function extensionOf({ by, day, days }: Extension): { readonly until: string } | { readonly days: number } | null {
  if (by === 'days') return days === null ? null : { days };
  const until = endOf(day, null);
  return until === null || isOver(day) ? null : { until };
}

const isOver = (day: string) => day !== '' && day <= dayOf(new Date().toISOString());

interface ExtendFieldsProps {
  readonly value: Extension;
  onChange(value: Extension): void;
}

/** To which day, or by how many days, plan and access are extended. */
export function ExtendFields({ value, onChange }: ExtendFieldsProps) {
  return (
    <Stack gap="sm">
      <Radio.Group label={t('Extend')} value={value.by} onChange={(by) => onChange({ ...value, by: by === 'days' ? 'days' : 'day' })}>
        <Group mt={6}>
          <Radio value="day" label={t('to a day')} data-autofocus />
          <Radio value="days" label={t('by days')} />
        </Group>
      </Radio.Group>
      {value.by === 'day' ? (
        <EndDay
          label={t('Plan and access end')}
          none={t('Choose a day.')}
          before={null}
          value={value.day}
          onChange={(day) => onChange({ ...value, day })}
          error={isOver(value.day) ? t('Choose a day after today.') : null}
        />
      ) : (
        <WholeNumber
          label={t('Days')}
          min={1}
          max={3650}
          value={value.days}
          onChange={(days) => onChange({ ...value, days: days === 0 ? null : days })}
        />
      )}
      <Text size="sm" c="dimmed">
        {value.by === 'day'
          ? t('Each account keeps its plan. What ends later than that or has no end stays as it is.')
          : t(
              'Each account keeps its plan. The days, of 24 hours, are added to what is left, or to now where it is over. What has no end stays as it is.',
            )}
      </Text>
    </Stack>
  );
}
