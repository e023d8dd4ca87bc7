import { listProviders, showAccount } from '../../accounts/index.ts';
import { type Act, type AuditDetails, changesBetween, recordAudit } from '../../audit/index.ts';
import { newId, OperatorError, storedId } from '../../core/index.ts';
import type { AlertTargetRow, Db, Store } from '../../store/index.ts';
import { newDelivery } from '../body.ts';
import { type Condition, conditionsFor, type EventName, namesIn, storedNames } from '../conditions/conditions.ts';
import { notifyOfLasting } from '../conditions/update-alerts.ts';
import { dropWaiting, insertDelivery } from '../deliveries/queries.ts';
import { deletePendingEvents, dropPendingEvents } from '../message-events/queries.ts';
import { mustConfirmBy, nameOfOwner } from './confirmation.ts';
import {
  changeTarget,
  countTargets,
  deleteTarget,
  insertTarget,
  lockTarget,
  lockTargets,
  selectTarget,
  selectTargets,
  selectUnconfirmed,
  type TargetsWithin,
} from './queries.ts';
import { type QuietHours, timeOfDay } from './quiet-hours.ts';
import { newSecret, type Secrets, sealReplaced, sealSecret, secretsReady } from './secrets.ts';

/** For so long a replaced secret signs beside the new one. */
const overlapMs = 24 * 60 * 60 * 1000;
/** Targets of one account, of one provider, and of the installation. */
const mostTargets = 20;

/** Whose alerts a target gets: those of an account, of all accounts of a provider, or all. */
export type TargetOf = { readonly accountId: string } | { readonly providerId: string } | 'all';

export interface NewTarget {
  readonly of: TargetOf;
  readonly kind: 'webhook' | 'mail';
  /** A URL that the address guard has approved, or an e-mail address. */
  readonly address: string;
  /** Absent: all. */
  readonly conditions?: readonly Condition[] | undefined;
  /** Absent: none. */
  readonly events?: readonly EventName[] | undefined;
  readonly quietHours?: QuietHours | undefined;
}

/** What may be changed of a target. An absent field stays as it is. */
export interface TargetChange {
  readonly address?: string | undefined;
  readonly conditions?: readonly Condition[] | undefined;
  readonly events?: readonly EventName[] | undefined;
  /** null: none any more. */
  readonly quietHours?: QuietHours | null | undefined;
}

/** A target as other rooms get it: without its secrets. */
export interface Target extends Omit<AlertTargetRow, 'secret' | 'previous_secret' | 'conditions' | 'events'> {
  readonly conditions: readonly string[];
  readonly events: readonly EventName[];
}

/**
 * Adds a target, which is notified at once of everything that is wrong now; gives it with the secret of a webhook, which is shown only now. Throws
 * OperatorError for an unknown account or provider, for what is not for this target, when it would get nothing, and when there are 20 targets.
 */
export async function createTarget(
  { store, vault }: Secrets,
  { of, kind, address, conditions = conditionsFor(of === 'all' ? 'all' : 'some'), events = [], quietHours }: NewTarget,
  act: Act,
): Promise<{ readonly target: Target; readonly secret: string | null }> {
  const id = newId();
  const secret = kind === 'webhook' ? newSecret() : null;
  const row: AlertTargetRow = {
    id,
    account_id: of !== 'all' && 'accountId' in of ? of.accountId : null,
    provider_id: of !== 'all' && 'providerId' in of ? storedId(of.providerId) : null,
    kind,
    address,
    secret: secret === null ? null : sealSecret(vault, id, secret),
    previous_secret: null,
    previous_until: null,
    conditions: JSON.stringify(conditions),
    events: storedNames(events),
    ...quietColumns(quietHours),
    created_at: act.now,
    confirm_by: null,
  };
  refuseForeignConditions(row, conditions);
  refuseEvents(row);
  if (row.account_id !== null) await showAccount(store, row.account_id);
  if (row.provider_id !== null && !(await listProviders(store)).some((provider) => provider.id === row.provider_id))
    throw new OperatorError(`there is no provider ${row.provider_id}`);
  const owner = (await nameOfOwner(store, row)) ?? '';
  return store.transaction(async (trx) => {
    await lockTargets(trx);
    if ((await countTargets(trx, row)) >= mostTargets) throw new OperatorError(`there are ${mostTargets} targets already, the maximum`);
    const asked = { ...row, confirm_by: await mustConfirmBy(trx, row, act.now) };
    await insertTarget(trx, asked);
    await startNotifying(trx, asked, owner, act.now);
    await audit(trx, act, asked, 'alert.create', changesBetween(null, auditFields(asked)) ?? {});
    return { target: viewOf(asked), secret };
  });
}

