import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';

/** How a scan link ended, by `details.reason`; whoever has one has no sign-in. */
const scanEnds: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  used: { title: t('Linked'), text: t('This link is used up. You can close this page.') },
  expired: { title: t('This link has expired'), text: t('It worked for one hour. Ask whoever sent it to you for a new one.') },
  number_deleted: { title: t('This number is gone'), text: t('It was deleted after the link was made. Ask whoever sent it to you.') },
};

/** A one-time link that does not work, or no longer. */
export function DeadLink({ error }: { readonly error: unknown }) {
  const expired = error instanceof ApiError && error.code === 'link_expired';
  const end = expired ? scanEnds[String(error.details.reason)] : undefined;
  if (end !== undefined) {
    return (
      <EntryFrame title={end.title}>
        <Text role="status">{end.text}</Text>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={expired ? t('This link no longer works') : t('The link could not be opened')}>
      <Stack>
        {expired ? (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {t('This link has already been used or withdrawn, has expired, or was not copied completely. Ask for a new one.')}
          </Alert>
        ) : (
          <FailureAlert error={error} />
        )}
        <Group>
          <Button component={Link} to="/sign-in">
            {t('Go to sign-in')}
          </Button>
        </Group>
      </Stack>
    </EntryFrame>
  );
}
