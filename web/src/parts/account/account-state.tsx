import { Alert, Badge } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { type AccountState, accountState } from './state.ts';

const looks: Readonly<Record<AccountState, { readonly color: string; readonly word: string; readonly text: string | null }>> = {
  active: { color: 'teal', word: 'Active', text: null },
  suspended: {
    color: 'red',
    word: 'Suspended',
    text: 'An operator suspended this account: every request of it is refused, its people can look and change nothing, and only an operator can resume it. Its numbers stay linked and nothing is lost.',
  },
  suspended_by_provider: {
    color: 'red',
    word: 'Suspended',
    text: 'Its provider suspended this account: every request of it is refused, and its people can look and change nothing until the provider or an operator resumes it. Its numbers stay linked and nothing is lost.',
  },
  provider_suspended: {
    color: 'red',
    word: 'Provider suspended',
    text: 'The provider of this account is suspended, and with it every account of that provider. It can send again once the provider is resumed.',
  },
  access_ended: {
    color: 'orange',
    word: 'Access ended',
    text: 'The time this account may be used is over, so its requests are refused. Give it a later end of access to let it go on.',
  },
  no_plan: {
    color: 'orange',
    word: 'No plan',
    text: 'Without a plan this account can neither send nor add numbers. Give it one with “Edit”.',
  },
  plan_ended: {
    color: 'orange',
    word: 'Plan ended',
    text: 'The plan has run out: this account can neither send nor add numbers, and what is linked stays linked. Give the plan a later end, or another plan.',
  },
  trial_used_up: {
    color: 'orange',
    word: 'Trial used up',
    text: 'All messages of the trial are sent. Give the account another plan to let it go on.',
  },
};

/** An account's state, told by word and colour. */
export function AccountBadge({ account }: { readonly account: AccountView }) {
  const state = accountState(account, Date.now());
  return <StateBadge color={looks[state].color}>{looks[state].word}</StateBadge>;
}

/** The state of anything that is either active or suspended. */
export function ActiveBadge({ status }: { readonly status: 'active' | 'suspended' }) {
  return <StateBadge color={looks[status].color}>{looks[status].word}</StateBadge>;
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
