import { type Db, type OneTimeLinkRow, selectProviderOf } from '../store/index.ts';
import { type Place, placeOf, roleAt } from './memberships.ts';
import { selectUnusedLinksOf, takeLink } from './queries/links.ts';
import { type PlaceIds, selectMemberships } from './queries/memberships.ts';
import { selectUserByEmail } from './queries/users.ts';

/**
 * Whether the person who made a link could make it today: they may have lost the role since, the account may belong to another provider.
 * Links of the command line and of the gateway itself depend on nobody.
 */
export async function makerMayStill(
  db: Db,
  link: Pick<OneTimeLinkRow, 'purpose' | 'email' | 'provider_id' | 'account_id' | 'maker_id'>,
): Promise<boolean> {
  if (link.maker_id === null) return true;
  const places = (await selectMemberships(db, link.maker_id)).map(placeOf);
  if (places.some(({ role }) => role === 'operator')) return true;
  switch (link.purpose) {
    case 'first_operator':
      return false;
    case 'invitation':
      return mayInvite(db, places, link);
    case 'password_reset': {
      const person = link.email === null ? undefined : await selectUserByEmail(db, link.email);
      return person !== undefined && (await isWithin(db, person.id, administered(places)));
    }
  }
}

/** Ends the unused links of these people that they could not make any more. */
export async function endOutlivedLinks(db: Db, makerIds: readonly string[], now: number): Promise<void> {
  for (const link of await selectUnusedLinksOf(db, makerIds)) {
    if (!(await makerMayStill(db, link))) await takeLink(db, link.id, now);
  }
}

/**
 * Whether everything a person may do is at these providers and their accounts, and that is something. Whoever sets somebody's password can
 * become them, so the admin of a provider must gain nothing that the provider does not have.
 */
export async function isWithin(db: Db, userId: string, providerIds: readonly string[]): Promise<boolean> {
  const memberships = await selectMemberships(db, userId);
  for (const { provider_id, account_id } of memberships) {
    const provider = account_id === null ? provider_id : await selectProviderOf(db, account_id);
    if (provider === null || !providerIds.includes(provider)) return false;
  }
  return memberships.length > 0;
}

async function mayInvite(db: Db, places: readonly Place[], { account_id, provider_id }: PlaceIds): Promise<boolean> {
  if (account_id === null) return provider_id !== null && administered(places).includes(provider_id);
  const providerId = await selectProviderOf(db, account_id);
  const role = providerId === null ? undefined : roleAt(places, { accountId: account_id, providerId });
  return role === 'provider_admin' || role === 'owner';
}

/** The providers that somebody with these roles administers. */
export function administered(places: readonly Place[]): string[] {
  return places.flatMap(({ role, providerId }) => (role === 'provider_admin' && providerId !== null ? [providerId] : []));
}
