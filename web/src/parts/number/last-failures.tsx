import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { EmptyPanel } from '../empty-panel.tsx';
import { Section } from '../section.tsx';
import { SendRows } from '../sends/send-rows.tsx';
import { Ago } from '../time/ago.tsx';

interface LastFailuresProps {
  readonly failures: readonly RequestView[];
  /** Their account, where another one is acted for. */
  readonly accountId?: string;
}

/** The sends of a number that failed last. */
export function LastFailures({ failures, ...account }: LastFailuresProps) {
  return (
    <Section title={t('Last failures')}>
      {failures.length === 0 ? (
        <EmptyPanel>{t('None in the last 30 days')}</EmptyPanel>
      ) : (
        <SendRows sends={failures} numbers={undefined} {...account} />
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
