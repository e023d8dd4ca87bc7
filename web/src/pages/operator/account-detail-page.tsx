import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconUserShield } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AccountDetail } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { AccountFacts } from '../../parts/account/account-facts.tsx';
import { AccountBadge, AccountStateText } from '../../parts/account/account-state.tsx';
import { FormerSection } from '../../parts/account/former-section.tsx';
import { Back } from '../../parts/back.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { ObjectPage } from '../../parts/object-page.tsx';
import { LastFailures } from '../../parts/sends/last-failures.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useActing } from '../../session/acting.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { AccountDialog } from './account-dialog.tsx';
import { AccountNote } from './account-note.tsx';
import { AccountNumbers } from './account-numbers.tsx';
import { AccountPeople } from './account-people.tsx';
import { AccountSends } from './account-sends.tsx';
import { LatestInReach } from './latest-changes.tsx';
import { accountDetailQuery } from './queries.ts';
import { SuspendDialog } from './suspend-dialog.tsx';

/** One account: its terms, its people, its numbers, and what was changed lately. */
export default function AccountDetailPage() {
  const { accountId } = useParams({ from: '/signed-in/operator/accounts/$accountId' });
  return (
    <ObjectPage
      back={<Back to="/operator/accounts">{t('All accounts')}</Back>}
      query={useQuery(accountDetailQuery(accountId))}
      title={t('Account')}
      titleOf={({ name }) => name}
      textOf={(account) => <AccountBadge account={account} />}
      actions={(account) => <Actions key={account.account_id} account={account} />}
      loading={<ListLoading label={t('Loading the account')} />}
    >
      {(account) => (
        <>
          <AccountStateText account={account} />
          <Stack gap="xl">
            <AccountFacts account={account} linked />
            <FormerSection accountId={accountId} />
            <AccountSends accountId={accountId} />
            <LastFailures accountId={accountId} />
            <AccountNote accountId={accountId} />
            <AccountPeople account={account} />
            <AccountNumbers accountId={accountId} />
            <LatestInReach
              title={t('Latest changes')}
              filter={{ account_id: accountId }}
              all={t('All changes to this account')}
              none={t('Nothing was changed in the last 400 days.')}
            />
          </Stack>
        </>
      )}
    </ObjectPage>
  );
}

function Actions({ account }: { readonly account: AccountDetail }) {
  const { account_id, name, status, suspended_by } = account;
  const { operator } = rolesOf(useSession());
  const { actFor } = useActing();
  const [editing, edit] = useDisclosure(false);
  // The dialog keeps its words while it closes, when the account is already shown as it is now.
  const suspending = useQuestion<typeof status>();
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={edit.open}>
        {t('Edit')}
      </Button>
      <Button
        variant="default"
        leftSection={status === 'active' ? <IconPlayerPause size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
        onClick={() => suspending.ask(status)}
      >
        {status === 'active' ? t('Suspend') : t('Resume')}
      </Button>
      <Button leftSection={<IconUserShield size={18} aria-hidden />} onClick={() => actFor(account_id)}>
        {t('Act for account')}
      </Button>
      <AccountDialog opened={editing} account={account} onSaved={() => undefined} onClose={edit.close} />
      <SuspendDialog
        opened={suspending.opened}
        what="account"
        id={account_id}
        name={name}
        status={suspending.about ?? status}
        undoable={suspended_by === null || suspended_by === (operator ? 'operator' : 'provider')}
        onClose={suspending.close}
      />
    </>
  );
}
