import { Modal, Select, SimpleGrid, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AccountDetail, AccountView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { DialogEnd } from '../../parts/dialog-end.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { type AccountFields, changeOf, fieldsOf } from './account-fields.ts';
import { EndDay } from './end-day.tsx';
import { NameField } from './name-field.tsx';
import { plansQuery, providersQuery } from './queries.ts';
import { useChange } from './use-change.ts';
import { WholeNumber } from './whole-number.tsx';

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
    <Modal opened={opened} onClose={form.onClose} title={form.account === null ? 'New account' : 'Edit account'} size="lg" centered>
      <AccountForm {...form} />
    </Modal>
  );
}

function AccountForm({ account, onSaved, onClose }: Omit<AccountDialogProps, 'opened'>) {
  const { operator } = rolesOf(useSession());
  const plans = useQuery(plansQuery);
  const [fields, setFields] = useState(() => fieldsOf(account));
  const set = (changed: Partial<AccountFields>) => setFields((old) => ({ ...old, ...changed }));
  const save = useChange(
    () =>
      account === null
        ? call<AccountDetail>('/portal/api/operator/accounts', { method: 'POST', body: changeOf(fields, null) })
        : call<AccountDetail>(`/portal/api/operator/accounts/${account.account_id}`, { method: 'PATCH', body: changeOf(fields, account) }),
    {
      said: ({ name }) => (account === null ? `The account ${name} is created.` : `${name} is changed.`),
      onDone(saved) {
        onClose();
        onSaved(saved);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const planLimit = plans.data?.find(({ plan_id }) => plan_id === fields.planId)?.instance_limit;
  return (
    <form onSubmit={submit}>
      <Stack>
        <NameField
          value={fields.name}
          description="The customer's name. Everybody in the account sees it."
          onChange={(name) => set({ name })}
        />
        {operator && <ProviderField value={fields.providerId} onChange={(providerId) => set({ providerId })} />}
        <Select
          label="Plan"
          description="Without a plan the account can neither send nor add numbers."
          placeholder="No plan"
          data={(plans.data ?? []).map(({ plan_id, name }) => ({ value: plan_id, label: name }))}
          value={fields.planId}
          onChange={(planId) => set(planId === null ? { planId, planEndDay: '' } : { planId })}
          clearable
          clearButtonProps={{ 'aria-label': 'No plan' }}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <EndDay
            label="Plan ends"
            none={fields.planId === null ? 'Choose a plan first.' : 'The plan has no end.'}
            day={fields.planEndDay}
            before={account?.plan_ends_at ?? null}
            disabled={fields.planId === null}
            onChange={(planEndDay) => set({ planEndDay })}
          />
          <EndDay
            label="Access ends"
            none="The account may be used without an end."
            day={fields.accessEndDay}
            before={account?.access_ends_at ?? null}
            onChange={(accessEndDay) => set({ accessEndDay })}
          />
        </SimpleGrid>
        {!fields.operator && (
          <WholeNumber
            label="Own number limit"
            description="How many numbers this account may have. Leave it empty to go by the plan."
            placeholder={planLimit === undefined ? 'As the plan says' : `${planLimit}, as the plan says`}
            value={fields.instanceLimit}
            onChange={(instanceLimit) => set({ instanceLimit })}
            {...bounds}
          />
        )}
        {operator && <OperatorFields fields={fields} set={set} />}
        <DialogEnd change={{ error: save.error ?? plans.error, isPending: save.isPending }} onCancel={onClose}>
          {account === null ? 'Create account' : 'Save'}
        </DialogEnd>
      </Stack>
    </form>
  );
}

const bounds = { min: 0, max: 1_000_000 } as const;

function ProviderField({ value, onChange }: { readonly value: string; onChange(providerId: string): void }) {
  const { data: providers = [] } = useQuery(providersQuery);
  return (
    <Select
      label="Provider"
      description="The reseller whose customer this is. Its admins see and change the account."
      data={providers.map(({ provider_id, name }) => ({ value: provider_id, label: name }))}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      allowDeselect={false}
      searchable
    />
  );
}

function OperatorFields({ fields, set }: { readonly fields: AccountFields; set(changed: Partial<AccountFields>): void }) {
  return (
    <>
      <Switch
        label="Operator's own account"
        description="For your own numbers, whatever the plan says of their count."
        checked={fields.operator}
        onChange={(event) => set({ operator: event.currentTarget.checked, freeSlots: null })}
      />
      {fields.operator && (
        <WholeNumber
          label="Free slots"
          description="How many numbers this account may have."
          value={fields.freeSlots}
          onChange={(freeSlots) => set({ freeSlots })}
          required
          {...bounds}
        />
      )}
    </>
  );
}
