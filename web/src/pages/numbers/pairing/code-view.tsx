import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconQrcode, IconRefresh } from '@tabler/icons-react';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { inPlainWords } from '../failure-words.ts';
import { CodeLife } from './code-life.tsx';
import classes from './pairing.module.css';
import type { PairingState } from './use-pairing.ts';

/** The states in which there is, or may soon be, a code. */
export type CodeState = Extract<PairingState, { kind: 'code' | 'loading' | 'exhausted' | 'failed' }>;

interface CodeViewProps {
  readonly instanceId: string;
  readonly state: CodeState;
  onAgain(): void;
}

/** The QR code with the time it has left, always in a place of the same size. */
export function CodeView({ instanceId, state, onAgain }: CodeViewProps) {
  return (
    <Stack align="center" gap="md" w="100%">
      <div className={state.kind === 'code' ? classes.code : classes.noCode}>
        <Inside state={state} onAgain={onAgain} />
      </div>
      <Group gap="sm" wrap="nowrap" className={classes.life}>
        {state.kind === 'code' && (
          <>
            <CodeLife instanceId={instanceId} />
            <div>
              <Text fw={600} size="sm">
                Code {state.status.rotation_count ?? 1} of {state.status.rotation_limit}
              </Text>
              <Text size="sm" c="dimmed">
                {state.status.rotation_count === state.status.rotation_limit ? 'This is the last one.' : 'The next one appears by itself.'}
              </Text>
            </div>
          </>
        )}
      </Group>
    </Stack>
  );
}

function Inside({ state, onAgain }: Omit<CodeViewProps, 'instanceId'>) {
  switch (state.kind) {
    case 'code':
      // Redrawn for every code, so that a change is visible.
      return <img key={state.code.code} src={state.code.base64} alt="QR code to scan with the phone" className={classes.qr} />;
    case 'loading':
      return (
        <>
          <Loader aria-hidden />
          <Text size="sm" c="dimmed" ta="center">
            {state.slow ? 'This takes longer than usual. Still trying …' : 'Getting a code …'}
          </Text>
        </>
      );
    case 'exhausted':
      return (
        <>
          <IconQrcode size={48} stroke={1.4} aria-hidden />
          <Text fw={600}>The codes have run out</Text>
          <Text size="sm" c="dimmed" ta="center">
            Nobody scanned one in time. That is no problem: take a new one when the phone is ready.
          </Text>
          <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />}>
            Show a new code
          </Button>
        </>
      );
    case 'failed':
      return (
        <>
          <FailureAlert error={inPlainWords(state.error)} />
          <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />}>
            Try again
          </Button>
        </>
      );
  }
}
