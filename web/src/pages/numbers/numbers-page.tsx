import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Instance, instancesQuery } from '../../api/queries.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { standingOf } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useAccountId } from '../../session/session.ts';
import { AddDialog } from './add-dialog.tsx';
import { Allowance } from './allowance.tsx';
import { inPlainWords } from './failure-words.ts';
import { NumberDialogs, useNumberDialogs } from './number-dialogs.tsx';
import { NumberList } from './number-list.tsx';
import { PairingDialog } from './pairing/pairing-dialog.tsx';

/** The account's numbers with their live state, and everything that is done to one. */
export default function NumbersPage() {
  const { add, pair } = useSearch({ from: '/signed-in/of-account/numbers' });
  const navigate = useNavigate({ from: '/numbers' });
  const numbers = useQuery(instancesQuery(useAccountId()));
  const suspended = useSuspended();
  const dialogs = useNumberDialogs();
  // The open dialog is part of the address: the browser's back button closes it, and reloading keeps it.
  const openAdd = () => void navigate({ search: { add: true } });
  const openPairing = (id: string) => void navigate({ search: { pair: id }, replace: add === true });
  const close = () => void navigate({ search: {}, replace: true });

  return (
    <>
      <PageHeader title="Numbers" text="The phone numbers your messages are sent from.">
        {!suspended && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openAdd}>
            Add number
          </Button>
        )}
      </PageHeader>
      {suspended ? (
        <Text size="sm" c="dimmed" mb="md" role="status">
          The account is suspended: its numbers stay linked, and nothing can be sent from them or changed until it is resumed.
        </Text>
      ) : (
        <FirstSteps />
      )}
      <Answered query={numbers} loading={<Loading />} inWords={inPlainWords}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<IconDeviceMobile size={28} />}
              title="No numbers yet"
              text="Add one and link it with a phone. It takes about a minute, and the phone keeps working as before."
            >
              {!suspended && (
                <Button mt="sm" onClick={openAdd}>
                  Add your first number
                </Button>
              )}
            </EmptyState>
          ) : (
            <Stack gap="sm">
              <Group gap="lg">
                <Allowance numbers={all.length} />
                <NeedPerson numbers={all} />
              </Group>
              <NumberList
                numbers={all}
                readOnly={suspended}
                onLink={openPairing}
                onAsk={(question, number) => dialogs.ask({ question, number })}
              />
            </Stack>
          )
        }
      </Answered>
      {!suspended && (
        <>
          <AddDialog opened={add === true} numbers={numbers.data?.length ?? 0} onAdded={openPairing} onClose={close} />
          <PairingDialog instanceId={pair ?? null} onClose={close} />
          <NumberDialogs {...dialogs} />
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
      {count === 1 ? '1 number needs a person' : `${count} numbers need a person`}
    </Text>
  );
}

function Loading() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading the numbers">
      <Skeleton h={20} w={180} />
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} h={76} radius="md" />
      ))}
    </Stack>
  );
}
