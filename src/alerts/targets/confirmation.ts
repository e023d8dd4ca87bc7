import { createHmac, timingSafeEqual } from 'node:crypto';
import { listProviders, showAccount } from '../../accounts/index.ts';
import { isUuid, type Vault } from '../../core/index.ts';
import type { AlertTargetRow, Db, Store } from '../../store/index.ts';
import { isRotating } from '../../vault/index.ts';
import { notifyOfLasting } from '../conditions/update-alerts.ts';
import { isOfPerson, lockTargets, selectTarget, storeConfirmed } from './queries.ts';
import type { Secrets } from './secrets.ts';

/** The one-time link by which an address confirms works for so long. */
const confirmMs = 7 * 24 * 60 * 60 * 1000;
const beginning = 'alerts-';
const purpose = 'alert address';

/**
 * Until when a new address must confirm that it wants alerts; null: it need not, because it is a webhook's, or that of a person of the account or
 * provider, or those who run the installation chose it for themselves.
 */
export async function mustConfirmBy(db: Db, target: AlertTargetRow, now: number): Promise<number | null> {
  const ours = target.kind === 'webhook' || (target.account_id === null && target.provider_id === null);
  return ours || (await isOfPerson(db, target)) ? null : now + confirmMs;
}

/** The token of the link that is mailed to a target's address. It derives from target and address, so it need not be stored. */
export function confirmationToken(vault: Vault, target: Pick<AlertTargetRow, 'id' | 'address'>): string {
  return tokenBy(vault.replacements(purpose)[0]?.secret ?? vault.derive(purpose), target);
}

function tokenBy(key: Buffer, { id, address }: Pick<AlertTargetRow, 'id' | 'address'>): string {
  const signature = createHmac('sha256', key)
    .update(JSON.stringify([id, address]))
    .digest('base64url');
  return `${beginning}${id}-${signature}`;
}

/** Whether a token is of such a link, and not of another kind of one-time link. */
export function isConfirmation(token: string): boolean {
  return token.startsWith(beginning);
}

/** A target that a confirmation is for. */
interface Confirmed {
  readonly address: string;
  /** The name of the account or provider that it is of. */
  readonly of: string;
  /** null: it has confirmed. */
  readonly confirmBy: number | null;
}

/** What the link confirms; null when it is none, is too old, or the target is gone or has another address. */
export async function confirmationOf({ store, vault }: Secrets, token: string, now: number): Promise<Confirmed | null> {
  const row = await targetOf({ store, vault }, token, now);
  return row === null ? null : viewOf(store, row);
}

/** Has a target's address notified from now on, and of what lasts. null as `confirmationOf`; a second call changes nothing. */
export async function confirmTarget({ store, vault }: Secrets, token: string, now: number): Promise<Confirmed | null> {
  const row = await targetOf({ store, vault }, token, now);
  if (row === null) return null;
  await store.transaction(async (trx) => {
    await lockTargets(trx);
    if (await storeConfirmed(trx, row)) await notifyOfLasting(trx, { ...row, confirm_by: null }, now);
  });
  // It may have been removed meanwhile.
  return confirmationOf({ store, vault }, token, now);
}

/** The name of the account or provider that a target is of; null: it is of everything. */
export async function nameOfOwner(store: Store, { account_id, provider_id }: Pick<AlertTargetRow, 'account_id' | 'provider_id'>) {
  if (account_id !== null) return (await showAccount(store, account_id)).name;
  return (await listProviders(store)).find(({ id }) => id === provider_id)?.name ?? null;
}

async function targetOf({ store, vault }: Secrets, token: string, now: number) {
  const id = token.slice(beginning.length, beginning.length + 36);
  if (!isConfirmation(token) || !isUuid(id)) return null;
  const row = await selectTarget(store.db, id);
  if (row === undefined || (row.confirm_by !== null && row.confirm_by <= now)) return null;
  // Newest first. A replaced key, which may have leaked, confirms nothing once its replacement is finished.
  const keys = [...vault.replacements(purpose).map(({ secret }) => secret), vault.derive(purpose)];
  const counting = keys.slice(0, (await isRotating(store.db)) ? 2 : 1);
  return counting.some((key) => isSame(token, tokenBy(key, row))) ? row : null;
}

function isSame(token: string, expected: string): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(expected)];
  return given.length === right.length && timingSafeEqual(given, right);
}

async function viewOf(store: Store, row: AlertTargetRow): Promise<Confirmed> {
  return { address: row.address, of: (await nameOfOwner(store, row)) ?? '', confirmBy: row.confirm_by };
}
