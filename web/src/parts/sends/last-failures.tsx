import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { AccountPageLink } from '../account/account-page-link.tsx';
import { Answered } from '../answered.tsx';
import { EmptyPanel } from '../empty-panel.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Section } from '../section.tsx';
import { latestSendsQuery } from './activity-query.ts';
import { SendRows } from './send-rows.tsx';

/** How many are shown before the whole list is opened. */
const shown = 5;

interface LastFailuresProps {
  readonly accountId: string;
  /** Of this number alone, whose page has them already. */
  readonly number?: { readonly instance_id: string; readonly last_failures: readonly RequestView[] };
}

/** The sends of the last 30 days that were not accepted, the newest first, with the way to all of them. */
export function LastFailures({ accountId, number }: LastFailuresProps) {
  const filter = { outcome: 'failed', ...(number === undefined ? {} : { instance_id: number.instance_id }) };
  const own = useSession().account?.account_id === accountId;
  const href = `/activity?${new URLSearchParams(filter)}`;
  return (
    <Section
      title={t('Last failures')}
      actions={
        <Button
          renderRoot={(props) =>
            own ? <Link to="/activity" search={filter} {...props} /> : <AccountPageLink accountId={accountId} href={href} {...props} />
          }
          variant="subtle"
          size="compact-sm"
        >
          {t('All failures')}
        </Button>
      }
    >
      {number === undefined ? (
        <OfAccount accountId={accountId} own={own} />
      ) : (
        <Failures failures={number.last_failures} accountId={accountId} own={own} />
      )}
    </Section>
  );
}

interface OfAccountProps {
  readonly accountId: string;
  /** Whether the reader acts for it. */
  readonly own: boolean;
}

function OfAccount({ accountId, own }: OfAccountProps) {
  const failures = useQuery(latestSendsQuery(accountId, { outcome: 'failed' }, shown));
  return (
    <Answered query={failures} loading={<ListLoading label={t('Loading the last failures')} rows={2} />}>
      {({ items }) => <Failures failures={items} accountId={accountId} own={own} />}
    </Answered>
  );
}

function Failures({ failures, accountId, own }: OfAccountProps & { readonly failures: readonly RequestView[] }) {
  if (failures.length === 0) return <EmptyPanel>{t('None in the last 30 days')}</EmptyPanel>;
  return <SendRows sends={failures} numbers={undefined} {...(own ? {} : { accountId })} />;
}
