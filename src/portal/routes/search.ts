import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type SearchResult, search } from '../../accounts/index.ts';
import { succeed } from '../../http/index.ts';
import type { MessageType } from '../../kinds/index.ts';
import { boundSearches } from '../bounds.ts';
import { searchText } from '../fields.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { searchReachOf } from '../reach.ts';
import { iso } from '../times.ts';
import type { SearchView } from '../wire/index.ts';

const asked = z.object({ q: searchText });

/** GET /portal/api/search: everything that has a name, in all accounts that the person may see. */
export function searchRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, limiter } = options;
  server.get<{ Querystring: z.output<typeof asked> }>(
    '/portal/api/search',
    { schema: { querystring: asked }, onRequest: signedIn(options) },
    async (request, reply) => {
      await boundSearches(limiter, reply, request.visitor);
      return succeed(request, reply, searchView(await search(store, searchReachOf(request.visitor), request.query.q, clock.now())));
    },
  );
}

function searchView({ requests, numbers, accounts, keys, people, providers }: SearchResult): SearchView {
  return {
    requests: {
      ...requests,
      items: requests.items.map(({ record, account }) => ({
        request_id: record.request_id,
        at: iso(record.at),
        status: record.status,
        code: record.code,
        method: record.method,
        path: record.path,
        // Only our own routes note a type.
        message_type: record.message_type as MessageType | null,
        recipient: record.recipient,
        account_id: record.account_id,
        account_name: account?.account_name ?? null,
      })),
    },
    numbers: { ...numbers, items: numbers.items.map(({ id, ...one }) => ({ instance_id: id, ...one })) },
    accounts: { ...accounts, items: accounts.items.map(({ id, ...one }) => ({ account_id: id, ...one })) },
    keys: { ...keys, items: keys.items.map(({ id, revoked_at, ...one }) => ({ key_id: id, ...one, revoked: revoked_at !== null })) },
    people: { ...people, items: people.items.map(({ id, ...one }) => ({ user_id: id, ...one })) },
    providers: { ...providers, items: providers.items.map(({ id, ...one }) => ({ provider_id: id, ...one })) },
  };
}
