import { Code, Paper, Table, Text, Title } from '@mantine/core';
import { t } from '../../language/language.ts';

const meanings = [
  { digits: '0000', text: t('Not on the network. The send is refused.') },
  { digits: '0001', text: t('The network cannot say whether it exists. A send fails.') },
  { digits: '0002', text: t('Answers on another number: the same one with 3 as its last digit gets the message.') },
  {
    digits: '0004',
    text: t(
      'The message arrives, but its first confirmation is lost, so the send fails. Sending again with the same Idempotency-Key succeeds, and there is still one message.',
    ),
  },
  { digits: '0005', text: t('The confirmation takes three seconds.') },
  { digits: '0006', text: t('Every message is read at once. Webhooks can be told of it.') },
  { digits: '0007', text: t('Messages are accepted and then lost. Webhooks can be told of it.') },
] as const;

/** The sandbox's numbers with special behaviour, to test a program with. */
export function NumberMeanings() {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-labelledby="number-meanings">
      <Title order={2} size="h4" id="number-meanings" mb={4}>
        {t('Special numbers')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('Any number receives what you send. Some recipients behave differently, depending on their last four digits:')}
      </Text>
      <Table aria-labelledby="number-meanings" verticalSpacing={6} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80}>{t('Ends in')}</Table.Th>
            <Table.Th>{t('What happens')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {meanings.map(({ digits, text }) => (
            <Table.Tr key={digits}>
              <Table.Td valign="top">
                <Code>{digits}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{text}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
