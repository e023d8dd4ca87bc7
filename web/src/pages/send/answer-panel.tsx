import { Alert, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconActivity, IconAlertTriangle, IconCircleCheck, IconDeviceMobileMessage } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import type { Answer, Refused } from './answer.ts';
import { CodePanel } from './code-panel.tsx';

interface AnswerPanelProps {
  readonly answer: Answer;
  /** Whether it went to the sandbox, where its arrival can be seen. */
  readonly sandbox: boolean;
}

/** What came back: in words, with the way to see what became of it, and as a program gets it. */
export function AnswerPanel({ answer, sandbox }: AnswerPanelProps) {
  const { outcome, requestId, status, headers, body } = answer;
  return (
    <Stack gap="md">
      <Alert
        color={outcome.accepted ? 'teal' : 'red'}
        icon={outcome.accepted ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={outcome.accepted ? t('Sent') : t('Not sent')}
      >
        <Text size="sm" {...(outcome.accepted || outcome.problems.size > 1 ? {} : { lang: 'en' })}>
          {outcome.accepted
            ? t('Accepted for delivery to {{number}}.', { number: shownNumber(outcome.to) ?? outcome.to })
            : inWords(outcome)}
        </Text>
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

function inWords({ message, problems }: Refused): string {
  if (problems.size > 1) {
    return t('{{count}} fields need another look. They are marked in the form.', {
      count: problems.size,
      defaultValue_one: '{{count}} field needs another look. It is marked in the form.',
    });
  }
  return message.charAt(0).toUpperCase() + message.slice(1);
}
