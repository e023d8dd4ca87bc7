import { Button, Stack } from '@mantine/core';
import { IconKey, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { UserDetail } from '../../../../../src/portal/wire/operator.ts';
import { t } from '../../../language/language.ts';
import { Back } from '../../../parts/back.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { ObjectPage } from '../../../parts/object-page.tsx';
import { useQuestion } from '../../../parts/use-question.ts';
import { LatestInReach } from '../latest-changes.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { userQuery } from '../queries.ts';
import { UserFacts } from './user-facts.tsx';
import { UserRoles } from './user-roles.tsx';

/** One person: how they sign in, what they may do, and what they did last. */
export default function UserPage() {
  const { userId } = useParams({ from: '/signed-in/operator/users/$userId' });
  return (
    <ObjectPage
      back={<Back to="/operator/users">{t('All people')}</Back>}
      query={useQuery(userQuery(userId))}
      title={t('Person')}
      titleOf={({ name }) => name}
      textOf={({ email }) => email}
      actions={(user) => <NewPassword user={user} />}
      missing={{
        icon: <IconUserOff size={28} />,
        title: t('No such person'),
        text: t('They may have been removed, or have no role any more in what you run.'),
      }}
      loading={<ListLoading label={t('Loading the person')} />}
    >
      {(user) => (
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
      )}
    </ObjectPage>
  );
}

function NewPassword({ user }: { readonly user: UserDetail }) {
  const resetting = useQuestion<true>();
  return (
    <>
      <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => resetting.ask(true)}>
        {t('New password link')}
      </Button>
      <PasswordDialog opened={resetting.opened} user={user} onClose={resetting.close} />
    </>
  );
}
