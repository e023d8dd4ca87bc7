import type { ColumnTypes } from './column-types.ts';

/** Numbers with their credentials and history, the servers that own them, and what the networks keep: the sandbox its devices and messages. */
export const numberTables = ({ sequence, bytes }: ColumnTypes) => `
  create table instances (
    id text primary key not null,
    account_id text not null references accounts (id),
    network text not null,
    label text,
    phone_number text,
    linked integer not null,
    linked_at bigint,
    conflict integer not null,
    restriction_reason text,
    restriction_until bigint,
    new_chats_used integer,
    new_chats_quota integer,
    new_chats_cycle_ends_at bigint,
    proxy ${bytes},
    chat_budget text,
    chat_budget_day text,
    chat_budget_used integer default 0 not null,
    state_event text,
    state_at bigint,
    created_at bigint not null
  );
  create index instances_account on instances (account_id);
  create index instances_created on instances (created_at, id);
  create index instances_label on instances (coalesce(lower(label), ''), id);
  create index instances_phone_number on instances (coalesce(phone_number, ''), id);
  create index instances_proxy on instances (id) where proxy is not null;
  create index instances_state on instances (state_event);
  -- A number that nothing has happened to is as it is since it was added.
  create index instances_since on instances (coalesce(state_at, created_at), id);
  create index instances_restricted on instances (restriction_reason) where restriction_reason is not null;
  create table credentials (
    instance_id text not null references instances (id) on delete cascade,
    name text not null,
    sealed ${bytes} not null,
    constraint credentials_pk primary key (instance_id, name)
  );
  create table sent_messages (
    id ${sequence},
    instance_id text not null references instances (id) on delete cascade,
    message_id text not null,
    sealed ${bytes} not null,
    at bigint not null
  );
  create unique index sent_messages_message on sent_messages (instance_id, message_id);
  create table new_chats (
    instance_id text not null references instances (id) on delete cascade,
    contact text not null,
    day text not null,
    holders integer not null,
    settled integer not null,
    constraint new_chats_pk primary key (instance_id, contact)
  );
  create table number_history (
    -- It does not refer to the instance, because the history of a deleted number names who deleted it.
    id text primary key not null,
    account_id text not null,
    instance_id text not null,
    event text not null,
    detail text,
    note text,
    at bigint not null,
    last_at bigint not null,
    ended_at bigint,
    until bigint,
    count integer not null,
    actor_kind text,
    actor_id text,
    actor_name text
  );
  create index number_history_instance on number_history (instance_id, at);
  create index number_history_lasting on number_history (instance_id) where event = 'lost' and ended_at is null;

  create table nodes (
    id text primary key not null,
    name text not null,
    address text default '' not null,
    started_at bigint not null,
    expires_at bigint not null,
    draining integer default 0 not null,
    settings text default '{}' not null
  );
  create table leases (
    instance_id text primary key not null references instances (id) on delete cascade,
    node_id text references nodes (id) on delete set null,
    epoch bigint not null,
    status text default 'close' not null
  );
  create index leases_node on leases (node_id);
  create index leases_free on leases (instance_id) where node_id is null;

  create table client_versions (
    network text primary key not null,
    fetched bigint,
    fetched_at bigint,
    accepted bigint,
    accepted_at bigint,
    expiring bigint,
    expires_at bigint
  );

  create table sandbox_devices (
    id text primary key not null,
    account_id text not null,
    instance_id text not null,
    phone_number text not null,
    linked_at bigint not null
  );
  create index sandbox_devices_phone on sandbox_devices (account_id, phone_number);
  create table sandbox_messages (
    id ${sequence},
    account_id text not null,
    message_id text not null,
    from_number text not null,
    to_number text not null,
    type text not null,
    content text not null,
    quoted text,
    file text,
    received_at bigint not null
  );
  create unique index sandbox_messages_contact on sandbox_messages (account_id, to_number, message_id);
  create table sandbox_files (
    account_id text not null,
    sha256 text not null,
    mime_type text not null,
    size integer not null,
    received_at bigint not null,
    -- Last, so that SQLite reads the other columns without it.
    bytes ${bytes} not null,
    constraint sandbox_files_pk primary key (account_id, sha256)
  );
  create index sandbox_files_received on sandbox_files (received_at)`;
