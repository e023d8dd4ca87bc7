import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
  /** Of this number alone. */
  readonly instanceId?: string;
}

/** The sends of the last 30 days that were not accepted, the newest first, with the way to all of them. */
export function LastFailures({ accountId, instanceId }: LastFailuresProps) {
  const filter = { outcome: 'failed', ...(instanceId === undefined ? {} : { instance_id: instanceId }) };
  const failures = useQuery(latestSendsQuery(accountId, filter, shown));
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
      <Answered query={failures} loading={<ListLoading label={t('Loading the last failures')} rows={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPanel>{t('Every send of the last 30 days was accepted.')}</EmptyPanel>
          ) : (
            <SendRows sends={items} numbers={undefined} {...(own ? {} : { accountId })} />
          )
        }
      </Answered>
    </Section>
  );
}
