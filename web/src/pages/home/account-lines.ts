import { IconClockExclamation, IconDeviceMobileOff, IconLock, IconTrendingUp } from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';
import type { AccountHome } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';
import { nameOf } from '../../parts/number-words.ts';
import { noticeFor } from '../account/notice.ts';
import { failingTargets } from './failing-targets.ts';
import { type Line, type Lines, moreOf } from './line.ts';
import { reasonLines } from './reason-lines.ts';

/** What is broken in an account. `now`: ms since 1970. */
export function brokenInAccount({ account, numbers, reasons, failing_targets }: AccountHome, now: number): readonly Lines[] {
  const notice = noticeFor(account, now);
  return [
    {
      lines:
        notice?.kind === 'ended'
          ? [
              {
                id: 'account',
                tone: 'bad',
                icon: IconLock,
                title: notice.title,
                text: notice.text,
                at: null,
                link: linkOptions({ to: '/account' }),
              },
            ]
          : [],
      more: null,
    },
    {
      lines:
        reasons.length > 0
          ? reasonLines(reasons, (search) => linkOptions({ to: '/numbers', search }))
          : numbers.items.map((number) => ({
              id: number.instance_id,
              tone: 'bad',
              icon: IconDeviceMobileOff,
              title: nameOf(number),
              text: number.why,
              at: number.since,
              link: linkOptions({ to: '/numbers/$instanceId', params: { instanceId: number.instance_id } }),
            })),
      more: moreOf(numbers, {
        text: t('All {{count}} numbers that need a person', {
          count: numbers.total,
          defaultValue_one: 'The {{count}} number that needs a person',
        }),
        link: linkOptions({ to: '/numbers', search: { standing: 'needs_person' } }),
      }),
    },
    failingTargets(failing_targets, {
      one: (targetId) => linkOptions({ to: '/alerts/$targetId', params: { targetId } }),
      all: linkOptions({ to: '/alerts' }),
    }),
  ];
}

export function endingInAccount({ account }: AccountHome, now: number): readonly Lines[] {
  const notice = noticeFor(account, now);
  const ends = [account.plan_ends_at, account.access_ends_at].filter((at) => at !== null).toSorted();
  const limit = account.plan?.trial_message_limit ?? null;
  const lines: Line[] = [];
  if (notice?.kind === 'ending')
    lines.push({
      id: 'end',
      tone: 'doubtful',
      icon: IconClockExclamation,
      title: notice.title,
      text: notice.text,
      at: ends[0] ?? null,
      link: linkOptions({ to: '/account' }),
    });
  // As the lists of those who administer accounts say it. Used up it is broken, not ending.
  if (limit !== null && account.trial_used < limit && account.trial_used * 5 >= limit * 4)
    lines.push({
      id: 'trial',
      tone: 'doubtful',
      icon: IconClockExclamation,
      title: t('The trial is nearly used up'),
      text: t('{{used}} of {{limit}} trial messages are used.', { used: account.trial_used, limit }),
      at: null,
      link: linkOptions({ to: '/usage' }),
    });
  return [{ lines, more: null }];
}

export function busyInAccount({ busy }: AccountHome): readonly Lines[] {
  if (busy === null) return [];
  return [
    {
      lines: [
        {
          id: 'busy',
          tone: 'neutral',
          icon: IconTrendingUp,
          title: t('Far more messages than usual'),
          text: busyText(busy),
          at: null,
          link: linkOptions({ to: '/usage' }),
        },
      ],
      more: null,
    },
  ];
}

/** How many messages were sent, and how many usually are. */
export function busyText({ sends, usual }: { readonly sends: number; readonly usual: number }): string {
  return t('{{count}} messages in the last 24 hours, usually {{usual}} a day', {
    count: sends,
    usual,
    defaultValue_one: '{{count}} message in the last 24 hours, usually {{usual}} a day',
  });
}
