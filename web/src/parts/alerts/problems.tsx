import { Anchor, Button, Center, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AlertProblemView } from '../../../../src/portal/wire/alerts.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { EmptyPanel } from '../empty-panel.tsx';
import { ListLoading } from '../list-parts.tsx';
import { RecordTable } from '../record-table.tsx';
import { Section } from '../section.tsx';
import { Ago } from '../time/ago.tsx';
import { type AlertHome, problemsQuery } from './home.ts';

/** What is wrong, and what was. */
export function Problems({ home }: { readonly home: AlertHome }) {
  return (
    <Stack gap="xl" mt="xl">
      <ProblemList home={home} state="open" title={t('Open problems')} none={t('Nothing is wrong.')} />
      <ProblemList home={home} state="ended" title={t('Problems that are over')} none={t('None in the last 90 days.')} />
    </Stack>
  );
}

interface ProblemListProps {
  readonly home: AlertHome;
  readonly state: 'open' | 'ended';
  readonly title: string;
  readonly none: string;
}

function ProblemList({ home, state, title, none }: ProblemListProps) {
  const query = useInfiniteQuery(problemsQuery(home, state));
  // Nobody is to be alerted, so nothing is looked for.
  if (query.data?.pages[0]?.problems === null) return null;
  return (
    <Section title={title}>
      <Answered query={query} loading={<ListLoading label={t('Loading the problems')} rows={2} />}>
        {({ pages }) => {
          const problems = pages.flatMap((page) => page.problems ?? []);
          if (problems.length === 0) return <EmptyPanel>{none}</EmptyPanel>;
          return (
            <Stack gap="sm">
              <RecordTable<AlertProblemView>
                label={title}
                rows={problems}
                keyOf={({ alert_id }) => alert_id}
                columns={[
                  { label: t('What'), cell: (problem) => <Problem home={home} problem={problem} />, long: true, whole: true },
                  { label: t('Since'), cell: ({ began_at }) => <Ago at={began_at} size="sm" /> },
                  ...(state === 'open'
                    ? []
                    : [
                        {
                          label: t('Until'),
                          cell: ({ began_at, ended_at }: AlertProblemView) => <Ago at={ended_at ?? began_at} size="sm" />,
                        },
                      ]),
                ]}
              />
              {query.hasNextPage && (
                <Center>
                  <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                    {t('Show older')}
                  </Button>
                </Center>
              )}
            </Stack>
          );
        }}
      </Answered>
    </Section>
  );
}

/** What is wrong, with the way to the number or account. */
function Problem({ home, problem: { text, instance_id, account_id } }: { readonly home: AlertHome; readonly problem: AlertProblemView }) {
  const place =
    instance_id !== null
      ? ({ to: home.numberPage, params: { instanceId: instance_id } } as const)
      : account_id !== null && home.account === undefined
        ? ({ to: '/operator/accounts/$accountId', params: { accountId: account_id } } as const)
        : null;
  if (place === null) return <Text size="sm">{text}</Text>;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...place} {...props} />}>
      {text}
    </Anchor>
  );
}
