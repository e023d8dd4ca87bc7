import { useState } from 'react';
import type { ProviderView } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import type { ProviderFields } from '../../api/endpoints.ts';
import { t } from '../../language/language.ts';
import { changedFields, fieldsBefore } from '../../parts/changed-fields.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { WholeNumber } from '../../parts/whole-number.tsx';
import { DefaultPlanSelect } from './default-plan.tsx';
import { NameField, nameMistake } from './name-field.tsx';
import { useSave } from './use-save.ts';

interface ProviderDialogProps {
  readonly opened: boolean;
  /** null: a new one. */
  readonly provider: ProviderView | null;
  onClose(): void;
}

/** Creates a provider or changes it. */
export function ProviderDialog({ opened, ...form }: ProviderDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={form.provider === null ? t('New provider') : t('Edit provider')}>
      <ProviderForm {...form} />
    </Dialog>
  );
}

function fieldsOf(provider: ProviderView | null): ProviderFields {
  return {
    name: provider?.name ?? '',
    number_capacity: provider?.number_capacity ?? null,
    default_plan: provider?.default_plan_id ?? null,
  };
}

function ProviderForm({ provider, onClose }: Omit<ProviderDialogProps, 'opened'>) {
  // As it was when the dialog opened: what others change meanwhile is no change made here.
  const [initialValues] = useState(() => fieldsOf(provider));
  const save = useSave<ProviderFields, ProviderView>({
    what: 'provider',
    id: provider?.provider_id ?? null,
    create: (body) => call('POST /portal/api/operator/providers', { body }),
    change: (id, body) => call('PATCH /portal/api/operator/providers/:id', { params: { id }, body }),
    changed: (body) => changedFields(body, initialValues),
    before: (changed) => fieldsBefore(changed, fieldsOf(provider)),
    onDone: onClose,
  });
  const { form, submit, failed } = useSentForm<ProviderFields>(save, {
    initialValues,
    transformValues: (values) => ({ ...values, name: values.name.trim() }),
    validate: { name: nameMistake },
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={provider === null ? t('Create provider') : t('Save')} onCancel={onClose}>
      <NameField {...form.getInputProps('name')} />
      <WholeNumber
        label={t('Maximum numbers')}
        description={t(
          'How many numbers all its accounts may have together. A limit below the current count removes none, but no more can be added.',
        )}
        placeholder={t('No limit')}
        min={0}
        max={10_000_000}
        {...form.getInputProps('number_capacity')}
      />
      <DefaultPlanSelect {...form.getInputProps('default_plan')} />
    </DialogForm>
  );
}
