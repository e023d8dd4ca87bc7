import { Button, Group, Paper, Skeleton, Text, ThemeIcon } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FirstSteps as Steps } from '../../../src/portal/wire/account.ts';
import { firstStepsQuery } from '../api/queries.ts';
import { t } from '../language/language.ts';
import { useSession } from '../session/session.ts';
import classes from './first-steps.module.css';
import { useRemembered } from './remembered.ts';
import { StepButton } from './step-button.tsx';
import { StepList } from './step-list.tsx';

const steps: readonly { readonly step: keyof Steps; readonly title: string; readonly text: string }[] = [
  { step: 'key', title: t('Create an API key'), text: t('Your programs use it to identify themselves.') },
  { step: 'number', title: t('Link a number'), text: t('Scan a code with your phone, or try it out with a sandbox number.') },
  { step: 'message', title: t('Send your first message'), text: t('Fill in a form here, or paste the ready-made command.') },
];

/** Leads a new account to its first message; each step is ticked off when it is done. Hidden once all are done and the reader hides it. */
export function FirstSteps() {
  const { account } = useSession();
  return account === null ? null : <StepsOf key={account.account_id} accountId={account.account_id} />;
}

function StepsOf({ accountId }: { readonly accountId: string }) {
  const [remembered, remember] = useRemembered(accountId);
  const { data, isPending } = useQuery({
    ...firstStepsQuery(accountId),
    enabled: remembered !== 'hidden',
    // No live event tells of a new key.
    refetchInterval: ({ state }) => (state.data !== undefined && !allDone(state.data) ? 10_000 : false),
  });
  const done = data === undefined ? null : allDone(data);
  useEffect(() => {
    // An account whose steps were done before this browser saw it is not congratulated.
    if (done === true && remembered === null) remember('hidden');
    if (done === false && remembered === null) remember('open');
  }, [done, remembered, remember]);

  if (remembered === 'hidden') return null;
  if (isPending) return <Skeleton className={classes.loading} radius="lg" mb="lg" />;
  if (data === undefined || (done === true && remembered === null)) return null;
  return done === true ? <AllSet onHide={() => remember('hidden')} /> : <Open done={data} />;
}

function Open({ done }: { readonly done: Steps }) {
  return (
    <StepList
      title={t('Three steps to your first message')}
      steps={steps.map((one) => ({ ...one, done: done[one.step] }))}
      open={({ step, title }, next) => next && <StepButton step={step}>{title}</StepButton>}
    />
  );
}

function AllSet({ onHide }: { onHide(): void }) {
  return (
    <Paper component="section" aria-label={t('First steps')} withBorder radius="lg" p="lg" mb="lg">
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon size={44} radius={44} variant="light" aria-hidden className={classes.ticked}>
          <IconConfetti size={24} />
        </ThemeIcon>
        <div className={classes.words} role="status">
          <Text fw={600}>{t('You are all set')}</Text>
          <Text size="sm" c="dimmed">
            {t('You have an API key and a linked number, and your first message has been sent. Now your programs can do the same.')}
          </Text>
        </div>
        <Button variant="default" size="sm" onClick={onHide} className={classes.hide}>
          {t('Hide')}
        </Button>
      </Group>
    </Paper>
  );
}

function allDone(done: Steps): boolean {
  return steps.every(({ step }) => done[step]);
}
