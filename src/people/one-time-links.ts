import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { Conflict, GatewayError, hourMs, newId, OperatorError, quote, storedId } from '../core/index.ts';
import { type Db, existingAccount, existingProvider, type OneTimeLinkRow, type Store } from '../store/index.ts';
import { makerMayStill } from './makers.ts';
import { type Place, placeIds } from './memberships.ts';
import { endLinks, insertLink, selectInvitation, selectUsableLink, takeLink } from './queries/links.ts';
import { countPeople, operatorExists, selectMembershipAt } from './queries/memberships.ts';
import { existingUser, selectUserByEmail } from './queries/users.ts';

/** People at one place, those who are invited included. */
const mostPeople = 500;
const lifetimes = { first_operator: 24 * hourMs, invitation: 7 * 24 * hourMs, password_reset: 2 * hourMs } as const;

/** A link just made. Its token is known only now; the store keeps a hash. */
export interface NewLink {
  readonly id: string;
  readonly token: string;
  readonly email: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The e-mail address as it is stored: without surrounding space, in lower case. Throws OperatorError when it is none. */
export function checkEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !z.email().safeParse(email).success) throw new OperatorError(`${quote(text)} is not an e-mail address`);
  return email;
}

/** Who may see a link besides its mailbox: somebody on a screen, or nobody because it is mailed and not shown. */
export type SeenBy = 'somebody' | 'nobody';

/**
 * An invitation to a role; an earlier unused one of the same address to the same place ends. Throws OperatorError for a bad address, an
 * unknown account or provider or a role that does not fit the place, and Conflict for somebody who has a role there.
 */
export async function invite(store: Store, emailText: string, place: Place, act: Act, seenBy: SeenBy = 'somebody'): Promise<NewLink> {
  return store.transaction((trx) => inviteWithin(trx, emailText, place, act, seenBy));
}

/** The same within a transaction that does more. */
export async function inviteWithin(trx: Db, emailText: string, place: Place, act: Act, seenBy: SeenBy): Promise<NewLink> {
  const email = checkEmail(emailText);
  const at = await checkPlace(trx, place);
  const known = await selectUserByEmail(trx, email);
  if (known !== undefined && (await selectMembershipAt(trx, known.id, at)) !== undefined)
    throw new Conflict(`${quote(email)} has a role there already`);
  await endLinks(trx, { purpose: 'invitation', email, place: at }, act.now);
  if ((await countPeople(trx, at, act.now)) >= mostPeople)
    throw new Conflict(`there are ${mostPeople} people and invitations already; remove or withdraw some first`);
  const link = await makeLink(trx, { purpose: 'invitation', email, role: place.role, ...at }, act, seenBy);
  const details = changesBetween(null, { email, role: place.role }) ?? {};
  await recordAudit(trx, act, { action: 'user.invite', targetId: link.id, ...placeIds(at), details });
  return link;
}

/** Ends an invitation nobody has used yet; false when there is none with this id, or `mayEnd` does not allow it. */
export async function withdrawInvitation(
  store: Store,
  id: string,
  mayEnd: (link: OneTimeLinkRow) => boolean | Promise<boolean>,
  act: Act,
): Promise<boolean> {
  const link = await selectInvitation(store.db, storedId(id), act.now);
  if (link === undefined || !(await mayEnd(link))) return false;
  return store.transaction(async (trx) => {
    if (!(await takeLink(trx, link.id, act.now))) return false;
    const details = changesBetween({ email: link.email, role: link.role }, null) ?? {};
    await recordAudit(trx, act, { action: 'user.withdraw', targetId: link.id, ...placeIds(link), details });
    return true;
  });
}

