import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, linkOptions } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { OperatorSteps as Done } from '../../../src/portal/wire/operator.ts';
import { operatorStepsQuery } from '../api/queries.ts';
import { t } from '../language/language.ts';
import { AccountPageLink } from '../parts/account/account-page-link.tsx';
import { useRemembered } from './remembered.ts';
import { type Step, StepList } from './step-list.tsx';

interface OperatorStep extends Step {
  /** What its button says, and where it leads. */
  readonly action: string;
  readonly link: LinkProps;
  /** The account whose page to send from is opened instead. */
  readonly sendFrom?: string | null;
}

/** Leads the operator of a new installation to what comes first. Gone when all of it is done, or the reader hides it. */
export function OperatorSteps({ userId }: { readonly userId: string }) {
  const [remembered, remember] = useRemembered(`operator:${userId}`);
  const hidden = remembered === 'hidden';
  const { data } = useQuery({
    ...operatorStepsQuery,
    enabled: !hidden,
  });
  const steps = data === undefined ? [] : stepsOf(data);
  const allDone = data !== undefined && steps.every(({ done }) => done);
  useEffect(() => {
    // They need not be asked for again.
    if (allDone) remember('hidden');
  }, [allDone, remember]);
  if (hidden || allDone || data === undefined) return null;
  return (
    <StepList
      title={t('The first steps with your gateway')}
      steps={steps}
      open={({ action, link, sendFrom = null }, next) => (
        <Button
          size="sm"
          mt="sm"
          variant={next ? 'filled' : 'default'}
          renderRoot={(props) =>
            sendFrom === null ? <Link {...link} {...props} /> : <AccountPageLink accountId={sendFrom} href="/send" {...props} />
          }
        >
          {action}
        </Button>
      )}
    >
      <Button variant="subtle" size="compact-sm" onClick={() => remember('hidden')}>
        {t('Hide')}
      </Button>
    </StepList>
  );
}

function stepsOf({ message, customer, person, alert, demo_account_id: demo }: Done): readonly OperatorStep[] {
  const accounts = linkOptions({ to: '/operator/accounts' });
  const send: OperatorStep = {
    step: 'message',
    title: t('Send a first message'),
    text:
      demo === null
        ? t('Act for an account, and send from one of its sandbox numbers.')
        : t('From the demo account, whose sandbox number reaches no real phone.'),
    done: message,
    action: t('Send a message'),
    link: accounts,
    sendFrom: demo,
  };
  const add: OperatorStep = {
    step: 'customer',
    title: t('Add a customer'),
    text: t('Each has an account, with its own numbers, keys, plan and people.'),
    done: customer,
    action: t('To the accounts'),
    link: accounts,
  };
  return [
    ...(demo === null ? [add, send] : [send, add]),
    {
      step: 'person',
      title: t('Invite a person'),
      text: t('The owner of an account, or another operator beside you.'),
      done: person,
      action: t('To the people'),
      link: linkOptions({ to: '/operator/users' }),
    },
    {
      step: 'alert',
      title: t('Say where alerts go'),
      text: t('A webhook or an e-mail address is notified when something is wrong.'),
      done: alert,
      action: t('To the alerts'),
      link: linkOptions({ to: '/operator/alerts' }),
    },
  ];
}
