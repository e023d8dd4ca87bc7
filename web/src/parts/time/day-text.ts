import { t } from '../../language/language.ts';

// A day is stored as YYYY-MM-DD, and written in the order of the reader's language.

function format(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' });
}

/** A day as the reader writes it; empty for none. */
export function writtenDay(day: string, locale: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? '' : format(locale).format(at);
}

const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = { day: t('dd'), month: t('mm'), year: t('yyyy') };

/** How the reader writes a day: “dd/mm/yyyy”. */
export function dayPattern(locale: string): string {
  return format(locale)
    .formatToParts(0)
    .map(({ type, value }) => letters[type] ?? value)
    .join('');
}

/** The day that a text names, in the reader's order or as it is stored; empty for an empty text, null when it is none. */
export function readDay(text: string, locale: string): string | null {
  if (text.trim() === '') return '';
  const order = /^\s*\d{4}\D/.test(text)
    ? ['year', 'month', 'day']
    : format(locale)
        .formatToParts(0)
        .map(({ type }) => type);
  const figures = text.match(/\d+/g) ?? [];
  const named = order.filter((type) => type === 'year' || type === 'month' || type === 'day');
  if (figures.length !== named.length) return null;
  const { year = '', month = '', day = '' } = Object.fromEntries(named.map((type, place) => [type, figures[place] ?? '']));
  const found = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(found);
  // There are no days like February 31.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${found}T`) ? found : null;
}
