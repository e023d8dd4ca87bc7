import { Badge, Button, Group } from '@mantine/core';
import { useState } from 'react';
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
      title="Two-factor sign-in"
      text={
        on
          ? 'After your password you are asked for a code of your authenticator app.'
          : 'With it, your password alone is not enough to sign in: you are also asked for a code that an app on your phone shows.'
      }
      mark={
        <Badge color={on ? 'teal' : 'gray'} variant="light" autoContrast>
          {on ? 'On' : 'Off'}
        </Badge>
      }
    >
      <Group gap="sm">
        {on ? (
          <>
            <Button variant="default" onClick={() => setDialog('codes')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => setDialog('disable')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog('enable')}>Turn on</Button>
        )}
      </Group>
      <EnableTwoFactor opened={dialog === 'enable'} onClose={close} />
      <DisableTwoFactor opened={dialog === 'disable'} onClose={close} />
      <NewBackupCodes opened={dialog === 'codes'} onClose={close} />
    </Card>
  );
}