/** Every target, or those of an account, or those of providers and of the installation; oldest first. */
export async function listTargets(store: Store, within?: TargetsWithin): Promise<Target[]> {
  return (await selectTargets(store.db, within)).map(viewOf);
}

/** The target. Throws OperatorError when there is none. */
export async function findTarget(db: Db, id: string): Promise<Target> {
  return viewOf(await existing(db, id));
}

/** Changes a target, which is notified at once of what lasts of its new conditions. Throws OperatorError as `createTarget` does. */
export async function updateTarget(store: Store, id: string, change: TargetChange, act: Act): Promise<Target> {
  const { address, conditions, events, quietHours } = change;
  const owner = (await nameOfOwner(store, await existing(store.db, id))) ?? '';
  return store.transaction(async (trx) => {
    await lockTargets(trx);
    const before = await existing(trx, id);
    if (conditions !== undefined) refuseForeignConditions(before, conditions);
    const row: AlertTargetRow = {
      ...before,
      ...(address === undefined ? {} : { address }),
      ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
      ...(events === undefined ? {} : { events: storedNames(events) }),
      ...(quietHours === undefined ? {} : quietColumns(quietHours)),
    };
    refuseEvents(row);
    if (row.address !== before.address) row.confirm_by = await mustConfirmBy(trx, row, act.now);
    const details = changesBetween(auditFields(before), auditFields(row));
    // A change of a webhook's path alone is not in the details.
    if (details === null && row.address === before.address) return viewOf(row);
    const { secret, previous_secret, previous_until, ...changed } = row;
    await changeTarget(trx, id, changed);
    const left = viewOf(row).events;
    await dropPendingEvents(
      trx,
      id,
      viewOf(before).events.filter((event) => !left.includes(event)),
    );
    if (row.address !== before.address && (before.confirm_by ?? row.confirm_by) !== null) {
      await dropWaiting(trx, id);
      await startNotifying(trx, row, owner, act.now);
    }
    const added = viewOf(row).conditions.filter((condition) => !viewOf(before).conditions.includes(condition));
    if (added.length > 0) await notifyOfLasting(trx, { ...row, conditions: JSON.stringify(added) }, act.now);
    await audit(trx, act, row, 'alert.update', details ?? {});
    return viewOf(row);
  });
}

/** Removes a target with everything that waits for it. Throws OperatorError when there is none. */
export async function removeTarget(store: Store, id: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    await lockTargets(trx);
    await remove(trx, await existing(trx, id), act);
  });
}

/** Removes the targets whose address has not confirmed in time. */
export async function removeUnconfirmed(store: Store, now: number): Promise<void> {
  for (const id of await selectUnconfirmed(store.db, now)) {
    await store.transaction(async (trx) => {
      await lockTargets(trx);
      const row = await selectTarget(trx, id);
      // It may have confirmed in its last moment, and another server may have been here.
      if (row === undefined || row.confirm_by === null || row.confirm_by >= now) return;
      await remove(trx, row, { actor: { kind: 'system' }, now });
    });
  }
}

async function remove(trx: Db, row: AlertTargetRow, act: Act): Promise<void> {
  await deletePendingEvents(trx, row.id);
  await deleteTarget(trx, row.id);
  await audit(trx, act, row, 'alert.remove', changesBetween(auditFields(row), null) ?? {});
}

