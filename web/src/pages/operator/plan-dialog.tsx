import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlanView } from '../../../../src/portal/wire/account.ts';
import type { PlanChoice } from '../../../../src/portal/wire/customers.ts';
import { call } from '../../api/client.ts';
import type { PlanFields } from '../../api/endpoints.ts';
import { t } from '../../language/language.ts';
import { changedFields } from '../../parts/changed-fields.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { numberMistake, WholeNumber } from '../../parts/whole-number.tsx';
import { NameField, nameMistake } from './name-field.tsx';
import { planBack, planFields } from './plan-fields.ts';
import { plansQuery } from './queries.ts';
import { useSave } from './use-save.ts';

interface PlanDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly plan: PlanChoice | null;
  onClose(): void;
}

/** Creates a plan or changes it. */
export function PlanDialog({ opened, ...form }: PlanDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={form.plan === null ? t('New plan') : t('Edit plan')}>
      <PlanForm {...form} />
    </Dialog>
  );
}

/** A plan while it is edited; null: nothing is filled in. */
interface FormFields {
  readonly name: string;
  readonly messages_per_minute: number | null;
  readonly instance_limit: number | null;
  readonly trial: boolean;
  /** Counts for a trial only. */
  readonly trial_message_limit: number | null;
  readonly is_default: boolean;
}

function PlanForm({ plan, onClose }: Omit<PlanDialogProps, 'opened'>) {
  const { data: plans = [] } = useQuery(plansQuery);
  const save = useSave<PlanFields, PlanView>({
    what: 'plan',
    id: plan?.plan_id ?? null,
    create: (body) => call('POST /portal/api/operator/plans', { body }),
    change: (id, body) => call('PATCH /portal/api/operator/plans/:id', { params: { id }, body }),
    changed: (body) => (plan === null ? body : changedFields(body, planFields(plan))),
    before: (changed) => (plan === null ? null : planBack(changed, plan, plans)),
    onDone: onClose,
  });
  const { form, submit, failed } = useSentForm<FormFields, PlanFields>(save, {
    initialValues: {
      name: plan?.name ?? '',
      messages_per_minute: plan?.messages_per_minute ?? 60,
      instance_limit: plan?.instance_limit ?? 1,
      trial: plan !== null && plan.trial_message_limit !== null,
      trial_message_limit: plan?.trial_message_limit ?? 100,
      is_default: plan?.is_default ?? false,
    },
    transformValues: ({ name, trial, trial_message_limit, is_default, ...limits }) => ({
      ...limits,
      // The default is chosen among the plans that exist.
      ...(plan === null ? {} : { is_default }),
      name: name.trim(),
      trial_message_limit: trial ? trial_message_limit : null,
    }),
    validate: {
      name: nameMistake,
      messages_per_minute: numberMistake,
      instance_limit: numberMistake,
      trial_message_limit: (limit, { trial }) => (trial ? numberMistake(limit) : null),
    },
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={plan === null ? t('Create plan') : t('Save')} onCancel={onClose}>
      {plan !== null && (
        <Text size="sm" c="dimmed">
          {t('Changes apply to every account on this plan, from its next request on.')}
        </Text>
      )}
      <NameField {...form.getInputProps('name')} />
      <WholeNumber
        label={t('Messages per minute')}
        description={t('Number checks count too. Anything above this is refused, and the caller is told when to try again.')}
        min={1}
        max={1_000_000}
        required
        {...form.getInputProps('messages_per_minute')}
      />
      <WholeNumber
        label={t('Numbers')}
        description={t('How many numbers an account may have, unless it has its own limit.')}
        min={0}
        max={1_000_000}
        required
        {...form.getInputProps('instance_limit')}
      />
      <Switch
        label={t('Trial')}
        description={t('After a fixed number of messages in total, the account needs another plan.')}
        {...form.getInputProps('trial', { type: 'checkbox' })}
      />
      {form.values.trial && (
        <WholeNumber
          label={t('Trial messages')}
          description={t('In total, not per day or month. Every kind of message counts; number checks do not.')}
          min={1}
          max={1_000_000_000}
          required
          {...form.getInputProps('trial_message_limit')}
        />
      )}
      {plan !== null && (
        <Switch
          label={t('Default plan')}
          description={t('Proposed for new accounts whose provider has no default of its own.')}
          {...form.getInputProps('is_default', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}
