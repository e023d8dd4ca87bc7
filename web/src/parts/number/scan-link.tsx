import { Button, Group, Stack, Text } from '@mantine/core';
import { IconQrcode } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { CopyField } from '../copy-field.tsx';
import { Dialog } from '../dialog.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { nameOf } from '../number-words.ts';
import { shownMoment } from '../shown-moment.ts';
import { useQuestion } from '../use-question.ts';

type Named = Parameters<typeof nameOf>[0] & { readonly instance_id: string };

interface ScanLinkDialogProps {
  readonly opened: boolean;
  readonly number: Named;
  /** Whose number it is. */
  readonly account: string;
  onClose(): void;
}

/** Makes a link for whoever holds the phone; it is shown once. */
export function ScanLinkDialog({ opened, number, account, onClose }: ScanLinkDialogProps) {
  const make = useMutation({
    mutationFn: () => call('POST /portal/api/numbers/:id/scan-link', { params: { id: number.instance_id }, account }),
  });
  const { data: made } = make;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={make.reset}
      title={t('Scan link for {{number}}', { number: nameOf(number) })}
      busy={make.isPending}
      shownOnce={made !== undefined}
    >
      <Stack>
        {made === undefined ? (
          <Text size="sm">
            {t(
              'Send this link to whoever holds the phone. It opens a page with the codes, without a sign-in, and links this number and nothing else. It works for one hour, and an earlier link for this number ends.',
            )}
          </Text>
        ) : (
          <>
            <CopyField value={made.link} label={t('scan link')} block />
            <Text size="sm" c="dimmed">
              {t('It works once, until {{when}}, and is shown only this once.', { when: shownMoment(made.expires_at) })}
            </Text>
          </>
        )}
        <FailureAlert error={make.error} />
        <Group justify="flex-end">
          {made === undefined ? (
            <>
              <Button variant="default" onClick={onClose} disabled={make.isPending}>
                {t('Cancel')}
              </Button>
              <Button onClick={() => make.mutate()} loading={make.isPending} data-autofocus>
                {t('Make a link')}
              </Button>
            </>
          ) : (
            <Button onClick={onClose}>{t('Done')}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

export function ScanLinkButton({ number, account }: Pick<ScanLinkDialogProps, 'number' | 'account'>) {
  const { opened, ask, close } = useQuestion<true>();
  return (
    <>
      <Button variant="default" leftSection={<IconQrcode size={18} aria-hidden />} onClick={() => ask(true)}>
        {t('Scan link')}
      </Button>
      <ScanLinkDialog opened={opened} number={number} account={account} onClose={close} />
    </>
  );
}
