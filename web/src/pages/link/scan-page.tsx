import { Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { LinkView } from '../../../../src/portal/wire/session.ts';
import { t } from '../../language/language.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { shownMoment } from '../../parts/shown-moment.ts';
import { announcement } from '../numbers/pairing/announcement.ts';
import { isExpiredLink } from '../numbers/pairing/queries.ts';
import { usePairing } from '../numbers/pairing/use-pairing.ts';
import { type Way, Ways } from '../numbers/pairing/ways.tsx';
import { DeadLink } from './dead-link.tsx';

interface ScanPageProps {
  readonly token: string;
  readonly number: NonNullable<LinkView['scan']>;
  /** The name of the account that will send from it. */
  readonly account: string;
  readonly expiresAt: string;
}

/** Links one number, for whoever holds its phone: without a sign-in, and until the link ends. */
export function ScanPage({ token, number: { instance_id, label, network }, account, expiresAt }: ScanPageProps) {
  const by = { token };
  // A phone cannot scan its own screen.
  const onPhone = useMediaQuery('(pointer:coarse) and (max-width:47.99em)', false, { getInitialValueInEffect: false });
  const [way, setWay] = useState<Way>(onPhone ? 'type' : 'scan');
  const { status, state, again } = usePairing(by, instance_id);
  const error = status.error ?? (state.kind === 'failed' ? state.error : null);
  if (isExpiredLink(error)) return <DeadLink error={error} />;
  switch (state.kind) {
    case 'code':
    case 'loading':
    case 'exhausted':
    case 'failed':
      return (
        <EntryFrame
          wide
          title={label === null ? t('Link a number') : t('Link {{number}}', { number: label })}
          text={t('{{account}} will send messages from the number of the phone that you link here. The link works until {{when}}.', {
            account,
            when: shownMoment(expiresAt),
          })}
        >
          <VisuallyHidden role="status">{announcement(state)}</VisuallyHidden>
          <Ways by={by} instanceId={instance_id} network={network} status={status} state={state} way={way} onWay={setWay} onAgain={again} />
        </EntryFrame>
      );
    case 'linked':
    case 'reconnecting':
      return <Notice title={t('This number is already linked')} text={t('There is nothing to scan. You can close this page.')} />;
    case 'passkey':
      return (
        <Notice
          title={t('WhatsApp is asking for your passkey')}
          text={t('This page cannot take it. Ask whoever sent you the link to link the number together with you in the portal.')}
        />
      );
    case 'passkey-failed':
      return (
        <Notice
          title={t('Linking with the passkey failed')}
          text={t(
            'Start over with a new code. If it fails again, check that the passkey belongs to this WhatsApp account (on the phone: Settings → Account → Passkeys), or remove it there and link without one.',
          )}
          onAgain={again}
        />
      );
    case 'conflict':
      return (
        <Notice
          title={t('This phone is already linked')}
          text={t(
            'The number of the phone you used is already connected elsewhere in this account. That link keeps working, and nothing was changed.',
          )}
          onAgain={again}
        />
      );
    case 'gone':
      return <Notice title={t('This number is gone')} text={t('It was deleted after the link was made. Ask whoever sent it to you.')} />;
  }
}

/** What stands there instead of a code. */
function Notice({ title, text, onAgain }: { readonly title: string; readonly text: string; onAgain?: () => void }) {
  return (
    <EntryFrame title={title}>
      <Stack align="flex-start">
        <Text role="status">{text}</Text>
        {onAgain !== undefined && <Button onClick={onAgain}>{t('Show a new code')}</Button>}
      </Stack>
    </EntryFrame>
  );
}
