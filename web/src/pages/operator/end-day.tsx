import { CloseButton, type TextInputProps } from '@mantine/core';
import { t } from '../../language/language.ts';
import { DayField } from '../../parts/time/day-field.tsx';
import { endInWords, endOf } from './days.ts';

interface EndDayProps extends Omit<TextInputProps, 'value' | 'onChange' | 'max'> {
  readonly label: string;
  /** What an empty field means: "The plan has no end." */
  readonly none: string;
  /** The end as it is stored, ISO 8601; null: none. */
  readonly before: string | null;
  /** YYYY-MM-DD in the person's time zone; empty: no end. */
  readonly value?: string;
  onChange?(day: string): void;
}

/** The day with which something ends: it is over as soon as that day begins where the person is. */
export function EndDay({ none, before, value = '', onChange, ...field }: EndDayProps) {
  const end = endOf(value, before);
  return (
    <DayField
      {...field}
      description={end === null ? none : endInWords(end)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={(day) => onChange?.(day)}
      rightSection={
        value === '' ? null : (
          <CloseButton size="sm" aria-label={t('{{field}}: no end', { field: field.label })} onClick={() => onChange?.('')} />
        )
      }
    />
  );
}
