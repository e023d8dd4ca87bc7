import { TextInput } from '@mantine/core';
import { isNotEmpty } from '@mantine/form';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { inPlainWords } from './failure-words.ts';
import { useRenameNumber } from './use-number-actions.ts';

interface RenameDialogProps {
  readonly opened: boolean;
  readonly number: Instance;
  onClose(): void;
}

/** Gives a number another name. */
export function RenameDialog({ opened, ...form }: RenameDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t('Rename number')}>
      <RenameForm {...form} />
    </Dialog>
  );
}

function RenameForm({ number, onClose }: Omit<RenameDialogProps, 'opened'>) {
  const rename = useRenameNumber(number, onClose);
  const { form, submit, failed } = useSentForm(rename, {
    initialValues: { label: number.label ?? '' },
    transformValues: ({ label }) => ({ label: label.trim() }),
    validate: { label: isNotEmpty(t('Enter a name.')) },
  });
  return (
    <DialogForm onSubmit={submit} change={{ ...failed, error: inPlainWords(failed.error) }} confirm={t('Save')} onCancel={onClose}>
      <TextInput
        label={t('Name')}
        description={t('Only you see it. It does not affect sending.')}
        maxLength={60}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
    </DialogForm>
  );
}
