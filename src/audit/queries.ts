import { sql } from 'kysely';
import { stripPhoneNumber } from '../core/index.ts';
import {
  type AuditRow,
  type Db,
  inOrder,
  type ListPage,
  type ListRequest,
  type NewAuditRow,
  nameStarts,
  type Sorts,
  selectMarks,
} from '../store/index.ts';
import type { AuditDetails } from './changes.ts';

/** A row of the audit log with the present names of its ids; null where the object is gone or has no name. */
export interface AuditRowWithNames extends AuditRow {
  readonly account_name: string | null;
  /** The provider the account belongs to now. */
  readonly account_provider: string | null;
  /** The same of an account that is the target; some entries about it name no account. */
  readonly target_provider: string | null;
  /** An account's, plan's or provider's name, a key's prefix, a number's label, a user's e-mail address. */
  readonly target_name: string | null;
}

/** Adds a row; its id. */
export async function insertAudit(db: Db, row: NewAuditRow): Promise<number> {
  return (await db.insertInto('audit_log').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** What an object is called by: columns of its table, under whose names their changes are recorded too. */
const named: Readonly<Record<AuditRow['target_kind'], { readonly table: string | null; readonly columns: readonly string[] }>> = {
  account: { table: 'accounts', columns: ['name'] },
  plan: { table: 'plans', columns: ['name'] },
  provider: { table: 'providers', columns: ['name'] },
  key: { table: 'api_keys', columns: ['prefix', 'label'] },
  number: { table: 'instances', columns: ['label', 'phone_number'] },
  user: { table: 'users', columns: ['email'] },
  // The path of a webhook is often a secret.
  alert: { table: null, columns: ['address'] },
};

type NewEntry = Pick<AuditRow, 'action' | 'target_kind' | 'target_id'>;

/** Makes an entry be found by what its object is called, and was before. Sign-ins are found by who signed in. */
export async function insertNames(db: Db, id: number, { action, target_kind, target_id }: NewEntry, details: AuditDetails): Promise<void> {
  if (action === 'user.sign_in') return;
  const { table, columns } = named[target_kind];
  const present = table === null ? [] : await selectNames(db, table, columns, target_id);
  const recorded = columns.flatMap((column) => [details[column]?.from, details[column]?.to]);
  const names = nameStarts([...present, ...recorded].filter((name) => typeof name === 'string'));
  if (names.length === 0) return;
  await db
    .insertInto('audit_names')
    .values(names.map((name) => ({ audit_id: id, name })))
    .execute();
}

async function selectNames(db: Db, table: string, columns: readonly string[], id: string): Promise<readonly unknown[]> {
  const query = sql<object>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where id = ${id}`;
  return (await query.execute(db)).rows.flatMap((row) => Object.values(row));
}

/** Changes the details of a row: only where one row covers what happens again and again. */
export async function updateAuditDetails(db: Db, id: number, details: string): Promise<void> {
  await db.updateTable('audit_log').set({ details }).where('id', '=', id).execute();
}

/** What the audit log needs to know of a key. */
export const selectActingKey = (db: Db, id: string): Promise<{ prefix: string; expires_at: number | null } | undefined> =>
  db.selectFrom('api_keys').select(['prefix', 'expires_at']).where('id', '=', id).executeTakeFirst();

/** The provider of an account; a move waits until the transaction ends. */
export const selectLastingProvider = async (trx: Db, accountId: string): Promise<string | undefined> =>
  (await trx.selectFrom('accounts').select('provider_id').where('id', '=', accountId).forShare().executeTakeFirst())?.provider_id;

/** Who acted: the kind, and the name that they had then. */
export type Acted = Pick<AuditRow, 'actor_kind' | 'actor_name'>;

/** Who did this to that object at that moment; undefined when the entry is not kept any more. */
export const selectActorAt = (
  db: Db,
  { action, targetId, at }: { readonly action: string; readonly targetId: string; readonly at: number },
): Promise<Acted | undefined> =>
  db
    .selectFrom('audit_log')
    .select(['actor_kind', 'actor_name'])
    .where('at', '=', at)
    .where('action', '=', action)
    .where('target_id', '=', targetId)
    .executeTakeFirst();

/** A filter of the audit log. */
export interface AuditConditions {
  readonly accountId?: string | undefined;
  readonly providerIds?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  /** The name of who acted: an e-mail address or a key's prefix. */
  readonly actor?: string | undefined;
  /** The beginning of a name, or of a word of it, that the object had. */
  readonly name?: string | undefined;
  /** From this time on, and before that one (epoch milliseconds). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const id = sql<number>`audit_log.id`;
/** Ids grow with time. */
export const auditSorts = { at: { type: 'number', key: id } } as const satisfies Sorts;
export type AuditSort = keyof typeof auditSorts;

/** A page of the audit log. How many entries fit is not counted: there may be millions. */
export async function selectAuditPage(
  db: Db,
  conditions: AuditConditions,
  request: ListRequest<AuditSort>,
): Promise<ListPage<AuditRowWithNames>> {
  const { rows: marks, ...page } = await selectMarks(fitting(db, conditions), { id, ...auditSorts[request.sort] }, request);
  const rows = await selectAuditRows(
    db,
    marks.map((mark) => Number(mark.id)),
  );
  return { ...page, rows: inOrder(marks, rows), total: null };
}

function fitting(db: Db, { accountId, providerIds, actions, actor, name, from, to }: AuditConditions) {
  let query = db.selectFrom('audit_log');
  if (accountId !== undefined) query = query.where('audit_log.account_id', '=', accountId);
  if (providerIds !== undefined) query = query.where('audit_log.provider_id', 'in', providerIds);
  if (actions !== undefined) query = query.where('audit_log.action', 'in', actions);
  if (actor !== undefined) query = query.where('audit_log.actor_name', '=', actor);
  if (name !== undefined) query = query.where('audit_log.id', 'in', selectNamed(db, name));
  if (from !== undefined) query = query.where('audit_log.at', '>=', from);
  if (to !== undefined) query = query.where('audit_log.at', '<', to);
  return query;
}

/** Which entries are about something whose name, or a word of it, begins so; digits are also looked for as those of a phone number. */
function selectNamed(db: Db, text: string) {
  const digits = stripPhoneNumber(text);
  const starts = [text.trim().toLowerCase(), ...(/^[0-9]{3,}$/.test(digits) ? [digits] : [])];
  return db
    .selectFrom('audit_names')
    .select('audit_id')
    .where((eb) => eb.or(starts.map((start) => eb.and([eb('name', '>=', start), eb('name', '<', `${start}\u{10FFFF}`)]))));
}

/** These rows, in no particular order. */
async function selectAuditRows(db: Db, ids: readonly number[]): Promise<AuditRowWithNames[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('audit_log')
    .leftJoin('accounts as of_account', 'of_account.id', 'audit_log.account_id')
    .leftJoin('accounts', (join) => join.onRef('accounts.id', '=', 'audit_log.target_id').on('target_kind', '=', 'account'))
    .leftJoin('plans', (join) => join.onRef('plans.id', '=', 'audit_log.target_id').on('target_kind', '=', 'plan'))
    .leftJoin('providers', (join) => join.onRef('providers.id', '=', 'audit_log.target_id').on('target_kind', '=', 'provider'))
    .leftJoin('api_keys', (join) => join.onRef('api_keys.id', '=', 'audit_log.target_id').on('target_kind', '=', 'key'))
    .leftJoin('instances', (join) => join.onRef('instances.id', '=', 'audit_log.target_id').on('target_kind', '=', 'number'))
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'audit_log.target_id').on('target_kind', '=', 'user'))
    .selectAll('audit_log')
    .select(['of_account.name as account_name', 'of_account.provider_id as account_provider', 'accounts.provider_id as target_provider'])
    .select(({ fn }) =>
      fn
        // Kysely's types take five at once.
        .coalesce('accounts.name', 'plans.name', 'providers.name', 'api_keys.prefix', fn.coalesce('instances.label', 'users.email'))
        .as('target_name'),
    )
    .where('audit_log.id', 'in', ids)
    .execute();
}
