import type { ColumnTypes } from './column-types.ts';

/** What is known of each send, from its claim to its row in the request log. */
export const sendTables = ({ sequence }: ColumnTypes) => `
  create table claims (
    id ${sequence},
    account_id text not null,
    key text not null,
    fingerprint text not null,
    message_id text not null,
    state text not null,
    owner text not null,
    node text default '' not null,
    provider_status text,
    created_at bigint not null,
    deadline bigint default 0 not null
  );
  create unique index claims_account_key on claims (account_id, key);
  create table trial_reservations (
    id text primary key not null,
    account_id text not null,
    node text default '' not null,
    deadline bigint default 0 not null
  );
  create index trial_reservations_account on trial_reservations (account_id);
  create table settlements (
    id ${sequence},
    at bigint not null,
    requests text not null
  );
  create table pending_writes (
    id text primary key not null,
    kind text not null,
    payload text not null,
    created_at bigint not null,
    attempts integer not null,
    next_at bigint not null
  );
  create index pending_writes_next on pending_writes (next_at);

  create table requests (
    id ${sequence},
    request_id text not null,
    at bigint not null,
    duration_ms double precision not null,
    account_id text,
    key_id text,
    person_id text,
    person_email text,
    method text not null,
    path text not null,
    status integer not null,
    code text,
    error_message text,
    instance_id text,
    message_type text,
    message_id text,
    recipient text,
    media_host text,
    idempotency text,
    stages text
  );
  create index requests_request on requests (request_id);
  create index requests_account on requests (
    -- In the order of time and not of ids. Otherwise statistics may make PostgreSQL go through the primary key instead.
    account_id, at, id
  ) where message_type is not null;
  create index requests_recipient on requests (recipient, at, id) where recipient is not null;
  create index requests_message on requests (message_id) where message_id is not null;
  create index requests_failed on requests (id) where message_type is not null and code is not null;
  create index requests_failed_account on requests (account_id, at, id) where message_type is not null and code is not null;
  create index requests_failed_instance on requests (instance_id, at, id) where message_type is not null and code is not null;
  create table send_outcomes (
    hour integer not null,
    account_id text not null,
    code text not null,
    count integer not null,
    constraint send_outcomes_pk primary key (hour, account_id, code)
  );
  create table number_sends (
    id ${sequence},
    instance_id text not null,
    account_id text not null,
    day bigint not null,
    accepted integer not null,
    refused integer not null,
    failed integer not null,
    last_at bigint not null
  );
  create unique index number_sends_day on number_sends (instance_id, account_id, day)`;
