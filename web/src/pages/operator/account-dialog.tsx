import { Select, SimpleGrid, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { AccountChange, AccountDetail, AccountView } from '../../../../src/portal/wire/index.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { type AccountFields, changeOf, fieldsOf } from './account-fields.ts';
import { EndDay } from './end-day.tsx';
import { NameField, nameMistake } from './name-field.tsx';
import { ProviderSelect } from './place-selects.tsx';
import { plansQuery, providersQuery } from './queries.ts';
import { useSave } from './use-save.ts';
import { numberMistake, WholeNumber } from './whole-number.tsx';

interface AccountDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly account: AccountView | null;
  onSaved(account: AccountDetail): void;
  onClose(): void;
}

/** Creates an account or changes its terms. */
export function AccountDialog({ opened, ...form }: AccountDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={form.account === null ? 'New account' : 'Edit account'} size="lg">
      <AccountForm {...form} />
    </Dialog>
  );
}

const bounds = { min: 0, max: 1_000_000 } as const;

function AccountForm({ account, onSaved, onClose }: Omit<AccountDialogProps, 'opened'>) {
  const session = useSession();
  const { operator } = rolesOf(session);
  const ownProviders = session.memberships.flatMap(({ provider_id }) => (provider_id === null ? [] : [provider_id]));
  // A provider's admin creates accounts at that provider; only operators move an account to another one.
  const chooses = !operator && account === null && ownProviders.length > 1;
  const plans = useQuery(plansQuery);
  const save = useSave<AccountChange, AccountDetail>('account', account?.account_id ?? null, (saved) => {
    onClose();
    onSaved(saved);
  });
  const { form, submit, failed } = useSentForm<AccountFields, AccountChange>(save, {
    initialValues: { ...fieldsOf(account), ...(chooses ? { provider_id: '' } : {}) },
    transformValues: (fields) => ({ ...changeOf(fields, account), ...(chooses ? { provider_id: fields.provider_id } : {}) }),
    validate: {
      name: nameMistake,
      provider_id: (chosen) => (chosen === '' ? 'Choose a provider' : null),
      free_slots: (slots, fields) => (fields.operator ? numberMistake(slots) : null),
    },
  });
  const { plan } = form.values;
  const planLimit = plans.data?.find(({ plan_id }) => plan_id === plan)?.instance_limit;
  return (
    <DialogForm
      onSubmit={submit}
      change={{ ...failed, error: failed.error ?? plans.error }}
      confirm={account === null ? 'Create account' : 'Save'}
      onCancel={onClose}
    >
      <NameField description="The customer's name. Everybody in the account sees it." {...form.getInputProps('name')} />
      {chooses && <ProviderSelect {...form.getInputProps('provider_id')} />}
      {operator && <ProviderField form={form} />}
      <Select
        label="Plan"
        description="Without a plan the account can neither send nor add numbers."
        placeholder="No plan"
        data={(plans.data ?? []).map(({ plan_id, name }) => ({ value: plan_id, label: name }))}
        clearable
        clearButtonProps={{ 'aria-label': 'No plan' }}
        {...form.getInputProps('plan')}
        onChange={(chosen) => form.setValues(chosen === null ? { plan: null, plan_ends_at: '' } : { plan: chosen })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <EndDay
          label="Plan ends"
          none={plan === null ? 'Choose a plan first.' : 'The plan has no end.'}
          before={account?.plan_ends_at ?? null}
          disabled={plan === null}
          {...form.getInputProps('plan_ends_at')}
        />
        <EndDay
          label="Access ends"
          none="The account may be used without an end."
          before={account?.access_ends_at ?? null}
          {...form.getInputProps('access_ends_at')}
        />
      </SimpleGrid>
      {!form.values.operator && (
        <WholeNumber
          label="Own number limit"
          description="How many numbers this account may have. Leave it empty to go by the plan."
          placeholder={planLimit === undefined ? 'As the plan says' : `${planLimit}, as the plan says`}
          {...bounds}
          {...form.getInputProps('instance_limit')}
        />
      )}
      {operator && (
        <Switch
          label="Operator's own account"
          description="For your own numbers, whatever the plan says of their count."
          {...form.getInputProps('operator', { type: 'checkbox' })}
          onChange={(event) => form.setValues({ operator: event.currentTarget.checked, free_slots: null })}
        />
      )}
      {operator && form.values.operator && (
        <WholeNumber
          label="Free slots"
          description="How many numbers this account may have."
          required
          {...bounds}
          {...form.getInputProps('free_slots')}
        />
      )}
    </DialogForm>
  );
}

function ProviderField({ form }: { readonly form: UseFormReturnType<AccountFields, AccountChange> }) {
  const { data: providers = [] } = useQuery(providersQuery);
  return (
    <Select
      label="Provider"
      description="The reseller whose customer this is. Its admins see and change the account."
      data={providers.map(({ provider_id, name }) => ({ value: provider_id, label: name }))}
      allowDeselect={false}
      searchable
      {...form.getInputProps('provider_id')}
    />
  );
}
