import { Alert, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconActivity, IconAlertTriangle, IconCircleCheck, IconDeviceMobileMessage, IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useSession } from '../../session/session.ts';
import type { Answer, Refused } from './answer.ts';
import { CodePanel } from './code-panel.tsx';

interface AnswerPanelProps {
  readonly answer: Answer;
  /** Whether it went to the sandbox, where its arrival can be seen. */
  readonly sandbox: boolean;
  /** Sends the same as another message; null where that is not to be offered. */
  readonly sendOnceMore: (() => void) | null;
  /** A send is under way. */
  readonly sending: boolean;
}

/** What came back: in words, with the way to see what became of it, and as a program gets it. */
export function AnswerPanel({ answer, sandbox, sendOnceMore, sending }: AnswerPanelProps) {
  const { outcome, requestId, status, headers, body } = answer;
  const { idempotency } = useSession();
  return (
    <Stack gap="md">
      <Alert
        color={outcome.accepted ? 'teal' : 'red'}
        icon={outcome.accepted ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={titleOf(answer)}
      >
        <Text size="sm" {...(outcome.accepted || outcome.problems.size > 1 ? {} : { lang: 'en' })}>
          {outcome.accepted
            ? t('Accepted for delivery to {{number}}.', { number: shownNumber(outcome.to) ?? outcome.to })
            : inWords(outcome)}
        </Text>
        {answer.replayed && (
          <Text size="sm" mt={4}>
            {t('It had been sent before, and nothing was sent a second time.')}
          </Text>
        )}
        {!answer.confirmed && (
          <Text size="sm" mt={4}>
            {idempotency
              ? t('Trying again is safe: the message arrives at most once.')
              : t('Check Activity before sending again: the message may have been sent.')}
          </Text>
        )}
        <Group gap="xs" mt="sm">
          <Button
            renderRoot={(props) => <Link to="/activity/$requestId" params={{ requestId }} {...props} />}
            variant="default"
            size="xs"
            leftSection={<IconActivity size={16} aria-hidden />}
          >
            {t('See this request')}
          </Button>
          {outcome.accepted && sandbox && (
            <Button
              renderRoot={(props) => <Link to="/sandbox-phone" search={{ with: Number(outcome.to) }} {...props} />}
              variant="default"
              size="xs"
              leftSection={<IconDeviceMobileMessage size={16} aria-hidden />}
            >
              {t('See it arrive')}
            </Button>
          )}
          {sendOnceMore !== null && (
            <Button variant="default" size="xs" leftSection={<IconSend size={16} aria-hidden />} onClick={sendOnceMore} loading={sending}>
              {t('Send it once more')}
            </Button>
          )}
        </Group>
      </Alert>
      <CodePanel
        title={t('The response')}
        label={t('Response')}
        code={JSON.stringify(body, null, 2)}
        beside={
          <Badge color={status < 400 ? 'teal' : 'red'} variant="light">
            {t('Status {{status}}', { status })}
          </Badge>
        }
      >
        {headers.length > 0 && (
          <Table mt="xs" fz="xs" variant="vertical" translate="no" aria-label={t('Headers of the response')}>
            <Table.Tbody>
              {headers.map(({ name, value }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={500} ff="monospace">
                    {name}
                  </Table.Th>
                  <Table.Td ff="monospace">{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </CodePanel>
    </Stack>
  );
}

function titleOf({ outcome, confirmed }: Answer): string {
  if (outcome.accepted) return t('Sent');
  return confirmed ? t('Not sent') : t('Not confirmed');
}

function inWords({ message, problems }: Refused): string {
  if (problems.size > 1) {
    return t('{{count}} fields need another look. They are marked in the form.', {
      count: problems.size,
      defaultValue_one: '{{count}} field needs another look. It is marked in the form.',
    });
  }
  return message.charAt(0).toUpperCase() + message.slice(1);
}
