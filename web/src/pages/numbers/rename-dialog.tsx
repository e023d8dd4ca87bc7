import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useId } from 'react';
import type { Instance } from '../../api/queries.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { inPlainWords } from './failure-words.ts';
import { useRenameNumber } from './use-number-actions.ts';

interface RenameDialogProps {
  readonly opened: boolean;
  readonly number: Instance;
  onClose(): void;
}

/** Gives a number another name. */
export function RenameDialog({ opened, number, onClose }: RenameDialogProps) {
  const rename = useRenameNumber(onClose);
  const formId = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const label = String(new FormData(event.currentTarget).get('label')).trim();
    rename.mutate({ number, label });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Rename number" centered>
      <form onSubmit={submit} id={formId}>
        <Stack>
          <TextInput
            name="label"
            label="Name"
            description="Only you see it. Nothing about sending depends on it."
            defaultValue={number.label ?? ''}
            maxLength={60}
            // A name of spaces alone is none.
            pattern=".*\S.*"
            title="A name with at least one letter or digit"
            required
            autoComplete="off"
            data-autofocus
          />
          <FailureAlert error={inPlainWords(rename.error)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
