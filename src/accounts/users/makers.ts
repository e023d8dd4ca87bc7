import type { OneTimeLinkRow, Store } from '../../store/index.ts';
import { selectProviderOf } from '../audit/queries.ts';
import { type Db, selectProvider } from '../queries.ts';
import { refuseSuspended, suspendedByOperator } from '../suspension.ts';
import { actingAccount, membershipsOf, type Place, placeOf, roleAt } from './memberships.ts';
import { selectMemberships, selectUnusedLinksOf, selectUserByEmail, takeLink } from './queries.ts';

/**
 * Whether the person who made a link could make it today: they may have lost the role since, the account may belong to another provider.
 * Links of the command line and of the gateway itself depend on nobody.
 */
export async function makerMayStill(db: Db, link: OneTimeLinkRow): Promise<boolean> {
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

/**
 * Throws account_suspended for an invitation to an account or provider that is suspended, so that its maker may change nothing there
 * (decisions §13). The link stays, and works again when the suspension is over.
 */
export async function refuseSuspendedInvitation(store: Store, link: OneTimeLinkRow): Promise<void> {
  const { purpose, maker_id, account_id, provider_id } = link;
  if (purpose !== 'invitation' || maker_id === null) return;
  const places = await membershipsOf(store, maker_id);
  if (places.some(({ role }) => role === 'operator')) return;
  if (account_id !== null) {
    const maker = await actingAccount(store, places, account_id);
    if (maker !== null) refuseSuspended(maker.role, maker.account);
  } else if (provider_id !== null) {
    const provider = await selectProvider(store.db, provider_id);
    if (provider?.status === 'suspended') throw suspendedByOperator();
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

async function mayInvite(db: Db, places: readonly Place[], { account_id, provider_id }: OneTimeLinkRow): Promise<boolean> {
  if (account_id === null) return provider_id !== null && administered(places).includes(provider_id);
  const providerId = await selectProviderOf(db, account_id);
  const role = providerId === null ? undefined : roleAt(places, { accountId: account_id, providerId });
  return role === 'provider_admin' || role === 'owner';
}

/** The providers that somebody with these roles administers. */
export function administered(places: readonly Place[]): string[] {
  return places.flatMap(({ role, providerId }) => (role === 'provider_admin' && providerId !== null ? [providerId] : []));
}
