import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../language/language.ts';
import { useCopy } from '../../../parts/copy.ts';

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly children: ReactNode;
  onDone(): void;
}

/** Backup codes just made: they are shown here and never again. */
export function BackupCodes({ codes, children, onDone }: BackupCodesProps) {
  const { copied, failed, copy } = useCopy(codes.join('\n'));
  return (
    <Stack>
      <Text size="sm" role="status">
        {children}
      </Text>
      <Paper withBorder p="md">
        <SimpleGrid cols={2} spacing="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('Backup codes')}>
          {codes.map((code) => (
            <Text key={code} component="li" ff="monospace" size="sm" ta="center">
              {code}
            </Text>
          ))}
        </SimpleGrid>
      </Paper>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          onClick={copy}
          autoFocus
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={() => download(codes)}>
          {t('Download')}
        </Button>
      </Group>
      {failed && (
        <Text size="sm" role="alert">
          {t('Your browser does not allow copying. Select the codes and copy them yourself, or download them.')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('They are shown only once.')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('I have saved them')}</Button>
      </Group>
    </Stack>
  );
}

function download(codes: readonly string[]): void {
  const about = t('Backup codes for Messaging Gateway, {{host}}', { host: window.location.host });
  const text = `${about}\n${t('Each works once.')}\n\n${codes.join('\n')}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'messaging-gateway-backup-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
