import { Alert, Stack, Text } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { Trans, t } from '../language/language.ts';
import { CopyField } from './copy-field.tsx';
import { shownMoment } from './shown-moment.ts';

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
          <Trans i18nKey="An e-mail with the link is on its way to <b>{{email}}</b>." values={{ email }} components={{ b: <b /> }} />
        </Alert>
      ) : link === null ? (
        <Alert color="red" icon={<IconMailOff aria-hidden />} p="sm">
          <Trans
            i18nKey="The e-mail to <b>{{email}}</b> could not be sent. Try again later, or ask the person who runs this gateway, who can pass the link on."
            values={{ email }}
            components={{ b: <b /> }}
          />
        </Alert>
      ) : (
        <Alert color="yellow" icon={<IconMailOff aria-hidden />} p="sm">
          <Trans
            i18nKey="No e-mail was sent. Copy the link and give it to <b>{{email}}</b> yourself, in a way only they can read."
            values={{ email }}
            components={{ b: <b /> }}
          />
        </Alert>
      )}
      {link !== null && <CopyField value={link} label={label} block />}
      <Text size="sm" c="dimmed">
        {link === null
          ? t('It works once, until {{when}}.', { when: shownMoment(expiresAt) })
          : t('It works once, until {{when}}, and is shown only this once.', { when: shownMoment(expiresAt) })}
      </Text>
    </Stack>
  );
}
