import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent, LiveInstance } from '../../../src/portal/wire/live.ts';
import { accountKey, instancesQuery, operatorKey } from '../api/queries.ts';
import type { Refresher } from './refresher.ts';

const liveParts = ['instances', 'numbers', 'number', 'qr-status', 'pairing', 'activity', 'sandbox', 'first-steps'];
/** What changes with them, but too seldom or too costly to fetch it every few seconds. */
const slowParts = ['terms', 'usage', 'keys', 'home', 'request'];
const operatorsNumbers = [...operatorKey, 'numbers'];

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
      const about = ['qr-status', 'number'].map((part) => accountKey(account_id, part, instance.instance_id));
      refresher.refresh(...about, ...aroundInstances(queryClient, account_id));
      return;
    }
    case 'instance_removed': {
      const { account_id, instance_id } = told.data;
      queryClient.setQueryData(instancesQuery(account_id).queryKey, (known) => known?.filter((one) => one.instance_id !== instance_id));
      refresher.refresh(...aroundInstances(queryClient, account_id));
      return;
    }
    case 'numbers_stored': {
      const { account_id, instance_ids } = told.data;
      const pages = instance_ids.flatMap((id) => [accountKey(account_id, 'number', id), [...operatorKey, 'number', id]]);
      refresher.refresh(...pages, ...partsOf(account_id, ['numbers', 'home']), operatorsNumbers);
      return;
    }
    case 'pairing': {
      const { account_id, instance_id } = told.data;
      queryClient.setQueryData(accountKey(account_id, 'pairing', instance_id), told.data);
      refresher.refresh(accountKey(account_id, 'qr-status', instance_id), accountKey(account_id, 'sandbox', 'phones'));
      return;
    }
    case 'activity':
      refresher.refresh(...partsOf(accountId, ['activity', 'number', 'usage', 'sandbox', 'first-steps', 'keys', 'terms']));
      // Its page may have been opened before the server that was asked could read it.
      if (accountId !== null) refresher.refresh(accountKey(accountId, 'request', told.data.request_id));
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
