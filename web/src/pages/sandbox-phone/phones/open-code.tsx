import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { Trans, t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { shownNumber } from '../../../parts/phone-number.ts';
import { useScan } from './use-scan.ts';

interface OpenCodeProps {
  /** The name of the number that shows it. */
  readonly name: string;
  readonly code: string;
  /** Digits of phones that are linked already. */
  readonly taken: readonly string[];
}

/** A code that is waiting to be scanned, and a simulated phone to scan it with. */
export function OpenCode({ name, code, taken }: OpenCodeProps) {
  const [number, setNumber] = useState(() => shownNumber(unusedNumber(taken)) ?? '');
  const scan = useScan(name);
  const badNumber = scan.error instanceof ApiError && scan.error.details.field === 'phone_number';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    scan.mutate({ code, phone_number: number });
  };
  return (
    <form onSubmit={submit} aria-label={t('Scan the code of {{name}}', { name })}>
      <Stack gap="xs">
        <Text size="sm">
          <Trans i18nKey="<b>{{name}}</b> shows a code." values={{ name }} components={{ b: <b dir="auto" /> }} />
        </Text>
        <TextInput
          label={t('Number of the phone that scans it')}
          description={t('Any number will do: the phone is simulated.')}
          type="tel"
          value={number}
          onChange={(event) => {
            setNumber(event.currentTarget.value);
            scan.reset();
          }}
          error={badNumber ? t('With country code, 6 to 15 digits') : undefined}
          maxLength={30}
          required
          autoComplete="off"
        />
        {!badNumber && <FailureAlert error={inPlainWords(scan.error)} />}
        <Group>
          <Button
            type="submit"
            h="auto"
            mih={36}
            py={6}
            maw="100%"
            styles={{ label: { whiteSpace: 'normal' } }}
            loading={scan.isPending}
            leftSection={<IconScan size={18} aria-hidden />}
          >
            {t('Scan with this phone')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function inPlainWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.details.field !== 'code') return error;
  return error.inWords(t('This code has just been replaced by the next one. Try again.'));
}

/** A random number from a range that nobody owns and that has no special meaning in the sandbox. */
function unusedNumber(taken: readonly string[]): string {
  for (let last = 101; last < 200; last++) {
    const number = `15550${last}`;
    if (!taken.includes(number)) return number;
  }
  return '15550199';
}
