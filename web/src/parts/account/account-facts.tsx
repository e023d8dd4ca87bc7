import { Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccountView } from '../../../../src/portal/wire/account.ts';
import { shownCount, t } from '../../language/language.ts';
import { FactPanels } from '../facts.tsx';
import { Moment } from '../moment.tsx';
import { ProviderLink } from '../provider-link.tsx';
import { ShownId } from '../shown-id.tsx';
import { distanceText } from '../time/age.ts';
import { allowedNumbers } from './allowed-numbers.ts';
import { UsedOfAllowed } from './used-of-allowed.tsx';

interface AccountFactsProps {
  readonly account: AccountView;
  /** Whether its provider leads to the page that administrators have. */
  readonly linked?: boolean;
}

/** Everything agreed with a customer, and how much of it is in use. */
export function AccountFacts({ account, linked = false }: AccountFactsProps) {
  const { plan, plan_starts_at, plan_ends_at, access_ends_at, provider_id, provider_name, live_keys, created_at, account_id } = account;
  return (
    <FactPanels
      panels={[
        [
          [t('Plan'), plan === null ? t('None') : <PlanText key="plan" account={account} />],
          [t('Plan started'), <Moment key="began" at={plan_starts_at} day size="sm" />],
          [t('Plan ends'), <End key="ends" at={plan_ends_at} none={plan === null ? '–' : t('No end')} />],
          [t('Access ends'), <End key="access" at={access_ends_at} none={t('No end')} />],
          [
            t('Provider'),
            linked ? (
              <ProviderLink key="provider" id={provider_id}>
                {provider_name}
              </ProviderLink>
            ) : (
              provider_name
            ),
          ],
        ],
        [
          [t('Numbers'), <Numbers key="numbers" account={account} />],
          ...trialFact(account),
          [t('Live API keys'), shownCount(live_keys)],
          [t('Created'), <Moment key="created" at={created_at} day size="sm" />],
          [t('Account ID'), <ShownId key="id" id={account_id} label={t('account ID')} />],
        ],
      ]}
    />
  );
}

function PlanText({ account: { plan } }: { readonly account: AccountView }) {
  if (plan === null) return null;
  return (
    <>
      {plan.name}
      <Text size="xs" c="dimmed">
        {t('{{count}} messages per minute', { count: plan.messages_per_minute, defaultValue_one: '{{count}} message per minute' })}
      </Text>
    </>
  );
}

/** Ends are exclusive, so the moment is told in full: it is over then, not after that day. */
function End({ at, none }: { readonly at: string | null; readonly none: string }) {
  return (
    <>
      <Moment at={at} none={none} size="sm" />
      {at !== null && (
        <Text size="xs" c="dimmed">
          {timeTo(at)}
        </Text>
      )}
    </>
  );
}

function timeTo(at: string): string {
  const now = Date.now();
  const when = distanceText(at, now);
  return Date.parse(at) <= now ? t('Ended {{when}}', { when }) : t('Ends {{when}}', { when });
}

function Numbers({ account }: { readonly account: AccountView }) {
  return (
    <Use used={account.numbers} allowed={allowedNumbers(account)} label={t('Numbers in use')}>
      {limitSource(account)}
    </Use>
  );
}

/** Where the limit of numbers comes from. */
function limitSource({ operator, instance_limit, plan }: AccountView): string {
  if (operator) return t("free slots of an operator's account");
  if (instance_limit !== null) return t('its own limit');
  return plan === null ? t('no plan') : t('from the plan');
}

function trialFact({ plan, trial_used }: AccountView): (readonly [string, ReactNode])[] {
  const limit = plan?.trial_message_limit ?? null;
  if (limit === null) return [];
  return [
    [
      t('Trial messages'),
      <Use key="trial" used={trial_used} allowed={limit} label={t('Trial messages used')}>
        {t('in total, not per month')}
      </Use>,
    ],
  ];
}

interface UseProps {
  readonly used: number;
  readonly allowed: number;
  readonly label: string;
  readonly children: string;
}

function Use({ used, allowed, label, children }: UseProps) {
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <UsedOfAllowed used={used} allowed={allowed} />
        <Progress
          value={allowed === 0 ? 0 : Math.min(100, (used / allowed) * 100)}
          color={used > allowed ? 'red' : used === allowed ? 'orange' : 'teal'}
          w={80}
          aria-label={label}
        />
      </Group>
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </>
  );
}
