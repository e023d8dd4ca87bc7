import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** The page shown for an unknown address. */
export function NotFoundPage() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          There is no such page
        </Title>
        <Text>The address may have been copied only in part.</Text>
        <Button component={Link} to="/">
          To the start page
        </Button>
      </Stack>
    </Center>
  );
}

/** The same where no frame is around it. */
export function NotFoundOutside() {
  return (
    <main>
      <NotFoundPage />
    </main>
  );
}
