import { locale } from '../language/language.ts';

/** A moment in the reader's own time zone as plain text, for use inside a sentence. `day`: without the time of day. */
export function shownMoment(at: string, day = false): string {
  return new Date(at).toLocaleString(locale(), day ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' });
}

/** The same to the second, with its zone. */
export function exactMoment(at: string): string {
  return new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'long' });
}

/** The hour that begins then. */
export function shownHour(at: string): string {
  const from = new Date(at);
  const words = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  return words.formatRange(from, hourAfter(at));
}

/** When the hour ends that begins then. */
export function hourAfter(at: string): Date {
  return new Date(Date.parse(at) + 60 * 60 * 1000);
}

/** A day as people write it: "21 Nov", with its year where `year` says so. */
export function shownDay(day: string, { year }: { readonly year: boolean }): string {
  const parts: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), year ? { ...parts, year: 'numeric' } : parts);
}
