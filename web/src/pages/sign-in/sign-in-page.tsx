import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { useEntered } from '../../session/use-entered.ts';
import { SecondFactor } from './second-factor.tsx';

/** The sign-in page: e-mail address and password, then a code where two-factor is on. */
export default function SignInPage() {
  const { to } = useSearch({ from: '/sign-in' });
  const entered = useEntered(to);
  const [codeNeeded, setCodeNeeded] = useState(false);
  const signIn = useMutation({
    mutationFn: (fields: { email: string; password: string }) => call('POST /portal/auth/sign-in', { body: fields }),
    onSuccess: ({ two_factor }) => (two_factor ? setCodeNeeded(true) : entered()),
  });
  if (codeNeeded) return <SecondFactor onEntered={entered} />;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    signIn.mutate({ email: String(fields.get('email')), password: String(fields.get('password')) });
  };
  return (
    <EntryFrame title={t('Sign in')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="email" type="email" label={t('E-mail address')} autoComplete="username" required autoFocus />
          <PasswordInput
            name="password"
            label={t('Password')}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
          />
          <FailureAlert error={signIn.error} />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t('Sign in')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('Not invited yet, or forgot your password? Ask the person who runs this gateway for a link.')}
          </Text>
        </Stack>
      </form>
    </EntryFrame>
  );
}
