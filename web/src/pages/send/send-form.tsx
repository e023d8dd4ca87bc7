import { Alert, Button, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle, IconSend, IconSparkles } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef } from 'react';
import type { KindView } from '../../../../src/portal/wire/sending.ts';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { NoNumberText, NumberField, RecipientField } from './address-fields.tsx';
import { CodeText } from './code-text.tsx';
import { GroupFields } from './form/group-input.tsx';
import { labelOf } from './form/labels.ts';
import { ProblemsProvider } from './form/problems.tsx';
import { MoreFields } from './more-fields.tsx';
import { RecentMessage } from './recent-message.tsx';
import classes from './send.module.css';
import type { Message } from './use-message.ts';

interface SendFormProps {
  readonly kind: KindView;
  readonly numbers: readonly Instance[];
  readonly message: Message;
}

/** The form of one kind: from whom, to whom, what. */
export function SendForm({ kind, numbers, message }: SendFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { problems } = message;
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    message.send();
  };
  const number = numbers.find(({ instance_id }) => instance_id === message.from);
  const connected = numbers.some((one) => one.connected);
  const recent = <RecentMessage from={message.from} messageId={message.aboutId} onChoose={message.setAbout} />;

  return (
    // What is missing is told before it is sent; of the rest the server is the judge. Both say it at the field.
    <form ref={form} onSubmit={submit} noValidate aria-label={kind.summary}>
      <ProblemsProvider problems={message.problems} changed={message.forget}>
        <Paper withBorder radius="lg" p="md">
          <Stack gap="md">
            <Group justify="space-between" align="flex-start" gap="xs">
              <Title order={2} size="h4">
                {kind.summary}
              </Title>
              <Examples kind={kind} onChoose={message.fill} />
            </Group>
            {kind.description !== null && (
              <Text size="sm" c="dimmed" mt={-8}>
                <CodeText text={kind.description} />
              </Text>
            )}
            {kind.best_effort_note !== null && (
              <Alert role="note" color="yellow" icon={<IconInfoCircle aria-hidden />} p="sm">
                <Text size="sm">{kind.best_effort_note}</Text>
              </Alert>
            )}
            {!connected && (
              <Alert role="note" color="orange" icon={<IconInfoCircle aria-hidden />} p="sm">
                <NoNumberText />
              </Alert>
            )}
            <div className={classes.address}>
              {/* Its dropdown is no column of its own. */}
              <div>
                <NumberField numbers={numbers} chosen={message.from} onChoose={message.setFrom} />
              </div>
              <RecipientField to={message.to} sandbox={number?.network === 'sandbox'} onChange={message.setTo} />
            </div>
            {!message.quotable && recent}
            <GroupFields entry={message.content} path="" onChange={message.setContent} />
            <MoreFields more={message.more} reply={message.quotable && recent} onChange={message.setMore} />
            <FailureAlert error={message.failure} />
            <Group justify="flex-end">
              <Button
                type="submit"
                leftSection={<IconSend size={18} aria-hidden />}
                loading={message.sending}
                disabled={number?.connected !== true}
              >
                {message.unconfirmed ? t('Try again') : t('Send')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </ProblemsProvider>
    </form>
  );
}

function Examples({ kind, onChoose }: { readonly kind: KindView; onChoose(example: Readonly<Record<string, unknown>>): void }) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="light" size="xs" leftSection={<IconSparkles size={16} aria-hidden />}>
          {t('Fill with an example')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(kind.examples).map(([name, example]) => (
          <Menu.Item key={name} onClick={() => onChoose(example)}>
            {labelOf(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
