import { CloseButton, TextInput } from '@mantine/core';

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
      description={end === null ? none : inWords(end)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={day}
      max="9999-12-31"
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={day === '' ? null : <CloseButton size="sm" aria-label={`${label}: no end`} onClick={() => onChange('')} />}
    />
  );
}

function inWords(iso: string): string {
  const end = new Date(iso);
  const shown = (date: Date) => date.toLocaleDateString(undefined, { dateStyle: 'medium' });
  if (end.getTime() !== firstMoment(dayOf(iso)).getTime()) {
    return `Over on ${shown(end)} at ${end.toLocaleTimeString(undefined, { timeStyle: 'short' })} (${zone()}).`;
  }
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  return `Last day: ${shown(last)}. It is over when ${shown(end)} begins (${zone()}).`;
}

/** The day on which a time lies for the person; empty for none. */
export function dayOf(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end to be stored, ISO 8601 UTC; an end whose day was not touched keeps its time of day. */
export function endOf(day: string, before: string | null): string | null {
  if (day === '') return null;
  return before !== null && day === dayOf(before) ? before : firstMoment(day).toISOString();
}

/** Read without a zone, a time is the person's own. */
function firstMoment(day: string): Date {
  return new Date(`${day}T00:00`);
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
