import { IconBellExclamation } from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { Few, HomeTarget } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';
import { targetName } from '../../parts/alerts/words.ts';
import { type Lines, moreOf } from './line.ts';

/** The alert targets that nothing arrives at. `one` and `all` lead to a target and to the list. */
export function failingTargets(
  targets: Few<HomeTarget>,
  { one, all }: { one(targetId: string): LinkProps; readonly all: LinkProps },
): Lines {
  return {
    lines: targets.items.map((target) => ({
      id: target.target_id,
      tone: 'bad',
      icon: IconBellExclamation,
      title: t('Alerts to {{target}} do not arrive', { target: targetName(target) }),
      text: target.outcome,
      at: target.at,
      link: one(target.target_id),
    })),
    more: moreOf(targets, { text: t('All alert targets'), link: all }),
  };
}
