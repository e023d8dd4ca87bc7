import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AccountChange, AccountDetail, NewAccountView } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { numberMistake, WholeNumber } from '../../parts/whole-number.tsx';
import { ownProviders, rolesOf, useSession } from '../../session/session.ts';
import { type AccountFields, changeBack, changeOf, fieldsOf } from './account-fields.ts';
import { AccountMade } from './account-made.tsx';
import { useDefaultPlan } from './default-plan.tsx';
import { EndDay } from './end-day.tsx';
import { NameField, nameMistake } from './name-field.tsx';
import { ProviderSelect } from './place-selects.tsx';
import { planOption } from './plan-option.ts';
import { plansQuery } from './queries.ts';
import { useSave } from './use-save.ts';

interface AccountDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly account: AccountDetail | null;
  onSaved(account: AccountDetail): void;
  onClose(): void;
}

/** An account that was saved; one that was created has its owner's invitation. */
type Saved = AccountDetail & Partial<NewAccountView>;

/** Creates an account or changes its terms. */
export function AccountDialog({ opened, account, onSaved, onClose }: AccountDialogProps) {
  const [saved, setSaved] = useState<Saved | null>(null);
  const save = useSave<AccountChange, Saved>({
    what: 'account',
    id: account?.account_id ?? null,
    create: (body) => call('POST /portal/api/operator/accounts', { body }),
    change: (id, body) => call('PATCH /portal/api/operator/accounts/:id', { params: { id }, body }),
    changed: (body) => body,
    before: (change) => (account === null ? {} : changeBack(change, account)),
    onDone(done) {
      setSaved(done);
      if (done.invitation == null) onClose();
    },
  });
  const invitation = saved?.invitation ?? null;
  const closed = () => {
    // Only now: an open dialog keeps the page while it waits for a link or shows one.
    if (saved !== null) onSaved(saved);
    setSaved(null);
    save.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={closed}
      title={account === null ? t('New account') : t('Edit account')}
      size="lg"
      busy={account === null && save.isPending}
      shownOnce={invitation !== null}
    >
      {saved === null || invitation === null ? (
        <AccountForm account={account} save={save} onClose={onClose} />
      ) : (
        <AccountMade name={saved.name} invitation={invitation} onClose={onClose} />
      )}
    </Dialog>
  );
}

const bounds = { min: 0, max: 1_000_000 } as const;

interface AccountFormProps extends Pick<AccountDialogProps, 'account' | 'onClose'> {
  readonly save: { readonly error: unknown; readonly isPending: boolean; mutate(change: AccountChange): void };
}

function AccountForm({ account: shown, save, onClose }: AccountFormProps) {
  // As it was when the dialog opened: what others change meanwhile is no change made here.
  const [account] = useState(shown);
  const session = useSession();
  const { operator } = rolesOf(session);
  const administered = ownProviders(session);
  // A provider's admin creates accounts at that provider; only operators move an account to another one.
  const chooses = !operator && account === null && administered.length > 1;
  const plans = useQuery(plansQuery);
  const { form, submit, failed } = useSentForm<AccountFields, AccountChange>(save, {
    initialValues: { ...fieldsOf(account), ...(chooses ? { provider_id: '' } : {}) },
    transformValues: (fields) => ({ ...changeOf(fields, account), ...(chooses ? { provider_id: fields.provider_id } : {}) }),
    validate: {
      name: nameMistake,
      provider_id: (chosen) => (chosen === '' ? t('Choose a provider') : null),
      free_slots: (slots, fields) => (fields.operator ? numberMistake(slots) : null),
    },
  });
  const { plan } = form.values;
  const usual = useDefaultPlan(operator || chooses ? form.values.provider_id : (administered[0] ?? null));
  // A ref, because an effect that was due before the choice may run after it and would undo it.
  const planChosen = useRef(account !== null);
  const { setFieldValue } = form;
  // A new account begins with the default plan of its provider, until a plan is chosen.
  useEffect(() => {
    if (!planChosen.current) setFieldValue('plan', usual);
  }, [usual, setFieldValue]);
  const planLimit = plans.data?.find(({ plan_id }) => plan_id === plan)?.instance_limit;
  return (
    <DialogForm
      onSubmit={submit}
      change={{ ...failed, error: failed.error ?? plans.error }}
      confirm={account === null ? t('Create account') : t('Save')}
      onCancel={onClose}
    >
      <NameField description={t("The customer's name. Everybody in the account sees it.")} {...form.getInputProps('name')} />
      {account === null && (
        <TextInput
          type="email"
          label={t("Owner's e-mail address")}
          description={t('Optional. They are invited, and can link numbers, make keys and invite others.')}
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('owner_email')}
        />
      )}
      {chooses && <ProviderSelect {...form.getInputProps('provider_id')} />}
      {operator && <ProviderField form={form} />}
      <Select
        label={t('Plan')}
        description={t('Without a plan the account can neither send nor add numbers.')}
        placeholder={t('No plan')}
        data={(plans.data ?? []).map(planOption)}
        clearable
        clearButtonProps={{ 'aria-label': t('No plan') }}
        {...form.getInputProps('plan')}
        onChange={(chosen) => {
          planChosen.current = true;
          form.setValues(chosen === null ? { plan: null, plan_ends_at: '' } : { plan: chosen });
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <EndDay
          label={t('Plan ends')}
          none={plan === null ? t('Choose a plan first.') : t('The plan has no end.')}
          before={account?.plan_ends_at ?? null}
          disabled={plan === null}
          {...form.getInputProps('plan_ends_at')}
        />
        <EndDay
          label={t('Access ends')}
          none={t('The account can be used indefinitely.')}
          before={account?.access_ends_at ?? null}
          {...form.getInputProps('access_ends_at')}
        />
      </SimpleGrid>
      {!form.values.operator && (
        <WholeNumber
          label={t('Own number limit')}
          description={t("How many numbers this account may have. Leave it empty to use the plan's limit.")}
          placeholder={planLimit === undefined ? t('From the plan') : t('{{limit}}, from the plan', { limit: planLimit })}
          {...bounds}
          {...form.getInputProps('instance_limit')}
        />
      )}
      <TextInput
        label={t('Reference')}
        description={t('Optional. What you call this customer in your own books. The customer does not see it.')}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('reference')}
      />
      {operator && (
        <Switch
          label={t("Operator's own account")}
          description={t("For your own numbers, regardless of the plan's limit.")}
          {...form.getInputProps('operator', { type: 'checkbox' })}
          onChange={(event) => form.setValues({ operator: event.currentTarget.checked, free_slots: null })}
        />
      )}
      {operator && form.values.operator && (
        <WholeNumber
          label={t('Free slots')}
          description={t('How many numbers this account may have.')}
          required
          {...bounds}
          {...form.getInputProps('free_slots')}
        />
      )}
    </DialogForm>
  );
}

function ProviderField({ form }: { readonly form: UseFormReturnType<AccountFields, AccountChange> }) {
  return (
    <ProviderSelect
      description={t('The reseller whose customer this is. Its admins can see and change the account.')}
      {...form.getInputProps('provider_id')}
    />
  );
}
