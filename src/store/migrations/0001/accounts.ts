import type { ColumnTypes } from './column-types.ts';

/** Providers with their brands, plans, accounts, their keys and what they used; `meta`, which holds single values of the installation. */
export const accountTables = ({ bytes }: ColumnTypes) => `
  create table meta (
    name text primary key not null,
    value text not null
  );

  create table providers (
    id text primary key not null,
    name text not null,
    status text not null,
    number_capacity integer,
    default_plan_id text,
    created_at bigint not null
  );
  create table brands (
    provider_id text primary key not null references providers (id),
    name text,
    colour text,
    sender_name text,
    reply_to text,
    mail_intro text,
    mail_footer text,
    base_address text,
    base_host text unique,
    base_confirmed_at bigint,
    logo_digest text
  );
  create table brand_logos (
    provider_id text primary key not null references providers (id),
    digest text not null,
    png ${bytes} not null
  );
  create index brand_logos_digest on brand_logos (digest);

  create table plans (
    id text primary key not null,
    name text not null unique,
    messages_per_minute integer not null,
    instance_limit integer not null,
    trial_message_limit integer,
    created_at bigint not null
  );

  create table accounts (
    id text primary key not null,
    name text not null,
    provider_id text not null references providers (id),
    status text not null,
    suspended_by text,
    plan_id text references plans (id),
    plan_starts_at bigint,
    plan_ends_at bigint,
    access_ends_at bigint,
    instance_limit integer,
    operator integer not null,
    free_slots integer,
    trial_used integer default 0 not null,
    created_at bigint not null
  );
  create index accounts_provider on accounts (provider_id);
  create index accounts_plan on accounts (plan_id);
  create index accounts_created on accounts (created_at, id);
  create index accounts_name on accounts (lower(name), id);
  create table account_notes (
    account_id text primary key not null references accounts (id),
    text text not null,
    written_at bigint not null,
    written_by text
  );
  create table account_references (
    provider_id text not null references providers (id),
    reference text not null,
    account_id text not null unique references accounts (id),
    constraint account_references_pk primary key (provider_id, reference)
  );

  create table api_keys (
    id text primary key not null,
    account_id text not null references accounts (id),
    prefix text not null,
    label text,
    hash text not null unique,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint,
    expires_at bigint
  );
  create index api_keys_account on api_keys (account_id);

  create table usage_sends (
    account_id text not null,
    day text not null,
    type text not null,
    count integer not null,
    constraint usage_sends_pk primary key (account_id, day, type)
  );
  create table usage_sends_by_month (
    account_id text not null,
    month text not null,
    type text not null,
    count integer not null,
    constraint usage_sends_by_month_pk primary key (account_id, month, type)
  );
  create table usage_number_days (
    account_id text not null,
    day text not null,
    phone_number text not null,
    constraint usage_number_days_pk primary key (account_id, day, phone_number)
  );
  create table usage_number_days_by_month (
    account_id text not null,
    month text not null,
    count integer not null,
    constraint usage_number_days_by_month_pk primary key (account_id, month)
  )`;
