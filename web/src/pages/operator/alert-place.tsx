import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AlertTargetView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import type { TargetFields, TargetPlace } from '../../parts/alerts/target-form.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { ProviderSelect } from './place-selects.tsx';
import { useProviderNames } from './queries.ts';

/** Whose accounts a target is told of: chosen by operators from everything, by others from their providers. */
export function useAlertPlace(): { readonly place: TargetPlace; toldOf(target: AlertTargetView): string } {
  const { operator } = rolesOf(useSession());
  const names = useProviderNames();
  const [only = null, ...others] = Object.keys(names);
  return {
    place: {
      provider_id: operator || others.length > 0 ? null : only,
      field: (form) => (operator ? <EverythingOrProvider form={form} /> : <ProviderSelect {...form.getInputProps('provider_id')} />),
    },
    toldOf: ({ provider_id }) =>
      provider_id === null ? t('All') : t('Those of {{provider}}', { provider: names[provider_id] ?? provider_id }),
  };
}

function EverythingOrProvider({ form }: { readonly form: UseFormReturnType<TargetFields, object> }) {
  const options = Object.entries(useProviderNames()).map(([value, label]) => ({ value, label }));
  return (
    <Select
      label={t('Of the accounts of')}
      placeholder={t('All providers, and this gateway itself')}
      data={options}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('All providers') }}
      {...form.getInputProps('provider_id')}
    />
  );
}
