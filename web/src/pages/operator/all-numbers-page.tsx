import { Group, Select, Stack } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListLoading, Total } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { networkName } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { standingText, statuses, statusText } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.ts';
import { NumberTable } from './number-table.tsx';
import { numbersQuery } from './queries.ts';

/** The states that a list can be narrowed to; the last two are kinds of “not connected”. */
const states = [...statuses, 'needs_person', 'never_linked'] as const;

function stateText(state: (typeof states)[number]): string {
  return state === 'needs_person' || state === 'never_linked' ? standingText(state) : statusText(state);
}

/** How often is asked while the stream tells only of the one account that is acted for. */
const pollMs = 5000;

/** The numbers of all accounts this person administers, with their live state. */
export default function AllNumbersPage() {
  const { search = '', status, network } = useSearch({ from: '/signed-in/operator/numbers' });
  const navigate = useNavigate({ from: '/operator/numbers' });
  const { account, networks } = useSession();
  const state = states.find((one) => one === status) ?? null;
  const filter = {
    search,
    network,
    ...(state === 'needs_person' || state === 'never_linked' ? { standing: state } : { status: state ?? undefined }),
  };
  const numbers = useQuery({ ...numbersQuery(filter), refetchInterval: account === null ? false : pollMs });
  const choose = (changed: { search?: string; status?: string; network?: string }) => {
    const { search: text, status: chosen, network: one } = { search, status, network, ...changed };
    void navigate({
      search: {
        ...(text === '' ? {} : { search: text }),
        ...(chosen === undefined || chosen === '' ? {} : { status: chosen }),
        ...(one === undefined || one === '' ? {} : { network: one }),
      },
      replace: true,
    });
  };
  return (
    <>
      <PageHeader title="All numbers" text="The numbers of all accounts. What changes shows by itself." />
      <Stack gap="sm">
        <Group gap="sm">
          <SearchField
            value={search}
            label="Find a number"
            placeholder="Find by name, digits, account or ID"
            onChange={(text) => choose({ search: text })}
          />
          <Select
            aria-label="State"
            placeholder="All states"
            data={states.map((one) => ({ value: one, label: stateText(one) }))}
            value={state}
            onChange={(chosen) => choose({ status: chosen ?? '' })}
            clearable
            comboboxProps={{ withinPortal: false }}
            clearButtonProps={{ 'aria-label': 'All states' }}
            w={170}
          />
          {networks.length > 1 && (
            <Select
              aria-label="Network"
              placeholder="All networks"
              data={networks.map((one) => ({ value: one, label: networkName(one) }))}
              value={network ?? null}
              onChange={(chosen) => choose({ network: chosen ?? '' })}
              clearable
              comboboxProps={{ withinPortal: false }}
              clearButtonProps={{ 'aria-label': 'All networks' }}
              w={170}
            />
          )}
        </Group>
        <Answered query={numbers} loading={<ListLoading label="Loading the numbers" />}>
          {({ numbers: found, total }) =>
            total === 0 ? (
              <NoNumbers looking={search !== '' || state !== null || network !== undefined} />
            ) : (
              <>
                <Total shown={found.length} total={total} one="number" many="numbers" />
                <NumberTable numbers={found} accounts />
              </>
            )
          }
        </Answered>
      </Stack>
    </>
  );
}

function NoNumbers({ looking }: { readonly looking: boolean }) {
  if (looking) {
    return <NothingFits>No number fits.</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconListNumbers size={28} />}
      title="No numbers yet"
      text="As soon as an account adds a number, it is listed here with its state."
    />
  );
}
