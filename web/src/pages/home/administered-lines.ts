import {
  IconActivity,
  IconBuildingStore,
  IconClockExclamation,
  IconDeviceMobileOff,
  IconHeartBroken,
  IconHeartbeat,
  IconTrendingUp,
} from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';
import type { AdministeredHome, Few, HomeAccount } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';
import { nameOf } from '../../parts/number-words.ts';
import { shownMoment } from '../../parts/shown-moment.ts';
import { busyText } from './account-lines.ts';
import { failedText } from './failed-text.ts';
import { failingTargets } from './failing-targets.ts';
import { type Line, type Lines, type More, moreOf } from './line.ts';
import { reasonLines } from './reason-lines.ts';

/** What is broken in what somebody administers. */
export function brokenInAdministered({
  health,
  suspended_providers,
  numbers,
  reasons,
  failing_targets,
}: AdministeredHome): readonly Lines[] {
  return [
    {
      lines: (health?.checks ?? []).map(({ name, state, message, mend }) => ({
        id: `check ${name}`,
        tone: state === 'fail' ? 'bad' : 'doubtful',
        icon: state === 'fail' ? IconHeartBroken : IconHeartbeat,
        title: capital(message),
        text: mend === null ? null : capital(mend),
        at: null,
        link: linkOptions({ to: '/operator/health' }),
      })),
      more: null,
    },
    {
      lines: suspended_providers.items.map(({ provider_id, name }) => ({
        id: provider_id,
        tone: 'bad',
        icon: IconBuildingStore,
        title: t('The provider {{name}} is suspended', { name }),
        text: t('None of its accounts can send.'),
        at: null,
        link: linkOptions({ to: '/operator/providers/$providerId', params: { providerId: provider_id } }),
      })),
      more: moreOf(suspended_providers, { text: t('All providers'), link: linkOptions({ to: '/operator/providers' }) }),
    },
    {
      lines:
        reasons.length > 0
          ? reasonLines(reasons, (search) => linkOptions({ to: '/operator/numbers', search }))
          : numbers.items.map((number) => ({
              id: number.instance_id,
              tone: 'bad',
              icon: IconDeviceMobileOff,
              title: t('{{number}} of {{account}}', { number: nameOf(number), account: number.account_name }),
              text: number.why,
              at: number.since,
              link: linkOptions({ to: '/operator/numbers/$instanceId', params: { instanceId: number.instance_id } }),
            })),
      more: moreOf(numbers, {
        text: t('All {{count}} numbers that need a person', {
          count: numbers.total,
          defaultValue_one: 'The {{count}} number that needs a person',
        }),
        link: linkOptions({ to: '/operator/numbers', search: { standing: 'needs_person' } }),
      }),
    },
    failingTargets(failing_targets, {
      one: (targetId) => linkOptions({ to: '/operator/alerts/$targetId', params: { targetId } }),
      all: linkOptions({ to: '/operator/alerts' }),
    }),
  ];
}

/** What soon ends there. */
export function endingInAdministered({ ending, trials }: AdministeredHome): readonly Lines[] {
  return [
    {
      lines: ending.items.map((account) => ({
        ...ofAccount(account, 'ends'),
        tone: 'doubtful',
        icon: IconClockExclamation,
        text: t('Its plan or access ends on {{when}}.', { when: shownMoment(account.ends_at) }),
        at: account.ends_at,
      })),
      more: moreOf(ending, {
        text: t('All {{count}} accounts that end within a week', {
          count: ending.total,
          defaultValue_one: 'The {{count}} account that ends within a week',
        }),
        link: linkOptions({ to: '/operator/accounts', search: { ends_within: '7', sort: 'ends' } }),
      }),
    },
    {
      lines: trials.items.map((account) => ({
        ...ofAccount(account, 'trial'),
        tone: 'doubtful',
        icon: IconClockExclamation,
        text: t('{{used}} of {{limit}} trial messages are used.', { used: account.used, limit: account.limit }),
        at: null,
      })),
      more: moreOf(trials, {
        text: t('All {{count}} trials that are nearly used up', {
          count: trials.total,
          defaultValue_one: 'The {{count}} trial that is nearly used up',
        }),
        link: linkOptions({ to: '/operator/accounts', search: { state: 'trial_nearly_used' } }),
      }),
    },
  ];
}

/** Accounts that send far more than usual. */
export function busyInAdministered({ busy }: AdministeredHome): readonly Lines[] {
  return [
    {
      lines: busy.items.map((account) => ({
        ...ofAccount(account, 'busy'),
        tone: 'neutral',
        icon: IconTrendingUp,
        text: busyText(account),
        at: null,
      })),
      more: moreOf(busy, {
        text: t('All {{count}} busy accounts', { count: busy.total, defaultValue_one: 'The {{count}} busy account' }),
        link: linkOptions({ to: '/operator/accounts', search: { sends: 'busy' } }),
      }),
    },
  ];
}

export function failingInAdministered({ failing }: AdministeredHome): Lines {
  return {
    lines: failing.items.map((account) => ({
      ...ofAccount(account, 'failing'),
      tone: 'doubtful',
      icon: IconActivity,
      text: failedText(account.failed, account.sends),
      at: null,
    })),
    more: moreOf(failing, {
      text: t('All {{count}} accounts with failures', {
        count: failing.total,
        defaultValue_one: 'The {{count}} account with failures',
      }),
      link: linkOptions({ to: '/operator/accounts', search: { sends: 'failing' } }),
    }),
  };
}

/** Accounts that cannot send, on purpose more often than not: told in few words. */
export function stoppedAccounts({ suspended, ended }: AdministeredHome): readonly More[] {
  const told = (few: Few<HomeAccount>, state: 'suspended' | 'ended', text: string): More[] => {
    const [only] = few.items;
    if (only === undefined) return [];
    const link =
      few.total === 1
        ? linkOptions({ to: '/operator/accounts/$accountId', params: { accountId: only.account_id } })
        : linkOptions({ to: '/operator/accounts', search: { state } });
    return [{ text, link }];
  };
  return [
    ...told(
      suspended,
      'suspended',
      t('{{count}} suspended accounts', { count: suspended.total, defaultValue_one: '{{count}} suspended account' }),
    ),
    ...told(
      ended,
      'ended',
      t('{{count}} accounts that have ended', { count: ended.total, defaultValue_one: '{{count}} account that has ended' }),
    ),
  ];
}

function ofAccount({ account_id, name }: HomeAccount, why: string): Pick<Line, 'id' | 'title' | 'link'> {
  return {
    id: `${why} ${account_id}`,
    title: name,
    link: linkOptions({ to: '/operator/accounts/$accountId', params: { accountId: account_id } }),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
