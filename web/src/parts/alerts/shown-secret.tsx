import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { t } from '../../language/language.ts';
import { CopyField } from '../copy-field.tsx';

interface ShownSecretProps {
  readonly secret: string;
  /** The secret before it goes on for a while. */
  readonly replaces?: boolean;
  onClose(): void;
}

/** The secret of a webhook, the only time it can be seen. */
export function ShownSecret({ secret, replaces = false, onClose }: ShownSecretProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label={t('Secret of the webhook')} style={{ outline: 'none' }}>
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
        {t('Copy the secret now. It is shown only once. If you lose it, make a new one.')}
      </Alert>
      <CopyField value={secret} label={t('secret')} />
      <Text size="sm">
        {replaces
          ? t(
              'Check the signature of each post with it, using the Standard Webhooks library for your language. For 24 hours the previous secret signs as well.',
            )
          : t('Check the signature of each post with it, using the Standard Webhooks library for your language.')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('I have copied the secret')}</Button>
      </Group>
    </Stack>
  );
}
