import { sql } from 'kysely';
import type { Db } from '../../store/index.ts';

/** Something that an account has from somebody who has nothing to do with it any more. */
export interface FormerRow {
  readonly kind: 'key' | 'alert' | 'note';
  /** The key's or alert target's id; the account's for its note. */
  readonly id: string;
  /** The prefix of a key, the address of an alert target; empty for a note. */
  readonly name: string;
  readonly made_by: string | null;
  readonly made_at: number;
}

/**
 * What an account still has from its former provider's people: keys, alert targets that they made or changed, and the note about it; newest first. Its
 * owners and its new provider decide whether to keep or to end each. It is known for as long as the audit log has who made what: before the account
 * came to its present provider, and by people who are neither its own, nor its provider's, nor operators.
 */
export async function selectFormer(db: Db, accountId: string): Promise<FormerRow[]> {
  const { rows } = await sql<FormerRow>`
    with moved as (
      select max(id) as id from audit_log
      where account_id = ${accountId} and action in ('account.update', 'account.suspend', 'account.resume')
        and target_id = ${accountId} and details like '%"provider_id"%'
    ),
    known as (
      select memberships.user_id from memberships
      join accounts on accounts.id = ${accountId}
      where memberships.role = 'operator' or memberships.account_id = accounts.id or memberships.provider_id = accounts.provider_id
    ),
    made as (
      select audit_log.* from audit_log, moved
      where audit_log.id < moved.id and actor_kind = 'user' and actor_id not in (select user_id from known) and (
        (audit_log.account_id = ${accountId} and action in ('key.create', 'alert.create', 'alert.update', 'alert.secret'))
        or (action = 'account.note' and target_id = ${accountId} and not exists (
          select 1 from audit_log as later where later.action = 'account.note' and later.target_id = ${accountId} and later.id > audit_log.id
        ))
      ) and not exists (
        select 1 from audit_log as kept, moved
        where kept.id > moved.id and kept.account_id = ${accountId} and kept.target_id = audit_log.target_id
          and kept.action in ('key.keep', 'alert.keep', 'account.note_keep')
      )
    )
    select 'key' as kind, made.target_id as id, api_keys.prefix as name, made.actor_name as made_by, made.at as made_at, made.id as place
    from made join api_keys on api_keys.id = made.target_id
    where made.action = 'key.create' and api_keys.account_id = ${accountId} and api_keys.revoked_at is null
    union all
    select 'alert', made.target_id, alert_targets.address, made.actor_name, made.at, made.id
    from made join alert_targets on alert_targets.id = made.target_id
    where alert_targets.account_id = ${accountId} and made.id = (
      select max(last.id) from made as last where last.target_id = made.target_id and last.action in ('alert.create', 'alert.update', 'alert.secret')
    )
    union all
    select 'note', made.target_id, '', made.actor_name, made.at, made.id
    from made join account_notes on account_notes.account_id = made.target_id
    where made.action = 'account.note' and account_notes.text <> ''
    order by place desc`.execute(db);
  return rows.map(({ kind, id, name, made_by, made_at }) => ({ kind, id, name, made_by, made_at: Number(made_at) }));
}
