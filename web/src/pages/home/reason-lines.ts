import { IconDeviceMobileOff } from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { HomeReason } from '../../../../src/portal/wire/home.ts';
import type { NumberReason } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { reasonText } from '../../parts/number-words.ts';
import type { Line } from './line.ts';

/** Why many numbers need a person: how many for each reason, and since when the first does. `list` leads to the numbers themselves. */
export function reasonLines(
  reasons: readonly HomeReason[],
  list: (search: { readonly standing: 'needs_person'; readonly sort: string; readonly reason?: NumberReason }) => LinkProps,
): readonly Line[] {
  return reasons.map(({ reason, count, since }) => ({
    id: `reason ${reason}`,
    tone: 'bad',
    icon: IconDeviceMobileOff,
    title: reason === null ? t('No longer linked') : reasonText(reason),
    text: t('{{count}} numbers need a person', { count, defaultValue_one: '{{count}} number needs a person' }),
    at: since,
    link: list({ standing: 'needs_person', sort: 'since', ...(reason === null ? {} : { reason }) }),
  }));
}
