import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import type { AccountHome, AdministeredHome } from '../../../../src/portal/wire/home.ts';
import { FirstSteps } from '../../first-steps/first-steps.tsx';
import { OperatorSteps } from '../../first-steps/operator-steps.tsx';
import { t } from '../../language/language.ts';
import { isSuspended } from '../../parts/account/state.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { brokenInAccount, busyInAccount, endingInAccount } from './account-lines.ts';
import {
  brokenInAdministered,
  busyInAdministered,
  endingInAdministered,
  failingInAdministered,
  stoppedAccounts,
} from './administered-lines.ts';
import classes from './home-page.module.css';
import { HomePart } from './home-part.tsx';
import { homeQuery } from './query.ts';

/** What to know first: of the account that is acted for, and of everything that the person administers. */
export default function HomePage() {
  const { account } = useSession();
  const home = useQuery(homeQuery(account?.account_id ?? null));
  return (
    <div className={classes.page}>
      <PageHeader title={t('Home')} text={t('What needs attention first.')} />
      <OperatorSteps />
      <Answered query={home} loading={<Loading />}>
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

function Administered({ home, named }: { readonly home: AdministeredHome; readonly named: boolean }) {
  const { operator } = rolesOf(useSession());
  return (
    <Stack gap="md">
      {home.accounts === 0 && !operator && (
        <EmptyState
          icon={<IconUsers size={28} />}
          title={t('No accounts yet')}
          text={t('An account is a customer with its own numbers and API keys. Create the first one, and invite its owner.')}
        >
          <Button mt="sm" renderRoot={(props) => <Link to="/operator/accounts" {...props} />}>
            {t('Create the first account')}
          </Button>
        </EmptyState>
      )}
      <HomePart
        name={named ? (operator ? t('All accounts') : t('Accounts of your provider')) : null}
        broken={brokenInAdministered(home)}
        ending={endingInAdministered(home)}
        busy={busyInAdministered(home)}
        sends={home.sends}
        hours={home.hours}
        days={home.days}
        links={{
          hour: (search) => linkOptions({ to: '/operator/accounts', search }),
          day: (search) => linkOptions({ to: '/operator/usage', search }),
        }}
        failures={null}
        failing={[failingInAdministered(home)]}
        unknown={home.health?.checks === null}
        stopped={stoppedAccounts(home)}
      />
    </Stack>
  );
}

function Loading() {
  return (
    <Stack gap="md" role="status" aria-label={t('Loading the overview')}>
      <Skeleton h={64} radius="lg" />
      <Skeleton h={140} radius="lg" />
    </Stack>
  );
}
