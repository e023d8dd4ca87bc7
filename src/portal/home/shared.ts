import type { FastifyRequest } from 'fastify';
import { type NumberFilter, selectNumberPage } from '../../accounts/index.ts';
import { failingTargets } from '../../alerts/index.ts';
import { numberStory, storedRestriction, storedStanding } from '../../sessions/index.ts';
import { spoken } from '../language.ts';
import type { PortalOptions } from '../portal-options.ts';
import { iso, isoOrNull } from '../times.ts';
import type { Few, HomeNumber, HomeTarget } from '../wire/index.ts';

/** So many of each kind are told, and how many more there are. */
export const mostTold = 5;

/** The newest numbers that only a person can bring back, as far as the store knows: asking every link would cost more than it tells. */
export async function numbersInNeed(
  options: PortalOptions,
  request: FastifyRequest,
  of: Pick<NumberFilter, 'providerIds' | 'accountId'>,
): Promise<Few<HomeNumber>> {
  const { store, clock } = options;
  const now = clock.now();
  const page = await selectNumberPage(
    store.db,
    { ...of, standing: 'needs_person', now },
    { links: 'stored', dialect: store.dialect },
    { sort: 'created', descending: true, from: null, limit: mostTold },
  );
  const t = spoken(options, request);
  const items = await Promise.all(
    page.rows.map(async (row): Promise<HomeNumber> => {
      const number = { id: row.id, standing: storedStanding(row, now), restriction: storedRestriction(row, now) };
      // Who did it is told on the number's page.
      const { why, since } = await numberStory(store, number, () => null, t);
      return {
        instance_id: row.id,
        label: row.label,
        phone_number: row.phone_number,
        account_id: row.account_id,
        account_name: row.account_name,
        why,
        since: isoOrNull(since),
      };
    }),
  );
  return { items, total: page.total ?? items.length };
}

/** The alert targets that nothing arrives at. */
export async function targetsInTrouble({ store }: PortalOptions, within: Parameters<typeof failingTargets>[1]): Promise<Few<HomeTarget>> {
  return few(await failingTargets(store.db, within), ({ id, kind, address, outcome, at }) => ({
    target_id: id,
    kind,
    address,
    outcome,
    at: iso(at),
  }));
}

/** The first of them, as they are told. */
export function few<Item, Told>(all: readonly Item[], told: (item: Item) => Told): Few<Told> {
  return { items: all.slice(0, mostTold).map(told), total: all.length };
}

/** What is told of nothing. */
export const none: Few<never> = { items: [], total: 0 };
