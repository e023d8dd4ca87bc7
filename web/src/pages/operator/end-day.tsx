import { CloseButton, TextInput } from '@mantine/core';
import { endInWords, endOf } from './days.ts';

interface EndDayProps {
  readonly label: string;
  /** What an empty field means: "The plan has no end." */
  readonly none: string;
  /** YYYY-MM-DD in the person's time zone; empty: no end. */
  readonly day: string;
  /** The end as it is stored, ISO 8601; null: none. */
  readonly before: string | null;
  readonly disabled?: boolean;
  onChange(day: string): void;
}

/** The day with which something ends: it is over as soon as that day begins where the person is. */
export function EndDay({ label, none, day, before, disabled = false, onChange }: EndDayProps) {
  const end = endOf(day, before);
  return (
    <TextInput
      type="date"
      label={label}
      description={end === null ? none : endInWords(end)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={day}
      max="9999-12-31"
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={day === '' ? null : <CloseButton size="sm" aria-label={`${label}: no end`} onClick={() => onChange('')} />}
    />
  );
}
