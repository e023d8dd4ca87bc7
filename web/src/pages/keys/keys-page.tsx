import { Anchor, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { Trans, t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { keysQuery } from '../../parts/keys/keys.ts';
import { RevokeDialog } from '../../parts/keys/revoke-dialog.tsx';
import { useListAddress } from '../../parts/list/use-list.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useAccountId } from '../../session/session.ts';
import { KeyList } from './key-list.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { Rotation } from './rotation.tsx';

/** The account's API keys: making, seeing and revoking them, and how one replaces another. */
export default function KeysPage() {
  const { add, ...search } = useSearch({ from: '/signed-in/of-account/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const { narrow } = useListAddress(search);
  const accountId = useAccountId();
  const keys = useQuery(keysQuery(accountId, search));
  const state = search.state === 'revoked' ? 'revoked' : 'in_use';
  const narrowed = search.search !== undefined || state === 'revoked' || search.after !== undefined;
  const revoking = useQuestion<KeyView>();
  const openNew = () => void navigate({ search: { ...search, add: true } });
  return (
    <>
      <PageHeader
        title={t('API keys')}
        text={t('Your programs use an API key to send through this gateway. Keep it as secret as a password.')}
      >
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openNew}>
          {t('Create key')}
        </Button>
      </PageHeader>
      <FirstSteps />
      <Stack gap="xl">
        <Stack gap="sm">
          <Group gap="sm">
            <SegmentedControl
              aria-label={t('Which keys')}
              data={[
                { value: 'in_use', label: t('In use') },
                { value: 'revoked', label: t('Revoked') },
              ]}
              value={state}
              onChange={(chosen) =>
                narrow({ state: chosen === 'revoked' ? chosen : undefined, sort: chosen === 'revoked' ? '-revoked' : undefined })
              }
            />
            <SearchField
              value={search.search ?? ''}
              label={t('Find a key')}
              placeholder={t('Find by name or first characters')}
              onChange={(text) => narrow({ search: text }, { typing: true })}
            />
          </Group>
          <Answered query={keys} loading={<Loading />}>
            {(page) =>
              page.rows.length === 0 && !narrowed ? (
                <EmptyState
                  icon={<IconKey size={28} />}
                  title={t('No keys yet')}
                  text={t('Create one and put it into the program that sends your messages. One key is enough for all your numbers.')}
                >
                  <Button mt="sm" onClick={openNew}>
                    {t('Create your first key')}
                  </Button>
                </EmptyState>
              ) : (
                <KeyList page={page} search={{ ...search, state }} onRevoke={revoking.ask} />
              )
            }
          </Answered>
        </Stack>
        <Rotation />
        <Text size="sm" c="dimmed">
          <Trans
            i18nKey="Everything a key can do is described in the <a>API reference</a>."
            components={{ a: <Anchor href="/docs" target="_blank" inherit underline="always" /> }}
          />
        </Text>
      </Stack>
      <NewKeyDialog opened={add === true} onClose={() => void navigate({ search, replace: true })} />
      {revoking.about !== null && (
        <RevokeDialog opened={revoking.opened} accountId={accountId} apiKey={revoking.about} onClose={revoking.close} />
      )}
    </>
  );
}

function Loading() {
  return (
    <Stack gap="sm" role="status" aria-label={t('Loading the keys')}>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} h={52} radius="md" />
      ))}
    </Stack>
  );
}
