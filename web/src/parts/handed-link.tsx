import { Alert, Stack, Text } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { CopyField } from './copy-field.tsx';

interface HandedLinkProps {
  /** null for everybody but operators when links are mailed. */
  readonly link: string | null;
  readonly email: string;
  /** Whether it went to them by mail. */
  readonly mailed: boolean;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** What is copied, for screen readers. */
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
      ) : link === null ? (
        <Alert color="red" icon={<IconMailOff aria-hidden />} p="sm">
          The mail to <b>{email}</b> could not be sent. Try again later, or ask the person who runs this gateway, who can pass the link on.
        </Alert>
      ) : (
        <Alert color="yellow" icon={<IconMailOff aria-hidden />} p="sm">
          No mail was sent. Copy the link and give it to <b>{email}</b> yourself, in a way only they can read.
        </Alert>
      )}
      {link !== null && <CopyField value={link} label={label} block />}
      <Text size="sm" c="dimmed">
        It works once, until {new Date(expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
        {link !== null && ', and is shown only now'}.
      </Text>
    </Stack>
  );
}
