import { Button, Group, Stack } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { MemberDetail } from '../../../../../src/portal/wire/account.ts';
import { t } from '../../../language/language.ts';
import { Back } from '../../../parts/back.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { ObjectPage } from '../../../parts/object-page.tsx';
import { memberActions } from '../../../parts/people/member-actions.ts';
import { MemberDialog, type MemberQuestion } from '../../../parts/people/member-dialog.tsx';
import { type AccountOfPeople, memberQuery } from '../../../parts/people/members.ts';
import { YouBadge } from '../../../parts/people/you-badge.tsx';
import { useQuestion } from '../../../parts/use-question.ts';
import { ForManagers } from './for-managers.tsx';
import { MemberChanges } from './member-changes.tsx';
import { MemberFacts } from './member-facts.tsx';

/** One member of the account: how they sign in, what they did in it last, and their role. */
export default function MemberPage() {
  return <ForManagers>{(account) => <OneOf account={account} />}</ForManagers>;
}

function OneOf({ account }: { readonly account: AccountOfPeople }) {
  const { userId } = useParams({ from: '/signed-in/of-account/account/members/$userId' });
  return (
    <ObjectPage
      back={
        <Back to="/account" search={{ part: 'members' }}>
          {t('All members')}
        </Back>
      }
      query={useQuery(memberQuery(account.account_id, userId))}
      title={t('Member')}
      titleOf={({ name }) => name}
      textOf={({ email, user_id }) => (
        <Group component="span" gap={6}>
          {email}
          <YouBadge userId={user_id} />
        </Group>
      )}
      actions={(member) => <Actions account={account} member={member} />}
      missing={{
        icon: <IconUserOff size={28} />,
        title: t('No such member'),
        text: t('They may have left this account, or were removed from it.'),
      }}
      loading={<ListLoading label={t('Loading the member')} />}
    >
      {(member) => (
        <Stack gap="xl">
          <MemberFacts member={member} />
          <MemberChanges accountId={account.account_id} email={member.email} />
        </Stack>
      )}
    </ObjectPage>
  );
}

function Actions({ account, member }: { readonly account: AccountOfPeople; readonly member: MemberDetail }) {
  const navigate = useNavigate();
  const question = useQuestion<MemberQuestion>();
  return (
    <>
      {memberActions(member).map(({ change, label, icon: Icon }) => (
        <Button
          key={change}
          variant="default"
          leftSection={<Icon size={18} aria-hidden />}
          onClick={() => question.ask({ member, change })}
        >
          {label}
        </Button>
      ))}
      {question.about !== null && (
        <MemberDialog
          key={question.about.change}
          opened={question.opened}
          account={account}
          question={question.about}
          leave={() => navigate({ to: '/account', search: { part: 'members' } })}
          onClose={question.close}
        />
      )}
    </>
  );
}
