import { Badge, Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { keepFocusOnPage } from '../../../parts/kept-focus.ts';
import { useSession } from '../../../session/session.ts';
import { Card } from './card.tsx';
import { DisableTwoFactor } from './disable-two-factor.tsx';
import { EnableTwoFactor } from './enable-two-factor.tsx';
import { NewBackupCodes } from './new-backup-codes.tsx';

type Dialog = 'enable' | 'disable' | 'codes';

const titles: Readonly<Record<Dialog, string>> = {
  enable: 'Turn two-factor sign-in on',
  disable: 'Turn two-factor sign-in off?',
  codes: 'New backup codes',
};

/** The second step of the sign-in: a code of an authenticator app, besides the password. */
export function TwoFactor() {
  const { two_factor: on } = useSession().user;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  // Stays while the dialog fades out.
  const [shown, setShown] = useState<Dialog>('enable');
  // Codes are shown once: a slip of the hand must not lose them.
  const [held, setHeld] = useState(false);
  const open = (which: Dialog) => {
    setShown(which);
    setDialog(which);
  };
  const close = () => {
    setHeld(false);
    setDialog(null);
  };
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
            <Button variant="default" onClick={() => open('codes')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => open('disable')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button onClick={() => open('enable')}>Turn on</Button>
        )}
      </Group>
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={titles[shown]}
        centered
        onExitTransitionEnd={keepFocusOnPage}
        closeOnClickOutside={false}
        closeOnEscape={!held}
        withCloseButton={!held}
      >
        {shown === 'enable' && <EnableTwoFactor onHold={() => setHeld(true)} onClose={close} />}
        {shown === 'disable' && <DisableTwoFactor onClose={close} />}
        {shown === 'codes' && <NewBackupCodes onHold={() => setHeld(true)} onClose={close} />}
      </Modal>
    </Card>
  );
}
