import { Button, Group, TextInput } from '@mantine/core';

interface EndDayProps {
  readonly label: string;
  /** What an empty field means: "The plan has no end." */
  readonly none: string;
  /** YYYY-MM-DD in the person's time zone; empty: no end. */
  readonly day: string;
  readonly disabled?: boolean;
  onChange(day: string): void;
}

/** The day with which something ends: it is over as soon as that day begins where the person is. */
export function EndDay({ label, none, day, disabled = false, onChange }: EndDayProps) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        type="date"
        label={label}
        description={day === '' ? none : inWords(day)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={day}
        max="9999-12-31"
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
        style={{ flex: 1 }}
      />
      <Button variant="default" mt={25} onClick={() => onChange('')} disabled={disabled || day === ''} aria-label={`${label}: no end`}>
        No end
      </Button>
    </Group>
  );
}

function inWords(day: string): string {
  const end = firstMoment(day);
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  const shown = (date: Date) => date.toLocaleDateString(undefined, { dateStyle: 'medium' });
  return `${shown(last)} is the last day. It is over when ${shown(end)} begins in your time zone (${zone()}).`;
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
