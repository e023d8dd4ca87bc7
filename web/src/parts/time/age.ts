import { locale } from '../../language/language.ts';
import { shownMoment } from '../shown-moment.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** From so long ago on, or so far ahead, the day says more than the distance. */
const longestMs = 30 * dayMs;

const formats: Partial<Record<'short' | 'long', Intl.RelativeTimeFormat>> = {};

/** Making one costs a hundred times what using it does. */
function format(style: keyof typeof formats): Intl.RelativeTimeFormat {
  formats[style] ??= new Intl.RelativeTimeFormat(locale(), { style });
  return formats[style];
}

/** How long ago a moment was, or in how long it comes: “3 min ago”, “in 2 days”. */
export function distanceText(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const size = Math.abs(ms);
  const words = format('short');
  if (size < minuteMs) return words.format(Math.trunc(ms / 1000), 'second');
  if (size < hourMs) return words.format(Math.trunc(ms / minuteMs), 'minute');
  if (size < 2 * dayMs) return words.format(Math.trunc(ms / hourMs), 'hour');
  // Short days would be a letter: “hace 3 d”, and in Indonesian “3 h lalu”.
  return format('long').format(Math.trunc(ms / dayMs), 'day');
}

/** The same as long as the distance says more than the day. */
export function ageText(at: string, now: number): string {
  return Math.abs(Date.parse(at) - now) < longestMs ? distanceText(at, now) : shownMoment(at, true);
}
