import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { call } from '../../../api/client.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { DialogEnd } from '../../../parts/dialog-end.tsx';
import { sessionQuery } from '../../../session/session.ts';
import { BackupCodes } from './backup-codes.tsx';
import { browsersQuery } from './browsers-query.ts';
import { PasswordStep } from './password-step.tsx';

/** Loaded only here: drawing it takes a library. */
const TotpQr = lazy(() => import('./totp-qr.tsx'));

interface Secret {
  readonly totp_uri: string;
  readonly backup_codes: readonly string[];
}

interface EnableTwoFactorProps {
  /** From now on the dialog is closed by its own button only. */
  onHold(): void;
  onClose(): void;
}

/** Password, then the app learns the secret and proves it with a code, then the backup codes. */
export function EnableTwoFactor({ onHold, onClose }: EnableTwoFactorProps) {
  const [proven, setProven] = useState(false);
  const begin = useMutation({
    mutationFn: (password: string) => call<Secret>('/portal/auth/two-factor/enable', { method: 'POST', body: { password } }),
  });
  if (begin.data === undefined) {
    return (
      <PasswordStep
        confirm="Continue"
        busy={begin.isPending}
        error={begin.error}
        onConfirm={(password) => begin.mutate(password)}
        onClose={onClose}
      >
        You need a phone with an authenticator app, such as Aegis, Google Authenticator or 1Password.
      </PasswordStep>
    );
  }
  if (!proven) {
    return (
      <LinkApp
        uri={begin.data.totp_uri}
        onProven={() => {
          onHold();
          setProven(true);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <BackupCodes codes={begin.data.backup_codes} onDone={onClose}>
      Two-factor sign-in is on. Keep these backup codes where you find them without your phone: each lets you in once when the app is lost.
    </BackupCodes>
  );
}

function LinkApp({ uri, onProven, onClose }: { readonly uri: string; onProven(): void; onClose(): void }) {
  const queryClient = useQueryClient();
  const prove = useMutation({
    mutationFn: (code: string) => call('/portal/auth/two-factor/verify-totp', { method: 'POST', body: { code } }),
    onSuccess() {
      // Shown first: the page behind learns of it when the codes are on screen.
      onProven();
      void queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries(browsersQuery);
      void queryClient.invalidateQueries({ queryKey: ['members'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    prove.mutate(String(new FormData(event.currentTarget).get('code')).replaceAll(/\s/g, ''));
  };
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">1. Scan this with the authenticator app.</Text>
        <Group justify="center">
          <Suspense fallback={<Skeleton w={220} h={220} radius="md" />}>
            <TotpQr uri={uri} />
          </Suspense>
        </Group>
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            Or type this key into the app:
          </Text>
          <CopyField value={secret} label="key for the app" />
        </div>
        <TextInput
          name="code"
          label="2. Enter the code the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*(?:\d\s*){6}"
          title="Six digits"
          maxLength={20}
          required
          autoFocus
        />
        <DialogEnd change={prove} onCancel={onClose}>
          Turn on
        </DialogEnd>
      </Stack>
    </form>
  );
}
