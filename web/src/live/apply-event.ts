import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent, LiveInstance } from '../../../src/portal/wire/index.ts';
import { accountKey, instancesQuery } from '../api/queries.ts';
import type { Refresher } from './refresher.ts';

const liveParts = ['instances', 'numbers', 'number', 'qr-status', 'pairing', 'activity', 'sandbox', 'first-steps'];
/** What changes with them, but is too costly to fetch every few seconds. */
const slowParts = ['terms', 'usage', 'keys', 'home'];
const operatorsNumbers = ['operator', 'numbers'];

/** The queries to repeat while there is no stream. `accountId` is null when the tab acts for no account. */
export function liveKeys(accountId: string | null): readonly QueryKey[] {
  return [...partsOf(accountId, liveParts), operatorsNumbers];
}

/** Updates the cache with one event of this account's stream. Lists are changed at once, everything else is fetched again. */
export function applyEvent(queryClient: QueryClient, refresher: Refresher, accountId: string | null, told: LiveEvent): void {
  switch (told.event) {
    case 'reset':
      refresher.refresh(...liveKeys(accountId), ...partsOf(accountId, slowParts));
      return;
    case 'instance': {
      const { account_id, ...instance } = told.data;
      queryClient.setQueryData(instancesQuery(account_id).queryKey, (known) => known && withInstance(known, instance));
      refresher.refresh(accountKey(account_id, 'qr-status', instance.instance_id), ...aroundInstances(queryClient, account_id));
      // Its history is written a moment later.
      refresher.refreshOnceWritten(accountKey(account_id, 'number', instance.instance_id));
      return;
    }
    case 'instance_removed': {
      const { account_id, instance_id } = told.data;
      queryClient.setQueryData(instancesQuery(account_id).queryKey, (known) => known?.filter((one) => one.instance_id !== instance_id));
      refresher.refresh(...aroundInstances(queryClient, account_id));
      return;
    }
    case 'pairing': {
      const { account_id, instance_id } = told.data;
      queryClient.setQueryData(accountKey(account_id, 'pairing', instance_id), told.data);
      refresher.refresh(accountKey(account_id, 'qr-status', instance_id), accountKey(account_id, 'sandbox', 'phones'));
      return;
    }
    case 'activity':
      refresher.refreshOnceWritten(...partsOf(accountId, ['activity', 'number']));
      refresher.refresh(...partsOf(accountId, ['usage', 'sandbox', 'first-steps', 'keys', 'terms']));
  }
}

function partsOf(accountId: string | null, parts: readonly string[]): readonly QueryKey[] {
  return accountId === null ? [] : parts.map((part) => accountKey(accountId, part));
}

/** A list that is being fetched right now may lack the event's change, so it is fetched again. */
function aroundInstances(queryClient: QueryClient, accountId: string): readonly QueryKey[] {
  const instances = instancesQuery(accountId);
  const list = queryClient.isFetching(instances) > 0 ? [instances.queryKey] : [];
  return [
    ...list,
    ...partsOf(accountId, ['numbers', 'first-steps', 'terms', 'home']),
    accountKey(accountId, 'sandbox', 'phones'),
    operatorsNumbers,
  ];
}

function withInstance<Item extends Pick<LiveInstance, 'instance_id'>>(known: readonly Item[], changed: Item): readonly Item[] {
  const there = known.some(({ instance_id }) => instance_id === changed.instance_id);
  return there ? known.map((one) => (one.instance_id === changed.instance_id ? changed : one)) : [...known, changed];
}
