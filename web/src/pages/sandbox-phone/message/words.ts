import { locale, shownCount, t } from '../../../language/language.ts';
import { shownTime } from '../../../parts/shown-moment.ts';
/** A file's size in words: "1.2 MB". */
export function shownSize(bytes: number): string {
  if (bytes < 1000) return t('{{bytes}} bytes', { bytes });
  if (bytes < 1_000_000) return `${shownCount(bytes / 1000, 0)} kB`;
  return `${shownCount(bytes / 1_000_000, 1)} MB`;
}

/** A duration as players show it: "1:05". */
export function shownDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A file's type in a few letters, taken from its extension, or from its media type without one. */
export function shownFormat(filename: string | null, mimeType: string | null): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(filename ?? '')?.[1];
  return (ending ?? mimeType?.split('/')[1]?.split(/[.+-]/).at(-1) ?? 'file').slice(0, 8).toUpperCase();
}

/** The day of a message, as the heading of that day. */
export function shownDay(at: string, now: Date): string {
  const day = new Date(at);
  const ago = daysBetween(day, now);
  if (ago === 0) return t('Today');
  if (ago === 1) return t('Yesterday');
  return day.toLocaleDateString(locale(), { weekday: 'long', day: 'numeric', month: 'long' });
}

/** When a message came, for a list: today's with their time, earlier ones with their day. */
export function shownShortly(at: string, now: Date): string {
  const day = new Date(at);
  const ago = daysBetween(day, now);
  if (ago === 0) return shownTime(at);
  return ago === 1 ? t('Yesterday') : day.toLocaleDateString(locale());
}

function daysBetween(day: Date, now: Date): number {
  return Math.round((midnight(now) - midnight(day)) / 86_400_000);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
