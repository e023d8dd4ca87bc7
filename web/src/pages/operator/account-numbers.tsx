import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyPanel } from '../../parts/empty-panel.tsx';
import { listQuery } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Section } from '../../parts/section.tsx';
import { NumberTable } from './number-table.tsx';
import { numbersKey, numbersPath } from './queries.ts';

/** The newest numbers of one account, with the way to all of them. */
export function AccountNumbers({ accountId }: { readonly accountId: string }) {
  const numbers = useQuery(listQuery(numbersKey, numbersPath, { account_id: accountId, limit: '20' }));
  return (
    <Section title={t('Numbers')}>
      <Answered query={numbers} loading={<ListLoading label={t('Loading the numbers')} rows={2} />}>
        {({ rows, total, next }) =>
          total === 0 ? (
            <EmptyPanel>{t('No numbers yet. The customer adds them, or you do it for them with “Act for account”.')}</EmptyPanel>
          ) : (
            <>
              <NumberTable numbers={rows} />
              {next !== null && (
                <Anchor size="sm" renderRoot={(props) => <Link to="/operator/numbers" search={{ account_id: accountId }} {...props} />}>
                  {t('Show all {{count}} numbers', { count: total ?? 0 })}
                </Anchor>
              )}
            </>
          )
        }
      </Answered>
    </Section>
  );
}
