import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { NewKeyView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { instancesQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useChange } from '../../parts/use-change.ts';
import { useSentForm } from '../../parts/use-sent-form.ts';
import { useAccountId, useSession } from '../../session/session.ts';
import { readyCommand } from './ready-command.ts';

interface NewKeyDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Makes a key and shows it, the only time it can be seen. */
export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const create = useChange(({ label }: { readonly label: string }) =>
    call('POST /portal/api/keys', { body: label === '' ? {} : { label } }),
  );
  const { data: made } = create;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={create.reset}
      title={made === undefined ? t('Create an API key') : t('Your new API key')}
      size={made === undefined ? 'md' : 'lg'}
      busy={create.isPending}
      shownOnce={made !== undefined}
    >
      {made === undefined ? <Form create={create} onClose={onClose} /> : <Made made={made} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  readonly create: { readonly error: unknown; readonly isPending: boolean; mutate(fields: { readonly label: string }): void };
  onClose(): void;
}

function Form({ create, onClose }: FormProps) {
  const { form, submit, failed } = useSentForm(create, {
    initialValues: { label: '' },
    transformValues: ({ label }) => ({ label: label.trim() }),
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={t('Create key')} onCancel={onClose}>
      <TextInput
        label={t('Name')}
        description={t('Where the key will be used, for example “Web shop”. It helps you tell your keys apart.')}
        maxLength={60}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
    </DialogForm>
  );
}

function Made({ made, onClose }: { readonly made: NewKeyView; onClose(): void }) {
  const { base_url } = useSession();
  const { data: numbers } = useQuery(instancesQuery(useAccountId()));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const { about, command } = readyCommand({ baseUrl: base_url, key: made.key, numbers: numbers ?? [] });
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label={t('Your new API key')} style={{ outline: 'none' }}>
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
        {t('Copy the key now. It is shown only once. If you lose it, create a new one.')}
      </Alert>
      <CopyField value={made.key} label={t('API key')} />
      <div>
        <Text fw={600}>{t('Try it')}</Text>
        <Text size="sm" c="dimmed" mb="xs">
          {about}
        </Text>
        <CopyField value={command} label={t('Command')} block />
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('I have copied the key')}</Button>
      </Group>
    </Stack>
  );
}
