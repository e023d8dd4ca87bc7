import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';

/** The second step of a sign-in: a code of the authenticator app, or one of the backup codes. */
export function SecondFactor({ onEntered }: { onEntered(): Promise<void> }) {
  const [backup, setBackup] = useState(false);
  const verify = useMutation({
    mutationFn: (code: string) => call(`POST /portal/auth/two-factor/${backup ? 'verify-backup-code' : 'verify-totp'}`, { body: { code } }),
    onSuccess: onEntered,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    verify.mutate(String(new FormData(event.currentTarget).get('code')).replaceAll(/\s/g, ''));
  };
  return (
    <EntryFrame
      title={t('One more step')}
      text={backup ? t('Enter one of your backup codes. Each works once.') : t('Enter the code your authenticator app shows.')}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            key={String(backup)}
            name="code"
            label={backup ? t('Backup code') : t('Code')}
            inputMode={backup ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            // Capitals count in a backup code, and the keyboards of phones begin with one.
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={20}
            required
            autoFocus
          />
          <FailureAlert error={verify.error} />
          <Button type="submit" loading={verify.isPending} fullWidth>
            {t('Continue')}
          </Button>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              verify.reset();
              setBackup(!backup);
            }}
          >
            {backup ? t('Use the authenticator app') : t('Use a backup code')}
          </Anchor>
        </Stack>
      </form>
    </EntryFrame>
  );
}
