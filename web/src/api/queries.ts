import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

// Queries that several pages share. The live hook keeps them current by their keys.

/** The key of everything on the operators' pages. */
export const operatorKey = ['operator'] as const;

/** The key of everything that belongs to some account. */
export const accountsKey = ['account'] as const;

/** The key of an answer that belongs to one account. Its request names the account too, so that no other account's data can come under it. */
export function accountKey(accountId: string, ...name: readonly unknown[]) {
  return [...accountsKey, accountId, ...name] as const;
}

/** The account's numbers, oldest first. */
export function instancesQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'instances'),
    queryFn: async ({ signal }) => (await call('GET /v1/instances', { account: accountId, signal })).instances,
  });
}

/** The account with its plan and limits. */
export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'terms'),
    queryFn: ({ signal }) => call('GET /portal/api/account', { account: accountId, signal }),
  });
}

/** Which of the three first steps have happened. */
export function firstStepsQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'first-steps'),
    queryFn: ({ signal }) => call('GET /portal/api/first-steps', { account: accountId, signal }),
  });
}

/** Which of a new installation's first steps have happened. */
export const operatorStepsQuery = queryOptions({
  queryKey: [...operatorKey, 'first-steps'],
  queryFn: ({ signal }) => call('GET /portal/api/operator/first-steps', { signal }),
});

/** Every message kind with what its form is made from; the same for every account, for as long as the server runs. */
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async ({ signal }) => (await call('GET /portal/api/kinds', { signal })).kinds,
  staleTime: Number.POSITIVE_INFINITY,
});
