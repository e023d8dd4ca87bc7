import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';

// Live events keep these current by the `sandbox` in their keys.

/** The contacts that received something, the newest first. */
export function contactsQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'contacts'),
    queryFn: async ({ signal }) => (await call('GET /portal/api/sandbox/contacts', { account: accountId, signal })).contacts,
  });
}

/** What one contact received, oldest first. */
export function chatQuery(accountId: string, digits: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'chat', digits),
    queryFn: async ({ signal }) =>
      (await call('GET /portal/api/sandbox/chats/:digits', { params: { digits }, account: accountId, signal })).messages,
  });
}

/** The phones that are linked, and the codes that wait for one. */
export function phonesQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'phones'),
    queryFn: ({ signal }) => call('GET /portal/api/sandbox/phones', { account: accountId, signal }),
  });
}
