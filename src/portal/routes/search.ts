import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { search, searchView } from '../../accounts/index.ts';
import { boundSearches } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { searchText } from '../fields.ts';
import { hiddenId } from '../listing/hidden.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { searchReachOf } from '../reach.ts';
import type { SearchView } from '../wire/search.ts';

const asked = z.object({ q: searchText });

/** Everything that has a name, in all accounts that the person may see. */
export function searchRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, limiter, vault } = options;
  endpoint(
    server,
    'GET /portal/api/search',
    { onRequest: signedIn(options), query: asked },
    async ({ visitor, query }, reply): Promise<SearchView> => {
      await boundSearches(limiter, reply, visitor);
      return searchView(await search(store, searchReachOf(visitor), query.q, clock.now()), (id) => hiddenId(vault, id));
    },
  );
}
