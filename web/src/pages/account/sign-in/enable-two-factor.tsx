import { Group, Skeleton, Text, TextInput } from '@mantine/core';
import { matches } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { call } from '../../../api/client.ts';
import { accountsKey } from '../../../api/queries.ts';
import { t } from '../../../language/language.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { sessionQuery } from '../../../session/session.ts';
import { BackupCodes } from './backup-codes.tsx';
import { browsersQuery } from './browsers-query.ts';
import { PasswordStep } from './password-step.tsx';

/** Loaded only here: drawing it takes a library. */
const TotpQr = lazy(() => import('./totp-qr.tsx'));

/** Password, then the app learns the secret and proves it with a code, then the backup codes. */
export function EnableTwoFactor({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const queryClient = useQueryClient();
  const begin = useMutation({
    mutationFn: (body: { readonly password: string }) => call('POST /portal/auth/two-factor/enable', { body }),
  });
  const prove = useMutation({
    mutationFn: (body: { readonly code: string }) => call('POST /portal/auth/two-factor/verify-totp', { body }),
    onSuccess() {
      void queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries(browsersQuery);
      void queryClient.invalidateQueries({ queryKey: accountsKey });
    },
  });
  const closed = () => {
    begin.reset();
    prove.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={closed}
      title={t('Turn on two-factor sign-in')}
      busy={begin.isPending}
      shownOnce={begin.data !== undefined}
    >
      {begin.data === undefined ? (
        <PasswordStep confirm={t('Continue')} change={begin} onClose={onClose}>
          {t('You need a phone with an authenticator app, such as Aegis, Google Authenticator or 1Password.')}
        </PasswordStep>
      ) : prove.isSuccess ? (
        <BackupCodes codes={begin.data.backup_codes} onDone={onClose}>
          {t(
            'Two-factor sign-in is on. Keep these backup codes somewhere you can reach without your phone: each one signs you in once if you lose the app.',
          )}
        </BackupCodes>
      ) : (
        <LinkApp uri={begin.data.totp_uri} prove={prove} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface LinkAppProps {
  readonly uri: string;
  readonly prove: { readonly error: unknown; readonly isPending: boolean; mutate(fields: { readonly code: string }): void };
  onClose(): void;
}

function LinkApp({ uri, prove, onClose }: LinkAppProps) {
  const { form, submit, failed } = useSentForm(prove, {
    initialValues: { code: '' },
    transformValues: ({ code }) => ({ code: code.replaceAll(/\s/g, '') }),
    validate: { code: matches(/^\s*(?:\d\s*){6}$/, t('Enter the six digits.')) },
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={t('Turn on')} onCancel={onClose}>
      <Text size="sm">{t('1. Scan this with your authenticator app.')}</Text>
      <Group justify="center">
        <Suspense fallback={<Skeleton w={220} h={220} radius="md" />}>
          <TotpQr uri={uri} />
        </Suspense>
      </Group>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t('Or type this key into the app:')}
        </Text>
        <CopyField value={secret} label={t('key for the app')} />
      </div>
      <TextInput
        {...form.getInputProps('code')}
        label={t('2. Enter the code the app shows')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        autoFocus
      />
    </DialogForm>
  );
}
