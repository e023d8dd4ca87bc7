import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../language/language.ts';

/** The page shown for an unknown address. */
export function NotFoundPage() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          {t('There is no such page')}
        </Title>
        <Text ta="center">{t('The address may be mistyped or incomplete.')}</Text>
        <Button component={Link} to="/">
          {t('Go to the start page')}
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