/** A new secret for a webhook; the one before it, and what signs beside that, sign as well for a day. Throws OperatorError when there is no such webhook. */
export async function replaceSecret({ store, vault }: Secrets, id: string, act: Act): Promise<string> {
  const secret = newSecret();
  await secretsReady(vault, await existing(store.db, id));
  await store.transaction(async (trx) => {
    // Otherwise a secret that is replaced or sealed anew meanwhile could come back as the previous one.
    await lockTarget(trx, id);
    const row = await existing(trx, id);
    if (row.secret === null) throw new OperatorError('a mail address has no secret');
    await changeTarget(trx, id, {
      secret: sealSecret(vault, id, secret),
      previous_secret: sealReplaced(vault, row, act.now),
      previous_until: act.now + overlapMs,
    });
    await audit(trx, act, row, 'alert.secret');
  });
  return secret;
}

/** Has a target notified of what lasts; an address that must confirm is asked that first. */
async function startNotifying(trx: Db, row: AlertTargetRow, owner: string, now: number): Promise<void> {
  if (row.confirm_by === null) return notifyOfLasting(trx, row, now);
  const data = { of: owner, until: new Date(row.confirm_by).toISOString() };
  await insertDelivery(trx, newDelivery(row.id, { type: 'confirm', data }, now));
}

/** A target in the audit log. The path of a webhook is left out: it is often a secret itself. */
function auditFields({ kind, address, conditions, events, quiet_from, quiet_to, time_zone }: AlertTargetRow) {
  return {
    address: kind === 'mail' ? address : new URL(address).origin,
    conditions: (JSON.parse(conditions) as string[]).join(', '),
    events: events === '[]' ? null : namesIn(events).join(', '),
    quiet_hours: quiet_from === null || quiet_to === null ? null : `${timeOfDay(quiet_from)}-${timeOfDay(quiet_to)} ${time_zone ?? 'UTC'}`,
  };
}

/** Accounts and providers get nothing of the installation. */
function refuseForeignConditions(of: Pick<AlertTargetRow, 'account_id' | 'provider_id'>, conditions: readonly Condition[]): void {
  const allowed = conditionsFor(of.account_id === null && of.provider_id === null ? 'all' : 'some');
  const foreign = conditions.find((condition) => !allowed.includes(condition));
  if (foreign !== undefined)
    throw new OperatorError(`only targets for the whole installation can have ${foreign}`, { field: 'conditions' });
}

/** Mails are for people, who would get one for every message. */
function refuseEvents({ kind, conditions, events }: AlertTargetRow): void {
  if (kind === 'mail' && events !== '[]') throw new OperatorError('only webhooks can get message events', { field: 'events' });
  if (conditions === '[]' && events === '[]')
    throw new OperatorError('a target needs at least one condition or event', { field: 'conditions' });
}

function quietColumns(hours: QuietHours | null | undefined) {
  return { quiet_from: hours?.from ?? null, quiet_to: hours?.to ?? null, time_zone: hours?.timeZone ?? null };
}

async function existing(db: Db, id: string): Promise<AlertTargetRow> {
  const row = await selectTarget(db, id);
  if (row === undefined) throw new OperatorError(`there is no alert target ${id}`);
  return row;
}

function viewOf({ secret, previous_secret, conditions, events, ...row }: AlertTargetRow): Target {
  return { ...row, conditions: JSON.parse(conditions) as string[], events: namesIn(events) };
}

async function audit(
  trx: Db,
  act: Act,
  row: AlertTargetRow,
  action: 'alert.create' | 'alert.update' | 'alert.remove' | 'alert.secret',
  details: AuditDetails = {},
): Promise<void> {
  await recordAudit(trx, act, {
    action,
    targetId: row.id,
    ...(row.account_id === null ? {} : { accountId: row.account_id }),
    ...(row.provider_id === null ? {} : { providerId: row.provider_id }),
    details,
  });
}