/** The link with which the very first operator makes their sign-in; null when there is an operator already. An earlier unused one ends. */
export async function firstOperatorLink(store: Store, now: number): Promise<NewLink | null> {
  if (await operatorExists(store.db)) return null;
  await endLinks(store.db, { purpose: 'first_operator' }, now);
  const fields = { purpose: 'first_operator', email: null, role: 'operator', provider_id: null, account_id: null } as const;
  return makeLink(store.db, fields, { actor: { kind: 'system' }, now }, 'somebody');
}

/**
 * A link to choose a new password; earlier ones of the person end. `providerId`: for whom it is made, where that is a provider.
 * Throws OperatorError when nobody has the address.
 */
export async function passwordResetLink(
  store: Store,
  emailText: string,
  act: Act,
  { providerId, seenBy = 'somebody' }: { readonly providerId?: string | undefined; readonly seenBy?: SeenBy } = {},
): Promise<NewLink> {
  const email = checkEmail(emailText);
  return store.transaction(async (trx) => {
    const user = await existingUser(trx, email);
    await endLinks(trx, { purpose: 'password_reset', email }, act.now);
    const fields = { purpose: 'password_reset', email, role: null, provider_id: null, account_id: null } as const;
    const link = await makeLink(trx, fields, act, seenBy);
    const forProvider = providerId === undefined ? {} : { providerId };
    await recordAudit(trx, act, { action: 'user.password_reset', targetId: user.id, ...forProvider, details: {} });
    return link;
  });
}

/** The link of a token. Throws link_expired when it was used, is too old, never was one, or its maker may not make it any more. */
export async function usableLink(store: Store, token: string, now: number): Promise<OneTimeLinkRow> {
  const link = await selectUsableLink(store.db, hashToken(token), now);
  if (link === undefined || (link.purpose === 'first_operator' && (await operatorExists(store.db)))) throw linkExpired();
  if (!(await makerMayStill(store.db, link))) throw linkExpired();
  return link;
}

export function linkExpired(): GatewayError {
  return new GatewayError(
    'link_expired',
    'This link has already been used or withdrawn, has expired, or was not copied completely. Ask for a new one.',
  );
}

/** A secret for a link: 256 random bits, so that a slow hash would add nothing. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the store keeps of it. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

async function makeLink(
  db: Db,
  fields: Pick<OneTimeLinkRow, 'purpose' | 'email' | 'role' | 'provider_id' | 'account_id'>,
  { actor, now }: Act,
  seenBy: SeenBy,
): Promise<NewLink> {
  const token = newToken();
  const row = {
    ...fields,
    id: newId(),
    maker_id: actor.kind === 'user' ? actor.id : null,
    shown: seenBy === 'nobody' ? 0 : 1,
    created_at: now,
    expires_at: now + lifetimes[fields.purpose],
    used_at: null,
  };
  await insertLink(db, { ...row, token_hash: hashToken(token) });
  return { id: row.id, token, email: row.email, createdAt: now, expiresAt: row.expires_at };
}

/** The place as it is stored. Throws OperatorError with the field when it does not fit the role. */
async function checkPlace(db: Db, { role, accountId, providerId }: Place): Promise<Pick<OneTimeLinkRow, 'provider_id' | 'account_id'>> {
  switch (role) {
    case 'operator':
      if (accountId !== null || providerId !== null)
        throw unfit('an operator belongs to no account or provider', accountId === null ? 'provider_id' : 'account_id');
      return { account_id: null, provider_id: null };
    case 'provider_admin': {
      if (providerId === null || accountId !== null)
        throw unfit('a provider admin needs a provider, and no account', providerId === null ? 'provider_id' : 'account_id');
      return { account_id: null, provider_id: await existingProvider(db, providerId) };
    }
    case 'owner':
    case 'member':
      if (accountId === null || providerId !== null)
        throw unfit(
          `an ${role === 'owner' ? role : 'account member'} needs an account, and no provider`,
          accountId === null ? 'account_id' : 'provider_id',
        );
      return { account_id: await existingAccount(db, accountId), provider_id: null };
  }
}

const unfit = (message: string, field: string) => new OperatorError(message, { field });
