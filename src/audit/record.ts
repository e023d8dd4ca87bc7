import { GatewayError } from '../core/index.ts';
import { type AuditRow, type Db, selectProviderOf } from '../store/index.ts';
import type { AuditDetails } from './changes.ts';
import { insertAudit, insertNames, selectActingKey, selectLastingProvider } from './queries.ts';

/** Who changes something. */
export type Actor =
  /** A user of the portal, named by the e-mail address. `reach`: of the admin of a provider who is no operator. */
  | { readonly kind: 'user'; readonly id: string; readonly name: string; readonly reach?: Reach }
  /** A request with this API key. */
  | { readonly kind: 'key'; readonly id: string }
  /** The person who runs commands on the gateway's machine. */
  | { readonly kind: 'command_line' }
  /** The gateway itself. */
  | { readonly kind: 'system' };

/** The accounts that the admin of a provider was let in to: those of these providers, and those that they are a member of. */
interface Reach {
  readonly providerIds: readonly string[];
  readonly accountIds: readonly string[];
}

/** Who acts, and when (epoch milliseconds). */
export interface Act {
  readonly actor: Actor;
  readonly now: number;
}

/** Everything that the audit log records. The word before the dot is the kind of the target. */
export const auditActions = [
  'account.create',
  'account.update',
  'account.suspend',
  'account.resume',
  'account.note',
  'account.note_keep',
  'plan.create',
  'plan.update',
  'provider.create',
  'provider.update',
  'provider.suspend',
  'provider.resume',
  'provider.brand',
  'key.create',
  'key.revoke',
  'key.keep',
  'number.create',
  'number.rename',
  'number.link',
  'number.disconnect',
  'number.delete',
  'number.proxy',
  'number.budget',
  'number.notify',
  'number.scan_link',
  'number.scan_link_used',
  'alert.create',
  'alert.update',
  'alert.remove',
  'alert.secret',
  'alert.keep',
  'user.invite',
  'user.withdraw',
  'user.join',
  'user.role',
  'user.remove',
  'user.password',
  'user.password_reset',
  'user.two_factor',
  'user.backup_codes',
  'user.sign_in',
  'user.sign_in_failed',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** After these their object is gone, and only the audit log knows what it was. */
export const endingActions = ['number.delete', 'alert.remove', 'user.remove', 'user.withdraw'] as const satisfies readonly AuditAction[];

/** These record what has been done already, which nothing undoes. */
const doneBefore: ReadonlySet<AuditAction> = new Set<AuditAction>(['number.link', 'number.disconnect', 'number.delete', 'number.notify']);

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

export interface Audited {
  readonly action: AuditAction;
  readonly targetId: string;
  /** The account it concerns, by which its provider is known; absent when it concerns none or many. */
  readonly accountId?: string;
  /** The provider it concerns when no account is given. */
  readonly providerId?: string;
  /** Never a secret and never the content of a message. */
  readonly details: AuditDetails;
}

/**
 * Writes a change into the audit log; the row's id. `trx` is the transaction of the change itself, so that neither is there without the other.
 * Throws GatewayError `conflict` when the account has gone to another provider since the admin who changes it was let in.
 */
export async function recordAudit(trx: Db, { actor, now }: Act, audited: Audited): Promise<number> {
  const { action, targetId, accountId, providerId, details } = audited;
  await requireReach(trx, actor, audited);
  const row = {
    at: now,
    ...(await actorColumns(trx, actor)),
    action,
    target_kind: targetKind(action),
    target_id: targetId,
    account_id: accountId ?? null,
    provider_id: accountId === undefined ? (providerId ?? null) : await selectProviderOf(trx, accountId),
    details: JSON.stringify(details),
  };
  const id = await insertAudit(trx, row);
  await insertNames(trx, id, row, details);
  return id;
}

/** Throws GatewayError `conflict` when the account has gone to another provider since the admin who acts was let in; holds it until the transaction ends. */
export async function requireReach(trx: Db, actor: Actor, { action, targetId, accountId }: Omit<Audited, 'details'>): Promise<void> {
  const id = accountId ?? (targetKind(action) === 'account' ? targetId : undefined);
  if (actor.kind !== 'user' || actor.reach === undefined || id === undefined || doneBefore.has(action)) return;
  const { providerIds, accountIds } = actor.reach;
  const providerId = await selectLastingProvider(trx, id);
  if (providerId === undefined || providerIds.includes(providerId) || accountIds.includes(id)) return;
  throw new GatewayError('conflict', 'The account has just been given to another provider.');
}

/** What a change of an account or provider is called; a change of the status gives it its name. */
export function changeAction<Kind extends 'account' | 'provider'>(kind: Kind, details: AuditDetails) {
  switch (details.status?.to) {
    case 'suspended':
      return `${kind}.suspend` as const;
    case 'active':
      return `${kind}.resume` as const;
    default:
      return `${kind}.update` as const;
  }
}

type ActorColumns = Pick<AuditRow, 'actor_kind' | 'actor_id' | 'actor_name'>;

async function actorColumns(trx: Db, actor: Actor): Promise<ActorColumns> {
  switch (actor.kind) {
    case 'user':
      return { actor_kind: 'user', actor_id: actor.id, actor_name: actor.name };
    case 'key': {
      const key = await selectActingKey(trx, actor.id);
      // Only passing keys end, and are deleted then: the command line made them for itself.
      if (key === undefined || key.expires_at !== null) return { actor_kind: 'command_line', actor_id: null, actor_name: null };
      return { actor_kind: 'key', actor_id: actor.id, actor_name: key.prefix };
    }
    case 'command_line':
    case 'system':
      return { actor_kind: actor.kind, actor_id: null, actor_name: null };
  }
}

function targetKind(action: AuditAction): KindOf<AuditAction> {
  // Cutting a literal type at its dot is beyond the compiler.
  return action.slice(0, action.indexOf('.')) as KindOf<AuditAction>;
}
