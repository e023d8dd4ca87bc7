import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { Trans, t } from '../language/language.ts';
import { CopyIcon } from './copy-field.tsx';
import { languageOf } from './failure-alert.tsx';

/** Shown instead of a page that failed to load. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" maw={480} role="alert">
        <Title order={1} size="h2">
          {t('This page could not be shown')}
        </Title>
        <Text ta="center" {...(error instanceof ApiError ? languageOf(error) : {})}>
          {error instanceof ApiError ? error.message : t('Something in the page itself went wrong.')}
        </Text>
        {error instanceof ApiError && error.requestId !== null && (
          <Text size="sm">
            <Trans i18nKey="For support: <code>{{id}}</code>" values={{ id: error.requestId }} components={{ code: <Code /> }} />{' '}
            <CopyIcon value={error.requestId} label={t('request ID')} small />
          </Text>
        )}
        <Button onClick={again}>{t('Try again')}</Button>
      </Stack>
    </Center>
  );
}

/** The same where no frame is around it. */
export function FailureOutside(props: ErrorComponentProps) {
  return (
    <main>
      <FailurePage {...props} />
    </main>
  );
}
