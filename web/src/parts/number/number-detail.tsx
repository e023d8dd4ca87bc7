import { Alert, Anchor, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { NumberDetail } from '../../../../src/portal/wire/operator.ts';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { type Fact, Facts } from '../facts.tsx';
import { Moment } from '../moment.tsx';
import { networkName } from '../number-words.ts';
import { shownNumber } from '../phone-number.ts';
import { Section } from '../section.tsx';
import { LastFailures } from '../sends/last-failures.tsx';
import { ShownId } from '../shown-id.tsx';
import { StandingBadge } from '../status-badge.tsx';
import { Ago } from '../time/ago.tsx';
import { NumberTimeline } from './number-timeline.tsx';
import { SendsChart } from './sends-chart.tsx';

interface NumberDetailProps {
  readonly number: NumberDetail;
  /** Whether the reader acts for its account, so that its requests can be opened. */
  readonly own: boolean;
  /** Who has it. */
  readonly facts?: readonly Fact[];
}

/** How a number is, why, what to do, which sends failed, and what happened to it. */
export function NumberOverview({ number, own, facts = [] }: NumberDetailProps) {
  const { new_chats, restriction } = number;
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <State number={number} />
        <Paper withBorder radius="lg" p="md" component="section" aria-label={t('About the number')}>
          <Facts
            facts={[
              [t('Phone number'), shownNumber(number.phone_number) ?? t('None yet')],
              ...facts,
              [t('Network'), networkName(number.network)],
              ...(number.client_version === null ? [] : [[t('Client version'), number.client_version] as const]),
              ...(number.server === null ? [] : [[t('Server'), number.server] as const]),
              ...(new_chats === null
                ? []
                : [[t('New chats'), t('{{used}} of {{quota}} used', { used: new_chats.used, quota: new_chats.quota })] as const]),
              ...(restriction?.until == null
                ? []
                : [[t('Restricted until'), <Moment key="until" at={restriction.until} size="sm" />] as const]),
              [
                t('Last send'),
                number.last_send === null ? t('None in the last 30 days') : <SendTime key="send" send={number.last_send} own={own} />,
              ],
              [t('Added'), <Moment key="added" at={number.created_at} size="sm" />],
              [t('Instance ID'), <ShownId key="id" id={number.instance_id} label={t('instance ID')} />],
            ]}
          />
        </Paper>
      </SimpleGrid>
      <SendsChart sends={number.sends} />
      <LastFailures accountId={number.account_id} number={number} />
      <Section title={t('History')}>
        <NumberTimeline entries={number.history} />
      </Section>
    </Stack>
  );
}

interface SendTimeProps {
  readonly send: RequestView;
  readonly own: boolean;
}

/** When something was sent; the time leads to the request. */
function SendTime({ send: { at, request_id }, own }: SendTimeProps) {
  if (!own) return <Ago at={at} />;
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/activity/$requestId" params={{ requestId: request_id }} {...props} />}>
      <Ago at={at} inLink />
    </Anchor>
  );
}

function State({ number }: { readonly number: NumberDetail }) {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={t('State')}>
      <StandingBadge number={number} />
      {number.since !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          <Ago at={number.since} />
        </Text>
      )}
      <Text mt="sm">{number.why}</Text>
      {number.what_to_do !== null && (
        <Alert color={number.standing === 'needs_person' ? 'red' : 'gray'} title={t('What to do')} mt="md" c="var(--mantine-color-text)">
          {number.what_to_do}
        </Alert>
      )}
    </Paper>
  );
}
