import { t } from '../../language/language.ts';

/** How many sends failed, of how many. */
export function failedText(failed: number, all: number): string {
  return t('{{failed}} of {{count}} sends failed', { failed, count: all, defaultValue_one: '{{failed}} of {{count}} send failed' });
}
