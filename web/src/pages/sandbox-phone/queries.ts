import { queryOptions } from '@tanstack/react-query';
import type { SandboxChatMessage, SandboxContact, SandboxPhones } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';

// Live events keep these current by the `sandbox` in their keys.

/** The contacts that received something, the newest first. */
export function contactsQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'contacts'),
    queryFn: async ({ signal }) =>
      (await call<{ readonly contacts: readonly SandboxContact[] }>('/portal/api/sandbox/contacts', { account: accountId, signal }))
        .contacts,
  });
}

/** What one contact received, oldest first. */
export function chatQuery(accountId: string, digits: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'chat', digits),
    async queryFn({ signal }) {
      const path = `/portal/api/sandbox/chats/${encodeURIComponent(digits)}`;
      return (await call<{ readonly messages: readonly SandboxChatMessage[] }>(path, { account: accountId, signal })).messages;
    },
  });
}

/** The phones that are linked, and the codes that wait for one. */
export function phonesQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'sandbox', 'phones'),
    queryFn: ({ signal }) => call<SandboxPhones>('/portal/api/sandbox/phones', { account: accountId, signal }),
  });
}
