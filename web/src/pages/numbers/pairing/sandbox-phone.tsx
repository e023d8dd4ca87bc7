import { Button, Stack, TextInput } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/client.ts';
import type { Instance } from '../../../api/contract.ts';
import { instancesQuery } from '../../../api/queries.ts';
import { t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useAccountId } from '../../../session/session.ts';
import { inPlainWords } from '../failure-words.ts';
import { qrStatusQuery } from './queries.ts';

interface SandboxPhoneProps {
  readonly instanceId: string;
  /** What the phone scans; null while nothing is shown. */
  readonly code: string | null;
}

/** Scans the code in place of a phone. */
export function SandboxPhone({ instanceId, code }: SandboxPhoneProps) {
  const { data: numbers } = useQuery(instancesQuery(useAccountId()));
  const [typed, setTyped] = useState<string | null>(null);
  const scan = useSandboxScan(instanceId);
  const phoneNumber = typed ?? freeNumber(numbers ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== null) scan.mutate({ code, phoneNumber });
  };
  return (
    <form onSubmit={submit}>
      <Stack mt="md">
        <TextInput
          label={t('Number of the sandbox phone')}
          description={t('Any number will do. It only exists here.')}
          inputMode="tel"
          value={phoneNumber}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          required
        />
        <FailureAlert error={inPlainWords(scan.error)} />
        <Button type="submit" leftSection={<IconScan size={18} aria-hidden />} loading={scan.isPending} disabled={code === null}>
          {t('Scan with the sandbox phone')}
        </Button>
      </Stack>
    </form>
  );
}

/** The sandbox's phone scans a code, or types one. */
export function useSandboxScan(instanceId: string) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  return useMutation({
    async mutationFn({ code, phoneNumber }: { code: string; phoneNumber: string }) {
      await call('POST /sandbox/scan', { body: { code, phone_number: phoneNumber } });
      await queryClient.refetchQueries({ queryKey: qrStatusQuery({ account: accountId }, instanceId).queryKey });
    },
  });
}

/** A made-up number that no number of the account has yet. */
function freeNumber(numbers: readonly Instance[]): string {
  const taken = new Set(numbers.map(({ phone_number }) => phone_number));
  let last = 101;
  while (taken.has(`15550${last}`)) last++;
  return `+15550${last}`;
}
