import { Alert, Stack, Text } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { CopyField } from './copy-field.tsx';

interface HandedLinkProps {
  readonly link: string;
  readonly email: string;
  /** Whether it went to them by mail. */
  readonly mailed: boolean;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** What is copied, for people who hear the page. */
  readonly label: string;
}

/** A one-time link just made: it is shown here and never again. */
export function HandedLink({ link, email, mailed, expiresAt, label }: HandedLinkProps) {
  return (
    <Stack gap="sm">
      {mailed ? (
        <Alert color="teal" icon={<IconMail aria-hidden />} p="sm">
          A mail with the link is on its way to <b>{email}</b>.
        </Alert>
      ) : (
        <Alert color="yellow" icon={<IconMailOff aria-hidden />} p="sm">
          No mail was sent. Copy the link and give it to <b>{email}</b> yourself, in a way only they can read.
        </Alert>
      )}
      <CopyField value={link} label={label} block />
      <Text size="sm" c="dimmed">
        It works once, until {new Date(expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}, and is shown only
        now.
      </Text>
    </Stack>
  );
}
