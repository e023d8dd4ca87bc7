import { Button, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link, linkOptions } from '@tanstack/react-router';
import type { AdministeredHome } from '../../../../src/portal/wire/home.ts';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import {
  brokenInAdministered,
  busyInAdministered,
  endingInAdministered,
  failingInAdministered,
  stoppedAccounts,
} from './administered-lines.ts';
import { HomePart } from './home-part.tsx';

/** What to know first of everything that the person administers. */
export function Administered({ home, named }: { readonly home: AdministeredHome; readonly named: boolean }) {
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
