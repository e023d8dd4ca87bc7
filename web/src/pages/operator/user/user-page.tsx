import { Button, Stack } from '@mantine/core';
import { IconKey, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { UserDetail } from '../../../../../src/portal/wire/index.ts';
import { isMissing } from '../../../api/is-missing.ts';
import { t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { Back } from '../../../parts/back.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useQuestion } from '../../../parts/use-question.ts';
import { LatestInReach } from '../latest-changes.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { userQuery } from '../queries.ts';
import { UserFacts } from './user-facts.tsx';
import { UserRoles } from './user-roles.tsx';

/** One person: how they sign in, what they may do, and what they did last. */
export default function UserPage() {
  const { userId } = useParams({ from: '/signed-in/operator/users/$userId' });
  const user = useQuery(userQuery(userId));
  const missing = isMissing(user.error);
  return (
    <>
      <Back to="/operator/users">{t('All people')}</Back>
      {(user.data === undefined || missing) && <PageHeader title={t('Person')} />}
      {missing ? (
        <EmptyState
          icon={<IconUserOff size={28} />}
          title={t('No such person')}
          text={t('They may have been removed, or have no role any more in what you run.')}
        />
      ) : (
        <Answered query={user} loading={<ListLoading label={t('Loading the person')} />}>
          {(found) => <Person user={found} />}
        </Answered>
      )}
    </>
  );
}

function Person({ user }: { readonly user: UserDetail }) {
  const resetting = useQuestion<true>();
  return (
    <>
      <PageHeader title={user.name} text={user.email}>
        <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => resetting.ask(true)}>
          {t('New password link')}
        </Button>
      </PageHeader>
      <Stack gap="xl">
        <UserFacts user={user} />
        <UserRoles user={user} />
        <LatestInReach
          title={t('What they did last')}
          filter={{ actor: user.email }}
          all={t('Everything they did')}
          none={t('Nothing in the last 400 days.')}
          accounts
        />
      </Stack>
      <PasswordDialog opened={resetting.opened} user={user} onClose={resetting.close} />
    </>
  );
}
