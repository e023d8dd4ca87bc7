import { Box, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../language/language.ts';
import { shownNumber } from '../../../parts/phone-number.ts';
import { RefreshFailed } from '../../../parts/refresh-failed.tsx';
import { CodeView } from './code-view.tsx';
import { Ending } from './ending.tsx';
import classes from './pairing.module.css';
import { Passkey } from './passkey/passkey.tsx';
import { ScanSteps, TypeSteps } from './phone-steps.tsx';
import { SandboxPhone } from './sandbox-phone.tsx';
import { TypedCode } from './typed-code.tsx';
import { type PairingState, usePairing } from './use-pairing.ts';

interface PairingProps {
  readonly instanceId: string;
  /** null while the number's list is on its way. */
  readonly network: string | null;
  onClose(): void;
}

/** The inside of the pairing dialog: what to do on the phone, and the code to do it with. */
export function Pairing({ instanceId, network, onClose }: PairingProps) {
  const { status, state, again } = usePairing(instanceId);
  const [way, setWay] = useState<'scan' | 'type'>('scan');
  const place = useKeptFocus(state.kind);
  const sandbox = network === 'sandbox';
  return (
    <Box ref={place} tabIndex={-1} data-autofocus className={classes.place}>
      <VisuallyHidden role="status">{announcement(state)}</VisuallyHidden>
      {state.kind === 'passkey' ? (
        <Passkey instanceId={instanceId} stage={state.stage} onAgain={again} />
      ) : state.kind === 'code' || state.kind === 'loading' || state.kind === 'exhausted' || state.kind === 'failed' ? (
        <>
          {state.kind === 'code' && <RefreshFailed query={status} />}
          <SegmentedControl
            fullWidth
            mb="lg"
            aria-label={t('How to link')}
            value={way}
            onChange={(value) => setWay(value === 'type' ? 'type' : 'scan')}
            data={[
              { value: 'scan', label: t('Scan a code') },
              { value: 'type', label: t('Type a code instead') },
            ]}
          />
          <div className={classes.columns}>
            <div className={classes.steps}>
              {way === 'scan' ? <ScanSteps sandbox={sandbox} /> : <TypeSteps sandbox={sandbox} />}
              {sandbox && way === 'scan' && <SandboxPhone instanceId={instanceId} code={state.kind === 'code' ? state.code.code : null} />}
            </div>
            {way === 'scan' ? (
              <CodeView instanceId={instanceId} state={state} onAgain={again} />
            ) : (
              <TypedCode instanceId={instanceId} state={state} sandbox={sandbox} onAgain={again} />
            )}
          </div>
        </>
      ) : (
        <Ending state={state} instanceId={instanceId} onAgain={again} onClose={onClose} />
      )}
    </Box>
  );
}

/** The announcement for screen readers when the dialog changes. */
function announcement(state: PairingState): string {
  switch (state.kind) {
    case 'loading':
      return t('A code is on its way.');
    case 'code':
      return t('Code {{place}} of {{all}} is shown.', { place: state.status.rotation_count ?? 1, all: state.status.rotation_limit ?? 1 });
    case 'exhausted':
      return t('The codes have run out.');
    case 'linked':
      return state.phoneNumber === null ? t('The number is linked.') : t('Linked: {{number}}.', { number: shownNumber(state.phoneNumber) });
    case 'passkey':
      return t('WhatsApp is asking for a passkey.');
    case 'passkey-failed':
    case 'conflict':
    case 'reconnecting':
    case 'gone':
    case 'failed':
      return '';
  }
}

/** Keeps the keyboard inside the dialog when what had the focus is replaced. */
function useKeptFocus(kind: PairingState['kind']) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(kind);
  useEffect(() => {
    if (before.current === kind) return;
    before.current = kind;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) place.current?.focus();
  }, [kind]);
  return place;
}
