import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconQrcode, IconRefresh } from '@tabler/icons-react';
import { t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { inPlainWords } from '../failure-words.ts';
import { CodeLife } from './code-life.tsx';
import classes from './pairing.module.css';
import type { AskedBy } from './queries.ts';
import type { PairingState } from './use-pairing.ts';

/** The states in which there is, or may soon be, a code. */
export type CodeState = Extract<PairingState, { kind: 'code' | 'loading' | 'exhausted' | 'failed' }>;

interface CodeViewProps {
  readonly by: AskedBy;
  readonly instanceId: string;
  readonly state: CodeState;
  onAgain(): void;
}

/** The QR code with the time it has left, always in a place of the same size. */
export function CodeView({ by, instanceId, state, onAgain }: CodeViewProps) {
  return (
    <Stack align="center" gap="md" w="100%">
      <div className={state.kind === 'code' ? classes.code : classes.noCode}>
        <Inside state={state} onAgain={onAgain} />
      </div>
      <Group gap="sm" wrap="nowrap" className={classes.life}>
        {state.kind === 'code' && (
          <>
            {'account' in by && <CodeLife instanceId={instanceId} />}
            <div>
              <Text fw={600} size="sm">
                {t('Code {{place}} of {{all}}', { place: state.status.rotation_count ?? 1, all: state.status.rotation_limit ?? 1 })}
              </Text>
              <Text size="sm" c="dimmed">
                {state.status.rotation_count === state.status.rotation_limit
                  ? t('This is the last one.')
                  : t('The next one appears automatically.')}
              </Text>
            </div>
          </>
        )}
      </Group>
    </Stack>
  );
}

function Inside({ state, onAgain }: Omit<CodeViewProps, 'by' | 'instanceId'>) {
  switch (state.kind) {
    case 'code':
      // Redrawn for every code, so that a change is visible.
      return <img key={state.code.code} src={state.code.base64} alt={t('QR code to scan with the phone')} className={classes.qr} />;
    case 'loading':
      return (
        <>
          <Loader aria-hidden />
          <Text size="sm" c="dimmed" ta="center">
            {state.slow ? t('This is taking longer than usual. Still trying…') : t('Getting a code…')}
          </Text>
        </>
      );
    case 'exhausted':
      return (
        <>
          <IconQrcode size={48} stroke={1.4} aria-hidden />
          <Text fw={600}>{t('The codes have run out')}</Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('Nobody scanned one in time. No problem: show a new one when your phone is ready.')}
          </Text>
          <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />}>
            {t('Show a new code')}
          </Button>
        </>
      );
    case 'failed':
      return (
        <>
          <FailureAlert error={inPlainWords(state.error)} />
          <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />}>
            {t('Try again')}
          </Button>
        </>
      );
  }
}
