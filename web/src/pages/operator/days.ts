import { locale, t } from '../../language/language.ts';

// An end is stored as a time and chosen as a day: the first moment of that day in the time zone of the person who chose it.

/** The day on which a time lies for the person, YYYY-MM-DD; empty for none. */
export function dayOf(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end to store, ISO 8601 UTC. An end whose day was not changed keeps its time of day. */
export function endOf(day: string, before: string | null): string | null {
  if (day === '') return null;
  return before !== null && day === dayOf(before) ? before : firstMoment(day).toISOString();
}

/** What an end means, as a sentence. */
export function endInWords(iso: string): string {
  const end = new Date(iso);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (end.getTime() !== firstMoment(dayOf(iso)).getTime()) {
    const time = end.toLocaleTimeString(locale(), { timeStyle: 'short' });
    return t('Ends on {{day}} at {{time}} ({{zone}}).', { day: shown(end), time, zone });
  }
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  return t('Last day: {{last}}. It ends when {{end}} begins ({{zone}}).', { last: shown(last), end: shown(end), zone });
}

/** Read without a zone, a time is the person's own. */
function firstMoment(day: string): Date {
  return new Date(`${day}T00:00`);
}

function shown(date: Date): string {
  return date.toLocaleDateString(locale(), { dateStyle: 'medium' });
}
