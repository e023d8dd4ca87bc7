import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { AccountHome } from '../../../../src/portal/wire/home.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { t } from '../../language/language.ts';
import { isSuspended } from '../../parts/account/state.ts';
import { Answered } from '../../parts/answered.tsx';
import { PartsLoading } from '../../parts/list-parts.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { brokenInAccount, busyInAccount, endingInAccount } from './account-lines.ts';
import { Administered } from './administered.tsx';
import classes from './home-page.module.css';
import { HomePart } from './home-part.tsx';
import { homeQuery } from './query.ts';

// The people of an account need none.
const OperatorSteps = lazy(() => import('../../first-steps/operator-steps.tsx').then((file) => ({ default: file.OperatorSteps })));

/** What to know first: of the account that is acted for, and of everything that the person administers. */
export default function HomePage() {
  const session = useSession();
  const { account } = session;
  const home = useQuery(homeQuery(account?.account_id ?? null));
  return (
    <div className={classes.page}>
      <PageHeader title={t('Home')} text={t('What needs attention first.')} />
      <Suspense>{rolesOf(session).operator && <OperatorSteps userId={session.user.user_id} />}</Suspense>
      <Answered query={home} loading={<PartsLoading label={t('Loading the overview')} heights={[64, 140]} />}>
        {(found) => {
          const both = found.account !== null && found.administered !== null;
          return (
            <Stack gap="xl">
              {found.account !== null && <OfAccount key={found.account.account.account_id} home={found.account} named={both} />}
              {found.administered !== null && <Administered home={found.administered} named={both} />}
              {found.account === null && found.administered === null && (
                <Text c="dimmed">{t('You have no role here any more. Ask the person who invited you.')}</Text>
              )}
            </Stack>
          );
        }}
      </Answered>
    </div>
  );
}

function OfAccount({ home, named }: { readonly home: AccountHome; readonly named: boolean }) {
  const now = Date.now();
  return (
    <div>
      {!isSuspended(home.account) && <FirstSteps />}
      <HomePart
        name={named ? home.account.name : null}
        broken={brokenInAccount(home, now)}
        ending={endingInAccount(home, now)}
        busy={busyInAccount(home)}
        sends={home.sends}
        hours={home.hours}
        days={home.days}
        links={{
          hour: (search) => linkOptions({ to: '/activity', search }),
          day: (search) => linkOptions({ to: '/usage', search }),
        }}
        failures={linkOptions({ to: '/activity', search: { outcome: 'failed' } })}
      />
    </div>
  );
}
