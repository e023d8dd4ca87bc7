import { locale } from '../language/language.ts';

const styles = {
  day: { dateStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'long' },
  time: { timeStyle: 'short' },
  timeOfDay: { timeStyle: 'short', timeZone: 'UTC' },
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  dayOfUtc: { day: 'numeric', month: 'short', timeZone: 'UTC' },
  dayOfUtcWithYear: { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const formats: Partial<Record<keyof typeof styles, Intl.DateTimeFormat>> = {};

/** Making one costs a hundred times what using it does, and a list or a chart shows a hundred moments, again with each second. */
function format(style: keyof typeof styles): Intl.DateTimeFormat {
  formats[style] ??= new Intl.DateTimeFormat(locale(), styles[style]);
  return formats[style];
}

/** A moment in the reader's own time zone as plain text, for use inside a sentence. `day`: without the time of day. */
export function shownMoment(at: string, day = false): string {
  return format(day ? 'day' : 'minute').format(new Date(at));
}

/** The same to the second, with its zone. */
export function exactMoment(at: string): string {
  return format('exact').format(new Date(at));
}

/** Its time of day alone. */
export function shownTime(at: string): string {
  return format('time').format(new Date(at));
}

/** A time of day as it is stored, "22:00", whatever its zone. */
export function shownTimeOfDay(time: string): string {
  return format('timeOfDay').format(new Date(`1970-01-01T${time}Z`));
}

/** The hour that begins then. */
export function shownHour(at: string): string {
  return format('hour').formatRange(new Date(at), hourAfter(at));
}

/** When an hour begins, for a narrow column. */
export function shownHourStart(at: string): string {
  return format('hour').format(new Date(at));
}

/** When the hour ends that begins then. */
export function hourAfter(at: string): Date {
  return new Date(Date.parse(at) + 60 * 60 * 1000);
}

/** A day as people write it: "21 Nov", with its year where `year` says so. */
export function shownDay(day: string, { year }: { readonly year: boolean }): string {
  return format(year ? 'dayOfUtcWithYear' : 'dayOfUtc').format(new Date(`${day}T00:00:00Z`));
}
