import { Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Answered } from '../../parts/answered.tsx';
import { ListLoading, Total } from '../../parts/list-parts.tsx';
import { NumberTable } from './number-table.tsx';
import { numbersQuery } from './queries.ts';
import { Section } from './section.tsx';

/** The numbers of one account. A search for an account's whole ID finds exactly those. */
export function AccountNumbers({ accountId }: { readonly accountId: string }) {
  const numbers = useQuery(numbersQuery({ search: accountId }));
  return (
    <Section title="Numbers">
      <Answered query={numbers} loading={<ListLoading label="Loading the numbers" rows={2} />}>
        {({ numbers: found, total }) =>
          total === 0 ? (
            <Paper withBorder radius="lg" p="lg">
              <Text size="sm" c="dimmed">
                No numbers yet. The customer adds them, or you do it for them with “Act for account”.
              </Text>
            </Paper>
          ) : (
            <>
              {found.length < total && <Total shown={found.length} total={total} one="number" many="numbers" />}
              <NumberTable numbers={found} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}
