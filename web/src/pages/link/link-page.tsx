import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import type { LinkUse, LinkView, Role } from '../../../../src/portal/wire/session.ts';
import { call } from '../../api/client.ts';
import { linkBrandQuery } from '../../brand/brand.ts';
import { Trans, t } from '../../language/language.ts';
import { EntryFrame, OneMoment } from '../../parts/entry-frame.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { useEntered } from '../../session/use-entered.ts';
import { SecondFactor } from '../sign-in/second-factor.tsx';
import { DeadLink } from './dead-link.tsx';

// Only whoever holds a phone needs it.
const ScanPage = lazy(() => import('./scan-page.tsx').then((file) => ({ default: file.ScanPage })));

/** The page behind a one-time link: the first operator, an invitation, a new password, the codes of a number. */
export default function LinkPage() {
  const { token } = useParams({ from: '/link/$token' });
  const link = useQuery({
    queryKey: ['link', token],
    async queryFn({ client }) {
      const found = await call('GET /portal/api/links/:token', { params: { token } });
      client.setQueryData(linkBrandQuery.queryKey, found.scan?.brand ?? null);
      return found;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link.isPending) return <OneMoment />;
  if (link.isError) return <DeadLink error={link.error} />;
  const { purpose, scan } = link.data;
  if (purpose === 'alerts') return <ConfirmAlerts link={link.data} token={token} />;
  if (purpose === 'scan')
    return (
      <Suspense fallback={<OneMoment />}>
        {scan !== undefined && <ScanPage token={token} number={scan} account={link.data.leads_to ?? ''} expiresAt={link.data.expires_at} />}
      </Suspense>
    );
  return <UseLink link={{ ...link.data, purpose }} token={token} />;
}

/** Asks whether an address wants alerts; a click, because programs that check mails open links. */
function ConfirmAlerts({ link, token }: { readonly link: LinkView; readonly token: string }) {
  const confirm = useMutation({ mutationFn: () => call('POST /portal/api/links/:token/confirm', { params: { token } }) });
  const names = { name: link.leads_to ?? '', email: link.email ?? '' };
  if (confirm.isSuccess) {
    return (
      <EntryFrame title={t('Alerts by e-mail')}>
        <Text role="status">{t('Alerts of {{name}} go to {{email}} from now on.', names)}</Text>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title={t('Alerts by e-mail')}
      text={t(
        '{{name}} wants to have {{email}} told when something is wrong with its numbers. If you do not want that, close this page.',
        names,
      )}
    >
      <Stack>
        <FailureAlert error={confirm.error} />
        <Button onClick={() => confirm.mutate()} loading={confirm.isPending} fullWidth>
          {t('Get these alerts')}
        </Button>
      </Stack>
    </EntryFrame>
  );
}

type SignInLink = LinkView & { readonly purpose: Exclude<LinkView['purpose'], 'alerts' | 'scan'> };

function UseLink({ link, token }: { readonly link: SignInLink; readonly token: string }) {
  const entered = useEntered('/');
  const [codeNeeded, setCodeNeeded] = useState(false);
  const use = useMutation({
    mutationFn: (body: LinkUse) => call('POST /portal/api/links/:token', { params: { token }, body }),
    onSuccess: ({ two_factor }) => (two_factor ? setCodeNeeded(true) : entered()),
  });
  if (codeNeeded) return <SecondFactor onEntered={entered} />;

  const newPerson = link.purpose !== 'password_reset' && !link.known_user;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    use.mutate({
      password: String(fields.get('password')),
      ...(fields.has('email') ? { email: String(fields.get('email')) } : {}),
      ...(newPerson ? { name: String(fields.get('name')) } : {}),
    });
  };
  const { title, text } = wordsFor(link);
  return (
    <EntryFrame title={title} text={text}>
      <form onSubmit={submit}>
        <Stack>
          {link.email === null ? (
            <TextInput name="email" type="email" label={t('E-mail address')} autoComplete="username" required autoFocus />
          ) : (
            <>
              <Text size="sm">
                <Trans i18nKey="E-mail address: <b>{{email}}</b>" values={{ email: link.email }} components={{ b: <b /> }} />
              </Text>
              <input type="hidden" name="username" autoComplete="username" value={link.email} readOnly />
            </>
          )}
          {newPerson && <TextInput name="name" label={t('Your name')} autoComplete="name" maxLength={100} required />}
          <PasswordInput
            visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
            name="password"
            label={link.known_user && link.purpose !== 'password_reset' ? t('Your password') : t('Choose a password')}
            description={link.known_user && link.purpose !== 'password_reset' ? undefined : t('At least 10 characters.')}
            autoComplete={link.known_user && link.purpose !== 'password_reset' ? 'current-password' : 'new-password'}
            minLength={10}
            maxLength={128}
            required
          />
          <FailureAlert error={use.error} />
          <Button type="submit" loading={use.isPending} fullWidth>
            {t('Continue')}
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}

function wordsFor({ purpose, role, leads_to, known_user }: SignInLink): { title: string; text: string } {
  switch (purpose) {
    case 'first_operator':
      return { title: t('Welcome'), text: t('Choose your sign-in details. You will be the operator of this gateway.') };
    case 'password_reset':
      return { title: t('Choose a new password'), text: t('You will be signed out everywhere else.') };
    case 'invitation': {
      const how = known_user ? t('Enter your password to accept.') : t('Choose your sign-in details to accept.');
      return {
        title: leads_to === null ? t('Join this gateway') : t('Join {{name}}', { name: leads_to }),
        text: `${invitedAs(role ?? 'member', leads_to ?? '')} ${how}`,
      };
    }
  }
}

function invitedAs(role: Role, name: string): string {
  switch (role) {
    case 'operator':
      return t('You have been invited as an operator of this gateway.');
    case 'provider_admin':
      return t('You have been invited as a provider admin of {{name}}.', { name });
    case 'owner':
      return t('You have been invited as an owner of {{name}}.', { name });
    case 'member':
      return t('You have been invited as a member of {{name}}.', { name });
  }
}
