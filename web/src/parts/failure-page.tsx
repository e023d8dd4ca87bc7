import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { t } from '../language/language.ts';
import { ScriptMissing } from '../live/script-missing.ts';
import { useReturn } from '../live/use-return.ts';
import { languageOf } from './failure-alert.tsx';
import { PageLoading } from './page-loading.tsx';
import { SupportId } from './support-id.tsx';

/** Shown instead of a page that failed to load. While the server is away it says so, and the page follows by itself. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof ApiError;
  const again = () => {
    // A document asks only once for its scripts and styles.
    if (!known) return location.reload();
    reset();
    void router.invalidate();
  };
  const away = useReturn({
    missed: known ? error.status === 0 : error instanceof ScriptMissing,
    onReturn: again,
  });
  if (away === null) return <PageLoading />;
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" maw={480} role="alert">
        <Title order={1} size="h2">
          {away ? t('The server cannot be reached') : t('This page could not be shown')}
        </Title>
        <Text ta="center" {...(known && !away ? languageOf(error) : {})}>
          {away
            ? t('This page opens by itself as soon as the server answers again.')
            : known
              ? error.message
              : t('Something in the page itself went wrong.')}
        </Text>
        {known && error.requestId !== null && (
          <Text size="sm">
            <SupportId id={error.requestId} />
          </Text>
        )}
        {!away && <Button onClick={again}>{t('Try again')}</Button>}
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
