import { Button, Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconDeviceMobileOff, IconKey, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../language/language.ts';
import { shownNumber } from '../../../parts/phone-number.ts';
import classes from './pairing.module.css';
import type { PairingState } from './use-pairing.ts';

interface EndingProps {
  readonly state: Extract<PairingState, { kind: 'linked' | 'conflict' | 'passkey-failed' | 'reconnecting' | 'gone' }>;
  readonly instanceId: string;
  onAgain(): void;
  onClose(): void;
}

/** The end of the attempt, shown instead of a code. */
export function Ending({ state, instanceId, onAgain, onClose }: EndingProps) {
  const again = (
    <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />} data-autofocus>
      {t('Show a new code')}
    </Button>
  );
  const close = (
    <Button variant="default" onClick={onClose}>
      {t('Close')}
    </Button>
  );
  switch (state.kind) {
    case 'linked':
      return (
        <Frame
          icon={
            <span className={classes.cheer}>
              <ThemeIcon size={84} radius={84} className={classes.cheerIcon} aria-hidden>
                <IconCheck size={48} stroke={2.5} className={classes.cheerCheck} />
              </ThemeIcon>
            </span>
          }
          title={t('Linked')}
          buttons={
            <>
              <Button variant="default" onClick={onClose}>
                {t('Done')}
              </Button>
              <Button renderRoot={(props) => <Link to="/send" search={{ instance_id: instanceId }} {...props} />}>
                {t('Send a message')}
              </Button>
            </>
          }
        >
          <Text fz={28} fw={650} data-linked-number>
            {shownNumber(state.phoneNumber)}
          </Text>
          <Text c="dimmed" ta="center">
            {t('This number can send now. It stays linked, even when the gateway restarts.')}
          </Text>
        </Frame>
      );
    case 'conflict':
      return (
        <Frame
          icon={<Sign color="orange" icon={<IconDeviceMobileOff size={36} />} />}
          title={t('This phone is already linked')}
          buttons={
            <>
              {close}
              {again}
            </>
          }
        >
          <Text ta="center">
            {t(
              'The number of the phone you used is already connected elsewhere in this account. That link keeps working, and nothing was changed.',
            )}
          </Text>
          <Text c="dimmed" ta="center" size="sm">
            {t('Scan with a phone that has another number. If you added this one by mistake, close this and delete it.')}
          </Text>
        </Frame>
      );
    case 'passkey-failed':
      return (
        <Frame
          icon={<Sign color="orange" icon={<IconKey size={36} />} />}
          title={t('Linking with the passkey failed')}
          buttons={
            <>
              {close}
              {again}
            </>
          }
        >
          <Text ta="center" lang="en">
            {state.reason}
          </Text>
          <Text c="dimmed" ta="center" size="sm">
            {t(
              'Start over with a new code. If it fails again, check that the passkey belongs to this WhatsApp account (on the phone: Settings → Account → Passkeys), or remove it there and link without one.',
            )}
          </Text>
        </Frame>
      );
    case 'reconnecting':
      return (
        <Frame icon={<Loader size={48} aria-hidden />} title={t('Nothing to scan')} buttons={close}>
          <Text ta="center">
            {t(
              'This number is linked, but its connection is down at the moment. It reconnects automatically. You can close this and watch the list.',
            )}
          </Text>
        </Frame>
      );
    case 'gone':
      return (
        <Frame icon={<Sign color="gray" icon={<IconTrash size={36} />} />} title={t('This number is gone')} buttons={close}>
          <Text ta="center">{t('It is no longer in the list. Somebody may have deleted it.')}</Text>
        </Frame>
      );
  }
}

function Sign({ icon, color }: { readonly icon: ReactNode; readonly color: string }) {
  return (
    <ThemeIcon size={72} radius={72} variant="light" color={color} aria-hidden>
      {icon}
    </ThemeIcon>
  );
}

function Frame({ icon, title, children, buttons }: { icon: ReactNode; title: string; children: ReactNode; buttons: ReactNode }) {
  return (
    <Stack align="center" className={classes.ending} role="group" aria-label={title}>
      {icon}
      <Title order={3} size="h3" ta="center">
        {title}
      </Title>
      {children}
      <Group justify="center" mt="md">
        {buttons}
      </Group>
    </Stack>
  );
}
