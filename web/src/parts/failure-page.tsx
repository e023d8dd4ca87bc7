import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';

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
          This page could not be shown
        </Title>
        <Text ta="center">{error instanceof ApiError ? error.message : 'Something in the page itself went wrong.'}</Text>
        {error instanceof ApiError && error.requestId !== null && (
          <Text size="sm">
            For support: <Code>{error.requestId}</Code>
          </Text>
        )}
        <Button onClick={again}>Try again</Button>
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
