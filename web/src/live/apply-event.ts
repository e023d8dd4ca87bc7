import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent, LiveInstance } from '../../../src/portal/wire/index.ts';
import { instancesQuery } from '../api/queries.ts';
import type { Refresher } from './refresher.ts';

/** What is asked for while there is no stream. */
export const liveKeys: readonly QueryKey[] = [
  ['instances'],
  ['qr-status'],
  ['pairing'],
  ['activity'],
  ['sandbox'],
  ['first-steps'],
  ['operator', 'numbers'],
];

/** What changes with them, but is not worth asking for every few seconds. */
const slowKeys: readonly QueryKey[] = [['account'], ['usage'], ['keys']];

/** Brings the cache up to date with one event: known lists at once, everything else by asking again. */
export function applyEvent(queryClient: QueryClient, refresher: Refresher, told: LiveEvent): void {
  switch (told.event) {
    case 'reset':
      refresher.refresh(...liveKeys, ...slowKeys);
      return;
    case 'instance': {
      const { account_id: _, ...instance } = told.data;
      queryClient.setQueryData(instancesQuery.queryKey, (known) => known && withInstance(known, instance));
      refresher.refresh(['qr-status', instance.instance_id], ...aroundInstances(queryClient));
      return;
    }
    case 'instance_removed': {
      const { instance_id } = told.data;
      queryClient.setQueryData(instancesQuery.queryKey, (known) => known?.filter((one) => one.instance_id !== instance_id));
      refresher.refresh(...aroundInstances(queryClient));
      return;
    }
    case 'pairing':
      queryClient.setQueryData(['pairing', told.data.instance_id], told.data);
      refresher.refresh(['qr-status', told.data.instance_id], ['sandbox', 'phones']);
      return;
    case 'activity':
      refresher.refreshOnceWritten(['activity']);
      refresher.refresh(['usage'], ['sandbox'], ['first-steps'], ['keys'], ['account']);
  }
}

/** A list that is being asked for right now may come back without the event's change, so it is asked for again. */
function aroundInstances(queryClient: QueryClient): readonly QueryKey[] {
  const list = queryClient.isFetching(instancesQuery) > 0 ? [instancesQuery.queryKey] : [];
  return [...list, ['first-steps'], ['account'], ['sandbox', 'phones'], ['operator', 'numbers']];
}

function withInstance<Item extends Pick<LiveInstance, 'instance_id'>>(known: readonly Item[], changed: Item): readonly Item[] {
  const there = known.some(({ instance_id }) => instance_id === changed.instance_id);
  return there ? known.map((one) => (one.instance_id === changed.instance_id ? changed : one)) : [...known, changed];
}
