import { Button, Group, Stack } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { MemberDetail } from '../../../../../src/portal/wire/index.ts';
import { isMissing } from '../../../api/is-missing.ts';
import { t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { Back } from '../../../parts/back.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
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
  const member = useQuery(memberQuery(account.account_id, userId));
  const missing = isMissing(member.error);
  return (
    <>
      <Back to="/account" search={{ part: 'members' }}>
        {t('All members')}
      </Back>
      {(member.data === undefined || missing) && <PageHeader title={t('Member')} />}
      {missing ? (
        <EmptyState
          icon={<IconUserOff size={28} />}
          title={t('No such member')}
          text={t('They may have left this account, or were removed from it.')}
        />
      ) : (
        <Answered query={member} loading={<ListLoading label={t('Loading the member')} />}>
          {(found) => <Member account={account} member={found} />}
        </Answered>
      )}
    </>
  );
}

function Member({ account, member }: { readonly account: AccountOfPeople; readonly member: MemberDetail }) {
  const navigate = useNavigate();
  const question = useQuestion<MemberQuestion>();
  return (
    <>
      <PageHeader
        title={member.name}
        text={
          <Group component="span" gap={6}>
            {member.email}
            <YouBadge userId={member.user_id} />
          </Group>
        }
      >
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
      </PageHeader>
      <Stack gap="xl">
        <MemberFacts member={member} />
        <MemberChanges accountId={account.account_id} email={member.email} />
      </Stack>
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
