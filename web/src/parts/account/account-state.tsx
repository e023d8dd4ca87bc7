import { Alert, Badge } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { AccountView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { useTold } from '../time/told.ts';
import { type AccountState, accountState } from './state.ts';

const looks: Readonly<Record<AccountState, { readonly color: string; readonly word: string; readonly text: string | null }>> = {
  active: { color: 'teal', word: t('Active'), text: null },
  suspended: {
    color: 'red',
    word: t('Suspended'),
    text: t(
      'An operator suspended this account: its requests are refused, its people can look but not change anything, and only an operator can resume it. Its numbers stay linked and nothing is lost.',
    ),
  },
  suspended_by_provider: {
    color: 'red',
    word: t('Suspended'),
    text: t(
      'Its provider suspended this account: its requests are refused, and its people can look but not change anything until the provider or an operator resumes it. Its numbers stay linked and nothing is lost.',
    ),
  },
  provider_suspended: {
    color: 'red',
    word: t('Provider suspended'),
    text: t(
      'The provider of this account is suspended, and with it every account of that provider. It can send again once the provider is resumed.',
    ),
  },
  access_ended: {
    color: 'orange',
    word: t('Access ended'),
    text: t("This account's access has ended, so its requests are refused. Set a later end to let it continue."),
  },
  no_plan: {
    color: 'orange',
    word: t('No plan'),
    text: t('Without a plan this account can neither send nor add numbers. Give it one with “Edit”.'),
  },
  plan_ended: {
    color: 'orange',
    word: t('Plan ended'),
    text: t(
      'The plan has expired: this account can neither send nor add numbers. Its numbers stay linked. Set a later end, or choose another plan.',
    ),
  },
  trial_used_up: {
    color: 'orange',
    word: t('Trial used up'),
    text: t('All trial messages have been sent. Give the account another plan to let it continue.'),
  },
};

/** An account's state, told by word and colour; it changes by itself when a plan or an access ends. */
export function AccountBadge({ account }: { readonly account: AccountView }) {
  const state = useTold(useCallback((now) => accountState(account, now), [account]));
  return <StateBadge color={looks[state].color}>{looks[state].word}</StateBadge>;
}

const providerWords = { active: t('Active', { context: 'provider' }), suspended: t('Suspended', { context: 'provider' }) };

/** The state of a provider. */
export function ProviderBadge({ status }: { readonly status: 'active' | 'suspended' }) {
  return <StateBadge color={looks[status].color}>{providerWords[status]}</StateBadge>;
}

function StateBadge({ color, children }: { readonly color: string; readonly children: string }) {
  return (
    <Badge component="span" color={color} variant="light" autoContrast>
      {children}
    </Badge>
  );
}

/** What an account's state means, where it is not simply active. */
export function AccountStateText({ account }: { readonly account: AccountView }) {
  const { color, word, text } = looks[accountState(account, Date.now())];
  if (text === null) return null;
  return (
    <Alert color={color} title={word} icon={<IconInfoCircle aria-hidden />} mb="lg">
      {text}
    </Alert>
  );
}
