import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { t } from '../../language/language.ts';
import type { TargetFields, TargetPlace } from '../../parts/alerts/target-form.tsx';
import { ownProviders, rolesOf, useSession } from '../../session/session.ts';
import { ProviderSelect } from './place-selects.tsx';
import { useProviderNames } from './queries.ts';

/** Whose accounts a target is told of: chosen by operators from everything, by others from their providers. */
export function useAlertPlace(): { readonly place: TargetPlace; toldOf(target: AlertTargetView): ReactNode } {
  const session = useSession();
  const { operator } = rolesOf(session);
  const [only = null, ...others] = ownProviders(session);
  return {
    place: {
      provider_id: operator || others.length > 0 ? null : only,
      field: (form) => (operator ? <EverythingOrProvider form={form} /> : <ProviderSelect {...form.getInputProps('provider_id')} />),
    },
    toldOf: ({ provider_id }) => (provider_id === null ? t('All', { context: 'accounts' }) : <AccountsOf providerId={provider_id} />),
  };
}

function AccountsOf({ providerId }: { readonly providerId: string }) {
  const names = useProviderNames([providerId]);
  return t('Accounts of {{provider}}', { provider: names[providerId] ?? providerId });
}

function EverythingOrProvider({ form }: { readonly form: UseFormReturnType<TargetFields, object> }) {
  return (
    <ProviderSelect
      label={t('For the accounts of')}
      placeholder={t('All providers, and this gateway itself')}
      none={t('All providers')}
      {...form.getInputProps('provider_id')}
    />
  );
}
