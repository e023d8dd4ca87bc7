import { type Act, listProviders, recordAudit, showAccount } from '../accounts/index.ts';
import { newId, OperatorError, type Vault } from '../core/index.ts';
import type { AlertDeliveryRow, AlertTargetRow, Store } from '../store/index.ts';
import { testBody } from './body.ts';
import { type Condition, conditionNames } from './conditions.ts';
import { newDelivery } from './gather.ts';
import { tellOfLasting } from './look.ts';
import {
  deleteTarget,
  insertDelivery,
  insertTarget,
  selectDeliveries,
  selectDelivery,
  selectTarget,
  selectTargets,
  sendAgain,
  updateSecrets,
} from './queries.ts';
import type { QuietHours } from './quiet-hours.ts';
import { newSecret, openSecret, sealSecret } from './secrets.ts';

/** For so long a replaced secret signs beside the new one. */
const overlapMs = 24 * 60 * 60 * 1000;
const mostTargets = 1000;
const mostShown = 100;

/** Whose alerts a target is told of: those of an account, of all accounts of a provider, or all. */
export type TargetOf = { readonly accountId: string } | { readonly providerId: string } | 'all';

export interface NewTarget {
  readonly of: TargetOf;
  readonly kind: 'webhook' | 'mail';
  /** A URL that the address guard has approved, or an e-mail address. */
  readonly address: string;
  /** Absent: all. */
  readonly conditions?: readonly Condition[] | undefined;
  readonly quietHours?: QuietHours | undefined;
}

/** What rooms outside see of a target: no secret. */
export interface Target extends Omit<AlertTargetRow, 'secret' | 'previous_secret' | 'conditions'> {
  readonly conditions: readonly string[];
}

/**
 * Adds a target, which is told at once of everything that lasts; gives it with the secret of a webhook, which is shown only now. Throws OperatorError
 * for an unknown account or provider, and when there are 1,000 targets.
 */
export async function createTarget(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  { of, kind, address, conditions = conditionNames, quietHours }: NewTarget,
  act: Act,
): Promise<{ readonly target: Target; readonly secret: string | null }> {
  const id = newId();
  const secret = kind === 'webhook' ? newSecret() : null;
  const row: AlertTargetRow = {
    id,
    account_id: of !== 'all' && 'accountId' in of ? of.accountId : null,
    provider_id: of !== 'all' && 'providerId' in of ? of.providerId : null,
    kind,
    address,
    secret: secret === null ? null : sealSecret(vault, id, secret),
    previous_secret: null,
    previous_until: null,
    conditions: JSON.stringify(conditions),
    quiet_from: quietHours?.from ?? null,
    quiet_to: quietHours?.to ?? null,
    time_zone: quietHours?.timeZone ?? null,
    created_at: act.now,
  };
  if (row.account_id !== null) await showAccount(store, row.account_id);
  if (row.provider_id !== null && !(await listProviders(store)).some((provider) => provider.id === row.provider_id))
    throw new OperatorError(`there is no provider ${row.provider_id}`);
  await store.transaction(async (trx) => {
    if ((await selectTargets(trx)).length >= mostTargets)
      throw new OperatorError(`there are ${mostTargets} targets already, which is the most`);
    await insertTarget(trx, row);
    await tellOfLasting(trx, row, act.now);
    await audit(trx, act, row, 'alert.create');
  });
  return { target: shown(row), secret };
}

/** Every target, oldest first. */
export async function listTargets(store: Store): Promise<Target[]> {
  return (await selectTargets(store.db)).map(shown);
}

/** Removes a target with what it was still to be told. Throws OperatorError when there is none. */
export async function removeTarget(store: Store, id: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await found(trx, id);
    await deleteTarget(trx, id);
    await audit(trx, act, row, 'alert.remove');
  });
}

/** Sends a test. Throws OperatorError when there is no such target. Gives the id of the delivery. */
export async function testTarget(store: Store, id: string, now: number): Promise<string> {
  const delivery = newDelivery(id, testBody(id, now), now);
  await store.transaction(async (trx) => {
    await found(trx, id);
    await insertDelivery(trx, delivery);
  });
  return delivery.id;
}

/** A new secret for a webhook; the one before it signs as well for a day. Throws OperatorError when there is no such webhook. */
export async function replaceSecret(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  id: string,
  act: Act,
): Promise<string> {
  const secret = newSecret();
  await store.transaction(async (trx) => {
    const row = await found(trx, id);
    if (row.secret === null) throw new OperatorError('a mail address has no secret');
    await updateSecrets(trx, id, {
      secret: sealSecret(vault, id, secret),
      previous_secret: row.secret,
      previous_until: act.now + overlapMs,
    });
    await audit(trx, act, row, 'alert.secret');
  });
  return secret;
}

/** The newest 100 deliveries of a target. Throws OperatorError when there is no such target. */
export async function listDeliveries(store: Store, id: string): Promise<AlertDeliveryRow[]> {
  await found(store.db, id);
  return selectDeliveries(store.db, id, mostShown);
}

/** Sends what was delivered or given up once more. Throws OperatorError when there is no such delivery, or it is still tried. */
export async function resendDelivery(store: Store, id: string, now: number): Promise<void> {
  if (await sendAgain(store.db, id, now)) return;
  const row = await selectDelivery(store.db, id);
  throw new OperatorError(row === undefined ? `there is no delivery ${id}` : 'it is still being tried');
}

/** Seals the secrets of all webhooks with the vault's present key, as far as another one has sealed them. */
export async function resealTargets(store: Store, vault: Vault): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  let resealed = 0;
  let unreadable = 0;
  for (const { id } of await selectTargets(store.db)) {
    await store.transaction(async (trx) => {
      const row = await selectTarget(trx, id);
      for (const column of ['secret', 'previous_secret'] as const) {
        const sealed = row?.[column] ?? null;
        if (sealed === null || sealed[0] === vault.current) continue;
        try {
          await updateSecrets(trx, id, { [column]: sealSecret(vault, id, openSecret(vault, id, sealed)) });
          resealed++;
        } catch {
          // It stays as it is: nobody can do anything with it, before and after.
          unreadable++;
        }
      }
    });
  }
  return { resealed, unreadable };
}

async function found(db: Store['db'], id: string): Promise<AlertTargetRow> {
  const row = await selectTarget(db, id);
  if (row === undefined) throw new OperatorError(`there is no alert target ${id}`);
  return row;
}

function shown({ secret, previous_secret, conditions, ...row }: AlertTargetRow): Target {
  return { ...row, conditions: JSON.parse(conditions) as string[] };
}

async function audit(
  trx: Store['db'],
  act: Act,
  row: AlertTargetRow,
  action: 'alert.create' | 'alert.remove' | 'alert.secret',
): Promise<void> {
  // The path of a webhook is often a secret itself.
  const place = row.kind === 'mail' ? row.address : new URL(row.address).origin;
  await recordAudit(trx, act, {
    action,
    targetId: row.id,
    ...(row.account_id === null ? {} : { accountId: row.account_id }),
    ...(row.provider_id === null ? {} : { providerId: row.provider_id }),
    details:
      action === 'alert.secret' ? {} : { address: action === 'alert.create' ? { from: null, to: place } : { from: place, to: null } },
  });
}
