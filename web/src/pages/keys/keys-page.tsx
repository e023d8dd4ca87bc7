import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyView } from '../../../../src/portal/wire/account.ts';
import { accountKey } from '../../api/queries.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { Trans, t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { keysPath } from '../../parts/keys/keys.ts';
import { RevokeDialog } from '../../parts/keys/revoke-dialog.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useAccountId } from '../../session/session.ts';
import { KeyTable } from './key-table.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeKeysAction } from './revoke-keys-action.tsx';
import { Rotation } from './rotation.tsx';

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'label', label: t('By name') },
  { value: '-used', label: t('Last used first') },
];
/** Besides, of those that are revoked; the first one is theirs. */
const ordersOfRevoked = () => [{ value: '-revoked', label: t('Last revoked first') }, ...orders()];

/** The account's API keys: making, seeing and revoking them, and how one replaces another. */
export default function KeysPage() {
  const { add, ...search } = useSearch({ from: '/signed-in/of-account/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const accountId = useAccountId();
  const list = useList({
    queryKey: accountKey(accountId, 'keys'),
    path: keysPath,
    search,
    otherwise: { state: 'in_use' },
    account: accountId,
  });
  const revoked = list.search.state === 'revoked';
  const revoking = useQuestion<KeyView>();
  const openNew = () => void navigate({ search: { ...search, add: true } });
  return (
    <>
      <ListPage
        list={list}
        title={t('API keys')}
        text={t('Your programs use an API key to send through this gateway. Keep it as secret as a password.')}
        buttons={
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openNew}>
            {t('Create key')}
          </Button>
        }
        above={<FirstSteps />}
        filters={
          <Group gap="sm">
            <SegmentedControl
              aria-label={t('Which keys')}
              data={[
                { value: 'in_use', label: t('In use') },
                { value: 'revoked', label: t('Revoked', { context: 'keys' }) },
              ]}
              value={revoked ? 'revoked' : 'in_use'}
              onChange={(chosen) =>
                list.narrow(chosen === 'revoked' ? { state: chosen, sort: '-revoked' } : { state: undefined, sort: undefined })
              }
            />
            <SearchField {...list.find} label={t('Find a key')} placeholder={t('Find by name or first characters')} />
          </Group>
        }
        loading={<ListLoading label={t('Loading the keys')} rows={3} />}
        count={(count) => t('{{count}} keys', { count, defaultValue_one: '{{count}} key' })}
        orders={revoked ? ordersOfRevoked() : orders()}
        none={
          <EmptyState
            icon={<IconKey size={28} />}
            title={t('No keys yet')}
            text={t('Create one and put it into the program that sends your messages. One key is enough for all your numbers.')}
          >
            <Button mt="sm" onClick={openNew}>
              {t('Create your first key')}
            </Button>
          </EmptyState>
        }
        nothingFits={revoked && list.search.search === undefined ? t('No key was revoked.') : t('No key matches.')}
        actions={(ids, onDone) => <RevokeKeysAction ids={ids} account={accountId} onDone={onDone} />}
      >
        {(keys) => <KeyTable keys={keys} order={list.order} choice={list.choice} onRevoke={revoking.ask} />}
      </ListPage>
      <Stack gap="xl" mt="xl">
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
