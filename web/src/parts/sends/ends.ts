import type { HomeSends } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';

/** The ways in which a send ends: what each is counted as, and the filter that lists its sends. */
export const ends: readonly {
  readonly end: keyof HomeSends;
  readonly outcome: 'sent' | '4xx' | '5xx';
  readonly name: string;
  /** They differ in lightness too, so that they can be told apart without seeing hues. */
  readonly colour: string;
}[] = [
  { end: 'accepted', outcome: 'sent', name: t('Sent', { context: 'sends' }), colour: 'teal.5' },
  { end: 'refused', outcome: '4xx', name: t('Refused (4xx)'), colour: 'orange.7' },
  { end: 'failed', outcome: '5xx', name: t('Failed (5xx)'), colour: 'red.9' },
];
