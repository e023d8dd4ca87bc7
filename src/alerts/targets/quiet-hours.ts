import { OperatorError } from '../../core/index.ts';

/** A daily time in which no new alerts are sent, while deliveries that are being tried go on; it may go over midnight. */
export interface QuietHours {
  /** Minutes after midnight. */
  readonly from: number;
  readonly to: number;
  /** Of the IANA time zone database. */
  readonly timeZone: string;
}

/** Reads `22:00-07:00`. Throws OperatorError when it is no such text, or the time zone is unknown. */
export function readQuietHours(text: string, timeZone: string): QuietHours {
  const [, fromHour, fromMinute, toHour, toMinute] = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  if (Number.isNaN(from) || from === to) throw new OperatorError(`quiet hours must look like 22:00-07:00, not ${text}`);
  try {
    minuteOfDay(0, timeZone);
  } catch {
    throw new OperatorError(`${timeZone} is not a time zone; name one such as Europe/Berlin or UTC`);
  }
  return { from, to, timeZone };
}

/** Whether this moment (epoch milliseconds) is within them. */
export function isQuiet({ from, to, timeZone }: QuietHours, at: number): boolean {
  const minute = minuteOfDay(at, timeZone);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** Minutes after midnight as `22:00`. */
export function timeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function minuteOfDay(at: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  const [hour, minute] = text.split(':');
  return Number(hour) * 60 + Number(minute);
}
