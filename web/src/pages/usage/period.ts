import { t } from '../../language/language.ts';
import { day, oneOf, searchOf } from '../../routes/search.ts';

/** The part of the address that says which days are shown: both custom dates count before a period. */
export const usageSearch = searchOf({ period: oneOf('month', 'last-month'), from: day, to: day });
export type UsageSearch = Readonly<ReturnType<typeof usageSearch>>;

/** How the days were chosen. */
export type Choice = 'days' | 'month' | 'last-month' | 'own';

export const choices: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'days', label: t('Last 30 days') },
  { value: 'month', label: t('This month') },
  { value: 'last-month', label: t('Last month') },
  { value: 'own', label: t('Custom dates') },
];

export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const mostDays = 366;

/** How the days of the address were chosen. */
export function choiceOf({ period, from, to }: UsageSearch): Choice {
  if (from !== undefined && to !== undefined) return 'own';
  return period ?? 'days';
}

/** The days of the address. They are counted in UTC, as usage is. */
export function periodOf(search: UsageSearch, now: number): Period {
  const { from, to, period = 'days' } = search;
  if (from !== undefined && to !== undefined) return { from, to };
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  switch (period) {
    case 'month':
      return { from: dayOf(Date.UTC(year, month, 1)), to: dayOf(now) };
    case 'last-month':
      return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
    case 'days':
      return { from: dayOf(now - 29 * dayMs), to: dayOf(now) };
  }
}

/** Why custom dates cannot be used, in words; null when they can. */
export function mistakeIn({ from, to }: Period): string | null {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (Number.isNaN(days)) return t('Enter both dates.');
  if (days < 1) return t('The first day must not be after the last.');
  return days > mostDays ? t('At most {{most}} days can be shown at once.', { most: mostDays }) : null;
}

/** YYYY-MM-DD, in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
