import { Button, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PasskeyStage } from '../../../../api/contract.ts';
import { locale, t } from '../../../../language/language.ts';
import { FailureAlert } from '../../../../parts/failure-alert.tsx';
import { useAccountId } from '../../../../session/session.ts';
import { inPlainWords } from '../../failure-words.ts';
import { GivePasskey } from './give-passkey.tsx';
import { passkeyQuery, useConfirmPasskey, useGiveUp } from './queries.ts';

interface PasskeyProps {
  readonly instanceId: string;
  readonly stage: Exclude<PasskeyStage, 'failed'>;
  onAgain(): void;
}

/** Linking with a passkey: what is to be done now, in plain words. */
export function Passkey({ instanceId, stage, onAgain }: PasskeyProps) {
  const { data, error } = useQuery(passkeyQuery(useAccountId(), instanceId, stage));
  const giveUp = useGiveUp(instanceId, onAgain);
  const until = data?.expires_at == null ? null : new Date(data.expires_at);
  return (
    <Stack gap="md" role="group" aria-label={t('Linking with a passkey')}>
      <Group gap="sm" wrap="nowrap">
        <IconKey size={28} aria-hidden />
        <Title order={3} size="h4">
          {titles[stage]}
        </Title>
      </Group>
      <FailureAlert error={inPlainWords(error ?? giveUp.error)} />
      {stage === 'requested' && (
        <Text>
          {t(
            "A passkey protects this WhatsApp account, and WhatsApp asks for it before linking another device. Browsers only offer it on WhatsApp's own page, on a computer.",
          )}
          {until !== null &&
            ` ${t('You have until {{time}}.', { time: until.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' }) })}`}
        </Text>
      )}
      {stage === 'requested' && data?.options != null && <GivePasskey instanceId={instanceId} options={data.options} />}
      {stage === 'signed' && (
        <Waiting text={t('WhatsApp has accepted the passkey. Keep the phone unlocked and online; the rest happens automatically.')} />
      )}
      {stage === 'confirming' && data?.confirmation_code == null && (
        <Waiting text={t('The phone has confirmed. WhatsApp is linking the number.')} />
      )}
      {stage === 'confirming' && data?.confirmation_code != null && <Compare instanceId={instanceId} code={data.confirmation_code} />}
      <Group>
        <Button variant="subtle" color="gray" onClick={() => giveUp.mutate()} loading={giveUp.isPending}>
          {t('Start over with a new code')}
        </Button>
      </Group>
    </Stack>
  );
}

const titles: Readonly<Record<PasskeyProps['stage'], string>> = {
  requested: t('WhatsApp is asking for your passkey'),
  signed: t('Passkey received'),
  confirming: t('Almost linked'),
};

function Waiting({ text }: { readonly text: string }) {
  return (
    <Group wrap="nowrap" py="xl" role="status">
      <Loader aria-hidden />
      <Text>{text}</Text>
    </Group>
  );
}

function Compare({ instanceId, code }: { readonly instanceId: string; readonly code: string }) {
  const confirm = useConfirmPasskey(instanceId);
  return (
    <Stack>
      <Text>{t('Compare this code with the one on the phone. If they differ, start over.')}</Text>
      <Code fz={32} fw={650} p="md" ta="center" aria-label={code.split('').join(' ')}>
        {code}
      </Code>
      <FailureAlert error={inPlainWords(confirm.error)} />
      <Group>
        <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
          {t('The phone shows the same code')}
        </Button>
      </Group>
    </Stack>
  );
}
