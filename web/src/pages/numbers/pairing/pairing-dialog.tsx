import { Modal } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { instancesQuery } from '../../../api/queries.ts';
import { t } from '../../../language/language.ts';
import { keepFocusOnPage } from '../../../parts/kept-focus.ts';
import { nameOf } from '../../../parts/number-words.ts';
import { useAccountId } from '../../../session/session.ts';
import { Pairing } from './pairing.tsx';

interface PairingDialogProps {
  /** null: closed. */
  readonly instanceId: string | null;
  onClose(): void;
}

/** Links a number with a phone. Closing it leaves the attempt running; opening it again shows the same code. */
export function PairingDialog({ instanceId, onClose }: PairingDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const mounted = useMounted();
  const account = useAccountId();
  const { data: numbers } = useQuery(instancesQuery(account));
  // While it fades out the dialog still shows what it showed.
  const [shown, setShown] = useState(instanceId);
  if (instanceId !== null && instanceId !== shown) setShown(instanceId);
  const ended = () => {
    setShown(null);
    keepFocusOnPage();
  };
  const number = numbers?.find(({ instance_id }) => instance_id === shown);
  return (
    <Modal
      // For the focus, as in Dialog.
      opened={instanceId !== null && mounted}
      onClose={onClose}
      onExitTransitionEnd={ended}
      title={
        number === undefined || (number.label === null && number.phone_number === null)
          ? t('Link a number')
          : t('Link {{number}}', { number: nameOf(number) })
      }
      size={820}
      centered
      fullScreen={narrow}
      // With the phone in the other hand, a click beside the dialog is mostly a slip.
      closeOnClickOutside={false}
    >
      {shown !== null && <Pairing key={shown} by={{ account }} instanceId={shown} network={number?.network ?? null} onClose={onClose} />}
    </Modal>
  );
}
