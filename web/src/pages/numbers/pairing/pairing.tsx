import { Box, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { announcement } from './announcement.ts';
import { Ending } from './ending.tsx';
import classes from './pairing.module.css';
import { Passkey } from './passkey/passkey.tsx';
import type { AskedBy } from './queries.ts';
import { type PairingState, usePairing } from './use-pairing.ts';
import { type Way, Ways } from './ways.tsx';

interface PairingProps {
  readonly by: AskedBy;
  readonly instanceId: string;
  /** null while the number's list is on its way. */
  readonly network: string | null;
  onClose(): void;
}

/** The inside of the pairing dialog: what to do on the phone, and the code to do it with. */
export function Pairing({ by, instanceId, network, onClose }: PairingProps) {
  const { status, state, again } = usePairing(by, instanceId);
  const [way, setWay] = useState<Way>('scan');
  const place = useKeptFocus(state.kind);
  return (
    <Box ref={place} tabIndex={-1} data-autofocus className={classes.place}>
      <VisuallyHidden role="status">{announcement(state)}</VisuallyHidden>
      {state.kind === 'passkey' ? (
        <Passkey instanceId={instanceId} stage={state.stage} onAgain={again} />
      ) : state.kind === 'code' || state.kind === 'loading' || state.kind === 'exhausted' || state.kind === 'failed' ? (
        <Ways {...{ by, instanceId, network, status, state, way }} onWay={setWay} onAgain={again} />
      ) : (
        <Ending state={state} instanceId={instanceId} onAgain={again} onClose={onClose} />
      )}
    </Box>
  );
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
