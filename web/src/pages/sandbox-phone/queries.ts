import { queryOptions } from '@tanstack/react-query';
import type { SandboxChatMessage, SandboxContact, SandboxPhones } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';

// Their keys begin with 'sandbox', so that live events keep them current.

/** Everybody who received something, the newest first. */
export const contactsQuery = queryOptions({
  queryKey: ['sandbox', 'contacts'],
  queryFn: async () => (await call<{ readonly contacts: readonly SandboxContact[] }>('/portal/api/sandbox/contacts')).contacts,
});

/** What one contact received, oldest first. */
export function chatQuery(digits: string) {
  return queryOptions({
    queryKey: ['sandbox', 'chat', digits],
    queryFn: async () =>
      (await call<{ readonly messages: readonly SandboxChatMessage[] }>(`/portal/api/sandbox/chats/${encodeURIComponent(digits)}`))
        .messages,
  });
}

/** The phones that are linked, and the codes that wait for one. */
export const phonesQuery = queryOptions({
  queryKey: ['sandbox', 'phones'],
  queryFn: () => call<SandboxPhones>('/portal/api/sandbox/phones'),
});
