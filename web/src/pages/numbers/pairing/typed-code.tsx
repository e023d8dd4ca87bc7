import { Button, Group, Loader, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../../language/language.ts';
import { CopyIcon } from '../../../parts/copy-field.tsx';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { inPlainWords } from '../failure-words.ts';
import type { CodeState } from './code-view.tsx';
import classes from './pairing.module.css';
import { type AskedBy, askForCode, qrStatusQuery } from './queries.ts';
import { useSandboxScan } from './sandbox-phone.tsx';

interface TypedCodeProps {
  readonly by: AskedBy;
  readonly instanceId: string;
  readonly state: CodeState;
  readonly sandbox: boolean;
  onAgain(): void;
}

/** Linking without a camera, by a code that is typed on the phone. */
export function TypedCode({ by, instanceId, state, sandbox, onAgain }: TypedCodeProps) {
  const queryClient = useQueryClient();
  const [phoneNumber, setPhoneNumber] = useState('');
  const ask = useMutation({
    async mutationFn() {
      await askForCode(by, instanceId, { phoneNumber });
      await queryClient.refetchQueries({ queryKey: qrStatusQuery(by, instanceId).queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  if (state.kind === 'exhausted' || state.kind === 'failed') {
    return (
      <Stack className={classes.noCode}>
        {state.kind === 'failed' ? <FailureAlert error={inPlainWords(state.error)} /> : <Text fw={600}>{t('The code has run out')}</Text>}
        <Button onClick={onAgain} leftSection={<IconRefresh size={18} aria-hidden />}>
          {t('Start again')}
        </Button>
      </Stack>
    );
  }
  const code = state.kind === 'code' ? state.code.pairingCode : null;
  return (
    <Stack className={classes.typed}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('Phone number')}
            description={t('With the country code, for example +44 7700 900123.')}
            type="tel"
            autoComplete="tel"
            value={phoneNumber}
            onChange={(event) => setPhoneNumber(event.currentTarget.value)}
            maxLength={40}
            required
          />
          <FailureAlert error={inPlainWords(ask.error)} />
          <Button
            type="submit"
            variant={code === null ? 'filled' : 'default'}
            loading={ask.isPending}
            disabled={state.kind === 'loading'}
            leftSection={state.kind === 'loading' ? <Loader size={16} aria-hidden /> : undefined}
          >
            {code === null ? t('Get a code') : t('Get a code for this number')}
          </Button>
        </Stack>
      </form>
      {code !== null && (
        <Paper withBorder radius="lg" p="md" role="status" className={classes.typedCode}>
          <Text size="sm" c="dimmed">
            {t('Type this on the phone, within about two minutes:')}
          </Text>
          <Group justify="space-between" wrap="nowrap">
            <Text component="output" ff="monospace" fz={30} fw={650} lts={2} aria-label={code.split('').join(' ')}>
              {code.length === 8 ? `${code.slice(0, 4)}-${code.slice(4)}` : code}
            </Text>
            <CopyIcon value={code} label={t('code')} />
          </Group>
          {sandbox && 'account' in by && <TypeOnSandboxPhone instanceId={instanceId} code={code} phoneNumber={phoneNumber} />}
        </Paper>
      )}
    </Stack>
  );
}

function TypeOnSandboxPhone({ instanceId, code, phoneNumber }: { instanceId: string; code: string; phoneNumber: string }) {
  const scan = useSandboxScan(instanceId);
  return (
    <Stack gap="xs" mt="sm">
      <FailureAlert error={inPlainWords(scan.error)} />
      <Button onClick={() => scan.mutate({ code, phoneNumber })} loading={scan.isPending} px="sm">
        {t('Type it on the sandbox phone')}
      </Button>
    </Stack>
  );
}
