import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../language/language.ts';
import { EntryFrame, OneMoment } from '../../parts/entry-frame.tsx';
import { handOver } from '../numbers/pairing/passkey/answers.ts';

/** Where the extension brings the passkey's answer; the dialog in the other tab goes on with it. */
export default function PasskeyPage() {
  const [outcome, setOutcome] = useState<'waiting' | 'taken' | 'nobody'>('waiting');
  useEffect(() => {
    const fragment = location.hash;
    // The answer is good once, and must not stay in the browser's history.
    history.replaceState(null, '', location.pathname);
    void handOver(fragment).then((taken) => setOutcome(taken ? 'taken' : 'nobody'));
  }, []);
  switch (outcome) {
    case 'waiting':
      return <OneMoment />;
    case 'taken':
      return (
        <EntryFrame title={t('Passkey received')}>
          <Text>{t('Close this tab and go back to the portal, where the number is being linked.')}</Text>
        </EntryFrame>
      );
    case 'nobody':
      return (
        <EntryFrame title={t('Nothing is waiting for this passkey')}>
          <Text>
            {t('The dialog in the portal was closed, or is now asking for another passkey. Go back to the portal and start again.')}
          </Text>
        </EntryFrame>
      );
  }
}
