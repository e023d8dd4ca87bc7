import { Badge, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../language/language.ts';
import { useSession } from '../../../session/session.ts';
import { Card } from './card.tsx';
import { DisableTwoFactor } from './disable-two-factor.tsx';
import { EnableTwoFactor } from './enable-two-factor.tsx';
import { NewBackupCodes } from './new-backup-codes.tsx';

/** The second step of the sign-in: a code of an authenticator app, besides the password. */
export function TwoFactor() {
  const { two_factor: on } = useSession().user;
  const [dialog, setDialog] = useState<'enable' | 'disable' | 'codes' | null>(null);
  const close = () => setDialog(null);
  return (
    <Card
      title={t('Two-factor sign-in')}
      text={
        on
          ? t('After your password, you are asked for a code from your authenticator app.')
          : t('Signing in then takes your password and a code from an app on your phone.')
      }
      mark={
        <Badge color={on ? 'teal' : 'gray'} variant="light" autoContrast>
          {on ? t('On') : t('Off')}
        </Badge>
      }
    >
      <Group gap="sm">
        {on ? (
          <>
            <Button variant="default" onClick={() => setDialog('codes')}>
              {t('New backup codes')}
            </Button>
            <Button variant="default" onClick={() => setDialog('disable')}>
              {t('Turn off')}
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog('enable')}>{t('Turn on')}</Button>
        )}
      </Group>
      <EnableTwoFactor opened={dialog === 'enable'} onClose={close} />
      <DisableTwoFactor opened={dialog === 'disable'} onClose={close} />
      <NewBackupCodes opened={dialog === 'codes'} onClose={close} />
    </Card>
  );
}
