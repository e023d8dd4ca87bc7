import { SegmentedControl } from '@mantine/core';
import type { ComponentProps } from 'react';
import { t } from '../../../language/language.ts';
import { RefreshFailed } from '../../../parts/refresh-failed.tsx';
import { type CodeState, CodeView } from './code-view.tsx';
import classes from './pairing.module.css';
import { ScanSteps, TypeSteps } from './phone-steps.tsx';
import type { AskedBy } from './queries.ts';
import { SandboxPhone } from './sandbox-phone.tsx';
import { TypedCode } from './typed-code.tsx';

export type Way = 'scan' | 'type';

interface WaysProps {
  readonly by: AskedBy;
  readonly instanceId: string;
  readonly network: string | null;
  readonly status: ComponentProps<typeof RefreshFailed>['query'];
  readonly state: CodeState;
  readonly way: Way;
  onWay(way: Way): void;
  onAgain(): void;
}

/** The two ways to link, each with what to do on the phone and the code to do it with. */
export function Ways({ by, instanceId, network, status, state, way, onWay, onAgain }: WaysProps) {
  const sandbox = network === 'sandbox';
  const mayScan = 'account' in by;
  return (
    <>
      {state.kind === 'code' && <RefreshFailed query={status} />}
      <SegmentedControl
        fullWidth
        mb="lg"
        aria-label={t('How to link')}
        value={way}
        onChange={(value) => onWay(value === 'type' ? 'type' : 'scan')}
        data={[
          { value: 'scan', label: t('Scan a code') },
          { value: 'type', label: t('Type a code instead') },
        ]}
      />
      <div className={classes.columns}>
        <div className={classes.steps}>
          {way === 'scan' ? <ScanSteps sandbox={sandbox} phoneBelow={mayScan} /> : <TypeSteps sandbox={sandbox} />}
          {sandbox && way === 'scan' && mayScan && (
            <SandboxPhone instanceId={instanceId} code={state.kind === 'code' ? state.code.code : null} />
          )}
        </div>
        {way === 'scan' ? (
          <CodeView by={by} instanceId={instanceId} state={state} onAgain={onAgain} />
        ) : (
          <TypedCode by={by} instanceId={instanceId} state={state} sandbox={sandbox} onAgain={onAgain} />
        )}
      </div>
    </>
  );
}
