import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { EmptyPanel } from '../empty-panel.tsx';
import { shownNumber } from '../phone-number.ts';
import { RecordTable } from '../record-table.tsx';
import { Section } from '../section.tsx';
import { OutcomeBadge } from '../sends/outcome-badge.tsx';
import { Ago } from '../time/ago.tsx';

interface LastFailuresProps {
  readonly failures: readonly RequestView[];
  /** Whether the reader acts for the account, so that its requests can be opened. */
  readonly own: boolean;
}

/** The sends of a number that failed last. */
export function LastFailures({ failures, own }: LastFailuresProps) {
  return (
    <Section title={t('Last failures')}>
      {failures.length === 0 ? (
        <EmptyPanel>{t('None in the last 30 days')}</EmptyPanel>
      ) : (
        <RecordTable
          label={t('Last failures')}
          rows={failures}
          keyOf={({ request_id }) => request_id}
          columns={[
            { label: t('When'), cell: (failure) => <SendTime send={failure} own={own} /> },
            { label: t('Failure'), cell: (failure) => <OutcomeBadge request={failure} /> },
            { label: t('Recipient'), cell: ({ recipient }) => shownNumber(recipient) ?? '–' },
            {
              label: t('Answer'),
              cell: ({ error_message }) => (
                <Text size="sm" c="dimmed" maw={360} lang="en">
                  {error_message}
                </Text>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

interface SendTimeProps {
  readonly send: RequestView;
  readonly own: boolean;
}

/** When something was sent; the time leads to the request. */
export function SendTime({ send: { at, request_id }, own }: SendTimeProps) {
  if (!own) return <Ago at={at} inherit />;
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/activity/$requestId" params={{ requestId: request_id }} {...props} />}>
      <Ago at={at} inLink span inherit />
    </Anchor>
  );
}
