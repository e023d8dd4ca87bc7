import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Instance } from '../../api/contract.ts';
import { instancesQuery } from '../../api/queries.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { t } from '../../language/language.ts';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Late } from '../../parts/late.tsx';
import { standingOf } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useAccountId } from '../../session/session.ts';
import { Allowance } from './allowance.tsx';
import { inPlainWords } from './failure-words.ts';
import { NumberList } from './number-list.tsx';
import { useNumberDialogs } from './use-number-dialogs.ts';

// For many numbers, or some of them, which most people never see.
const NumberPages = lazy(() => import('./number-pages.tsx').then((file) => ({ default: file.NumberPages })));
const AddDialog = lazy(() => import('./add-dialog.tsx').then((file) => ({ default: file.AddDialog })));
const PairingDialog = lazy(() => import('./pairing/pairing-dialog.tsx').then((file) => ({ default: file.PairingDialog })));
const NumberDialogs = lazy(() => import('./number-dialogs.tsx').then((file) => ({ default: file.NumberDialogs })));

/** From more numbers on they are a table with pages, which also shows those that a link asks for. */
const mostAsCards = 50;

/** The account's numbers with their live state, and everything that is done to one. */
export default function NumbersPage() {
  const { add, pair, ...search } = useSearch({ from: '/signed-in/of-account/numbers' });
  const navigate = useNavigate({ from: '/numbers' });
  const account = useAccountId();
  const numbers = useQuery(instancesQuery(account));
  const suspended = useSuspended();
  const dialogs = useNumberDialogs();
  // The open dialog is part of the address: the browser's back button closes it, and reloading keeps it.
  const openAdd = () => void navigate({ search: { ...search, add: true } });
  const openPairing = (id: string) => void navigate({ search: { ...search, pair: id }, replace: add === true });
  const close = () => void navigate({ search, replace: true });
  // A table stays one, however few are left: its dialog may be deleting them.
  const [tableOf, setTableOf] = useState<string | null>(null);
  const narrowed = Object.keys(search).some((name) => name !== 'account');
  if (tableOf !== account && (numbers.data?.length ?? 0) > (narrowed ? 0 : mostAsCards)) setTableOf(account);
  const none = (
    <EmptyState
      icon={<IconDeviceMobile size={28} />}
      title={t('No numbers yet')}
      text={t('Add one and link it with a phone. It takes about a minute, and the phone keeps working as before.')}
    >
      {!suspended && (
        <Button mt="sm" onClick={openAdd}>
          {t('Add your first number')}
        </Button>
      )}
    </EmptyState>
  );

  return (
    <>
      <PageHeader title={t('Numbers')} text={t('The phone numbers your messages are sent from.')}>
        {!suspended && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openAdd}>
            {t('Add number')}
          </Button>
        )}
      </PageHeader>
      {suspended ? (
        <Text size="sm" c="dimmed" mb="md" role="status">
          {t('The account is suspended: its numbers stay linked, but nothing can be sent or changed until it is resumed.')}
        </Text>
      ) : (
        <FirstSteps />
      )}
      <Answered query={numbers} loading={<Loading />} inWords={inPlainWords}>
        {(all) =>
          all.length === 0 && tableOf !== account ? (
            none
          ) : (
            <Stack gap="sm">
              <Group gap="lg">
                <Allowance numbers={all.length} />
                <NeedPerson numbers={all} />
              </Group>
              {tableOf === account ? (
                <Suspense fallback={<Loading />}>
                  <NumberPages
                    key={account}
                    search={search}
                    none={none}
                    readOnly={suspended}
                    onLink={openPairing}
                    onAsk={(question, number) => dialogs.ask({ question, number })}
                  />
                </Suspense>
              ) : (
                <NumberList
                  numbers={all}
                  readOnly={suspended}
                  onLink={openPairing}
                  onAsk={(question, number) => dialogs.ask({ question, number })}
                />
              )}
            </Stack>
          )
        }
      </Answered>
      {!suspended && (
        <>
          <Late wanted={add === true}>
            <AddDialog opened={add === true} numbers={numbers.data?.length ?? 0} onAdded={openPairing} onClose={close} />
          </Late>
          <Late wanted={pair !== undefined}>
            <PairingDialog instanceId={pair ?? null} onClose={close} />
          </Late>
          <Late wanted={dialogs.about !== null}>
            <NumberDialogs {...dialogs} />
          </Late>
        </>
      )}
    </>
  );
}

/** How many numbers only a person can bring back. */
function NeedPerson({ numbers }: { readonly numbers: readonly Instance[] }) {
  const count = numbers.filter((one) => standingOf(one) === 'needs_person').length;
  if (count === 0) return null;
  return (
    <Text size="sm" c="var(--mantine-color-red-text)">
      {t('{{count}} numbers need a person', { count, defaultValue_one: '{{count}} number needs a person' })}
    </Text>
  );
}

function Loading() {
  return (
    <Stack gap="sm" role="status" aria-label={t('Loading the numbers')}>
      <Skeleton h={20} w={180} />
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} h={76} radius="md" />
      ))}
    </Stack>
  );
}
