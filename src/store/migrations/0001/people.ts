import type { ColumnTypes } from './column-types.ts';

/**
 * People who sign in at the portal, and the audit log. The tables user… are better-auth's, under our names and with its own types of times and
 * flags (portal/sign-in/tables.ts has the names for it).
 */
export const peopleTables = ({ sequence, time, flag }: ColumnTypes) => `
  create table users (
    id text primary key not null,
    name text not null,
    email text not null unique,
    email_verified ${flag} not null,
    image text,
    two_factor_enabled ${flag},
    language text,
    created_at ${time} not null,
    updated_at ${time} not null
  );
  create index users_name on users (lower(name), id);
  create table user_sessions (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    token text not null unique,
    expires_at ${time} not null,
    ip_address text,
    user_agent text,
    created_at ${time} not null,
    updated_at ${time} not null
  );
  create index user_sessions_user on user_sessions (user_id);
  create table user_credentials (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    provider_id text not null,
    account_id text not null,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at ${time},
    refresh_token_expires_at ${time},
    scope text,
    created_at ${time} not null,
    updated_at ${time} not null
  );
  create index user_credentials_user on user_credentials (user_id);
  create table user_verifications (
    id text primary key not null,
    identifier text not null,
    value text not null,
    expires_at ${time} not null,
    created_at ${time} not null,
    updated_at ${time} not null
  );
  create index user_verifications_identifier on user_verifications (identifier);
  create table user_two_factors (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    secret text not null,
    backup_codes text not null,
    verified ${flag},
    failed_verification_count integer,
    locked_until ${time}
  );
  create index user_two_factors_user on user_two_factors (user_id);

  create table memberships (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    role text not null,
    provider_id text references providers (id),
    account_id text references accounts (id),
    created_at bigint not null
  );
  create unique index memberships_place on memberships (
    -- A person has one role in one place. A unique index takes no null for another, so the places are made comparable.
    user_id, coalesce(provider_id, ''), coalesce(account_id, '')
  );
  create index memberships_account on memberships (account_id);
  create index memberships_role on memberships (role, user_id);
  create table one_time_links (
    id text primary key not null,
    token_hash text not null unique,
    purpose text not null,
    email text,
    role text,
    provider_id text references providers (id),
    account_id text references accounts (id),
    maker_id text references users (id) on delete cascade,
    shown integer default 1 not null,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint
  );
  create index one_time_links_account on one_time_links (account_id);

  create table audit_log (
    -- It refers to nothing, because it outlives what it is about.
    id ${sequence},
    at bigint not null,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    action text not null,
    target_kind text not null,
    target_id text not null,
    account_id text,
    provider_id text,
    details text not null
  );
  create index audit_log_account on audit_log (account_id, id);
  create index audit_log_provider on audit_log (provider_id, id);
  create index audit_log_action on audit_log (action, id);
  create index audit_log_actor on audit_log (actor_name, id);
  create index audit_log_at on audit_log (at)`;
