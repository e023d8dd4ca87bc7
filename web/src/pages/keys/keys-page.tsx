import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useAccountId } from '../../session/session.ts';
import { KeyList } from './key-list.tsx';
import { keysQuery } from './keys.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { Rotation } from './rotation.tsx';

/** The account's API keys: making, seeing and revoking them, and how one replaces another. */
export default function KeysPage() {
  const { add } = useSearch({ from: '/signed-in/of-account/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const keys = useQuery(keysQuery(useAccountId()));
  const revoking = useQuestion<KeyView>();
  const openNew = () => void navigate({ search: { add: true } });
  return (
    <>
      <PageHeader title="API keys" text="With a key, your own programs send through this gateway. Keep it as secret as a password.">
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openNew}>
          Create key
        </Button>
      </PageHeader>
      <FirstSteps />
      <Stack gap="xl">
        <Answered query={keys} loading={<Loading />}>
          {(all) =>
            all.keys.length === 0 ? (
              <EmptyState
                icon={<IconKey size={28} />}
                title="No keys yet"
                text="Create one and put it into the program that sends your messages. One key is enough for all your numbers."
              >
                <Button mt="sm" onClick={openNew}>
                  Create your first key
                </Button>
              </EmptyState>
            ) : (
              <KeyList {...all} onRevoke={revoking.ask} />
            )
          }
        </Answered>
        <Rotation />
        <Text size="sm" c="dimmed">
          What can be done with a key is in the{' '}
          <Anchor href="/docs" target="_blank" inherit underline="always">
            API reference
          </Anchor>
          .
        </Text>
      </Stack>
      <NewKeyDialog opened={add === true} onClose={() => void navigate({ search: {}, replace: true })} />
      {revoking.about !== null && <RevokeDialog opened={revoking.opened} apiKey={revoking.about} onClose={revoking.close} />}
    </>
  );
}

function Loading() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading the keys">
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} h={52} radius="md" />
      ))}
    </Stack>
  );
}
