import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconBellOff, IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Back } from '../back.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Facts } from '../facts.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { ObjectPage } from '../object-page.tsx';
import { ShownId } from '../shown-id.tsx';
import { useChange } from '../use-change.ts';
import { useQuestion } from '../use-question.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { type AlertHome, targetsQuery } from './home.ts';
import { EditTargetDialog, NewSecretDialog } from './target-dialog.tsx';
import type { TargetPlace } from './target-form.tsx';
import { shownConditions, shownQuietHours, targetName } from './words.ts';

interface TargetPageProps {
  readonly home: AlertHome;
  readonly targetId: string;
  /** False while the account is suspended. */
  readonly changeable: boolean;
  readonly place?: TargetPlace | undefined;
  readonly toldOf?: (target: AlertTargetView) => ReactNode;
}

/** The page of one target: what it is told of, and everything that was sent to it. */
export function TargetPage({ home, targetId, changeable, place, toldOf }: TargetPageProps) {
  const targets = useQuery(targetsQuery(home));
  // A target is one of the list, so that it is missing has no failure of its own.
  const target = targets.data?.find((one) => one.target_id === targetId);
  return (
    <ObjectPage
      back={<Back to={home.list}>{t('All targets')}</Back>}
      query={targets}
      title={target === undefined ? t('Alert target') : targetName(target)}
      tools={target !== undefined && changeable && <Actions home={home} target={target} place={place} />}
      loading={<ListLoading label={t('Loading the target')} />}
    >
      {() =>
        target === undefined ? (
          <EmptyState icon={<IconBellOff size={28} />} title={t('No such target')} text={t('It may have been removed.')} />
        ) : (
          <Stack gap="xl">
            <About target={target} toldOf={toldOf} />
            <section aria-labelledby="deliveries">
              <Title order={2} size="h4" mb="sm" id="deliveries">
                {t('Deliveries')}
              </Title>
              <DeliveryLog home={home} targetId={target.target_id} changeable={changeable} />
            </section>
          </Stack>
        )
      }
    </ObjectPage>
  );
}

function About({ target, toldOf }: { readonly target: AlertTargetView; readonly toldOf: TargetPageProps['toldOf'] }) {
  const old = target.previous_secret_until;
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={t('About the target')} maw={900}>
      <Facts
        facts={[
          [target.kind === 'webhook' ? t('Webhook') : t('E-mail'), <ShownId key="address" id={target.address} label={t('address')} />],
          ...(target.confirm_by === null
            ? []
            : [[t('Waiting for confirmation until'), <Moment key="confirm" at={target.confirm_by} size="sm" />] as const]),
          ...(toldOf === undefined ? [] : [[t('Accounts'), toldOf(target)] as const]),
          [t('Told of'), shownConditions(target)],
          [t('Quiet hours'), shownQuietHours(target)],
          ...(old === null || Date.parse(old) < Date.now()
            ? []
            : [[t('The old secret signs until'), <Moment key="old" at={old} size="sm" />] as const]),
          [t('Target ID'), <ShownId key="id" id={target.target_id} label={t('target ID')} />],
          [t('Added'), <Moment key="added" at={target.created_at} size="sm" />],
        ]}
      />
    </Paper>
  );
}

function Actions({ home, target, place }: Pick<TargetPageProps, 'home' | 'place'> & { readonly target: AlertTargetView }) {
  const editing = useQuestion<true>();
  const replacing = useQuestion<true>();
  const removing = useQuestion<true>();
  const navigate = useNavigate();
  const params = { id: target.target_id };
  const test = useChange(() => call(`POST ${home.base}/:id/test`, { params }), { said: () => t('The test is sent within seconds.') });
  const remove = useChange(() => call(`DELETE ${home.base}/:id`, { params }), {
    said: () => t('{{name}} is no longer told anything.', { name: targetName(target) }),
    leave: () => navigate({ to: home.list }),
  });
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={() => editing.ask(true)}>
        {t('Edit')}
      </Button>
      {target.kind === 'webhook' && (
        <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => replacing.ask(true)}>
          {t('New secret')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={() => removing.ask(true)}>
        {t('Remove')}
      </Button>
      <Button
        leftSection={<IconSend size={18} aria-hidden />}
        onClick={() => test.mutate(undefined)}
        loading={test.isPending}
        disabled={target.confirm_by !== null}
      >
        {t('Send a test')}
      </Button>
      <FailureAlert error={test.error} />
      <EditTargetDialog key={target.target_id} opened={editing.opened} home={home} target={target} place={place} onClose={editing.close} />
      <NewSecretDialog opened={replacing.opened} home={home} target={target} onClose={replacing.close} />
      <ConfirmDialog
        opened={removing.opened}
        title={t('Remove {{name}}?', { name: targetName(target) })}
        confirm={t('Remove target')}
        change={remove}
        onConfirm={() => remove.mutate(undefined)}
        onClose={removing.close}
      >
        <Text size="sm">{t('It is no longer told anything, and its deliveries are deleted, including those still being tried.')}</Text>
      </ConfirmDialog>
    </>
  );
}
