import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { KindView } from '../../../../src/portal/wire/sending.ts';
import type { Instance } from '../../api/contract.ts';
import { instancesQuery, kindsQuery } from '../../api/queries.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useAccountId } from '../../session/session.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { KindChooser } from './kind-chooser.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { RequestPanel } from './request-panel.tsx';
import classes from './send.module.css';
import { SendForm } from './send-form.tsx';
import { useMessage } from './use-message.ts';

/** A message of any kind, written by hand, with the same as a command beside it. */
export default function SendPage() {
  const { kind: type } = useSearch({ from: '/signed-in/of-account/send' });
  const kinds = useQuery(kindsQuery);
  const numbers = useQuery(instancesQuery(useAccountId()));
  return (
    <>
      <PageHeader title={t('Send')} text={t('Write one message by hand, and see how a program would send it.')} />
      <FirstSteps />
      <Answered query={kinds} loading={<Loading />}>
        {(allKinds) => (
          <Answered query={numbers} loading={<Loading />}>
            {(allNumbers) => {
              const kind = allKinds.find((one) => one.type === type) ?? allKinds[0];
              return kind && <Writing kinds={allKinds} kind={kind} numbers={allNumbers} />;
            }}
          </Answered>
        )}
      </Answered>
    </>
  );
}

interface WritingProps {
  readonly kinds: readonly KindView[];
  readonly kind: KindView;
  readonly numbers: readonly Instance[];
}

function Writing({ kinds, kind, numbers }: WritingProps) {
  const { instance_id: chosen } = useSearch({ from: '/signed-in/of-account/send' });
  const navigate = useNavigate({ from: '/send' });
  const choose = (change: { instance_id?: string; kind?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const [shown, setShown] = useState<string>();
  const from = chosen ?? shown ?? numbers.find(({ connected }) => connected)?.instance_id;
  // Whatever becomes of it, the message is from no other until somebody chooses one.
  if (from !== shown) setShown(from);
  const known = numbers.find(({ instance_id }) => instance_id === from);
  const message = useMessage(kind, known, (id) => choose({ instance_id: id }));
  const beside = useRef<HTMLDivElement>(null);
  const { answer, body, idempotencyKey } = message;
  useEffect(() => {
    // Where it stands under the form, it would arrive out of sight. What is wrong with a field is shown there.
    if (answer !== null && (answer.outcome.accepted || answer.outcome.problems.size === 0))
      beside.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [answer]);
  const sender = answer?.outcome.accepted === true ? answer.outcome.instanceId : null;

  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <KindChooser kinds={kinds} chosen={kind.type} onChoose={(type) => choose({ kind: type })} />
        <SendForm key={kind.type} kind={kind} numbers={numbers} message={message} />
      </Stack>
      <Stack gap="md" className={classes.beside}>
        {answer !== null && (
          <div ref={beside} className={classes.answer}>
            <AnswerPanel
              answer={answer}
              sendOnceMore={message.sendOnceMore}
              sending={message.sending}
              sandbox={numbers.some(({ instance_id, network }) => instance_id === sender && network === 'sandbox')}
            />
          </div>
        )}
        <PreviewPanel type={kind.type} body={body} sender={known === undefined ? '' : nameOf(known)} />
        <RequestPanel type={kind.type} body={body} idempotencyKey={idempotencyKey} />
      </Stack>
    </div>
  );
}

function Loading() {
  return (
    <div className={classes.columns} role="status" aria-label={t('Loading the form')}>
      <Stack gap="md">
        <Skeleton h={140} radius="md" />
        <Skeleton h={420} radius="lg" />
      </Stack>
      <Skeleton h={300} radius="lg" />
    </div>
  );
}
