import { queryOptions } from '@tanstack/react-query';
import type { AccountView, FirstSteps, KindView, LiveInstance } from '../../../src/portal/wire/index.ts';
import { call } from './client.ts';

// What several pages ask for. The live hook keeps these answers current by their keys.

/** A number as GET /v1/instances lists it. */
export type Instance = Omit<LiveInstance, 'account_id'>;

/** The account's numbers, oldest first. */
export const instancesQuery = queryOptions({
  queryKey: ['instances'],
  queryFn: async () => (await call<{ readonly instances: readonly Instance[] }>('/v1/instances')).instances,
});

/** The acting account with its plan and limits. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call<AccountView>('/portal/api/account'),
});

/** Which of the three first steps have happened. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => call<FirstSteps>('/portal/api/first-steps'),
});

/** Every message kind with what its form is made from; the same for as long as the server runs. */
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async () => (await call<{ readonly kinds: readonly KindView[] }>('/portal/api/kinds')).kinds,
  staleTime: Number.POSITIVE_INFINITY,
});
