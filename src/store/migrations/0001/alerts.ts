import type { ColumnTypes } from './column-types.ts';

/** What is wrong, who is notified of it, and what was sent. */
export const alertTables = ({ sequence, bytes }: ColumnTypes) => `
  create table alert_targets (
    id text primary key not null,
    account_id text references accounts (id),
    provider_id text references providers (id),
    kind text not null,
    address text not null,
    secret ${bytes},
    previous_secret ${bytes},
    previous_until bigint,
    conditions text not null,
    events text default '[]' not null,
    quiet_from integer,
    quiet_to integer,
    time_zone text,
    created_at bigint not null,
    confirm_by bigint
  );
  create table alerts (
    id text primary key not null,
    condition text not null,
    subject_id text not null,
    account_id text not null,
    provider_id text not null,
    reason text,
    until bigint,
    began_at bigint not null,
    ended_at bigint
  );
  create unique index alerts_lasting on alerts (
    -- A condition that lasts is one alert, whichever server notices it.
    condition, subject_id
  ) where ended_at is null;
  create table alert_measures (
    condition text not null,
    subject text not null,
    reason text,
    at bigint not null,
    constraint alert_measures_pk primary key (condition, subject)
  );

  create table alert_notices (
    target_id text not null references alert_targets (id) on delete cascade,
    alert_id text not null,
    phase text not null,
    at bigint not null,
    position bigint default 0 not null,
    constraint alert_notices_pk primary key (target_id, alert_id, phase)
  );
  create table alert_deliveries (
    id text primary key not null,
    target_id text not null references alert_targets (id) on delete cascade,
    body text not null,
    at bigint not null,
    attempts integer not null,
    next_at bigint,
    state text not null,
    outcome text,
    ended_at bigint,
    position bigint default 0 not null
  );
  create index alert_deliveries_target on alert_deliveries (target_id, position, id);
  create index alert_deliveries_waiting on alert_deliveries (target_id, position, id) where state = 'waiting';
  create table alert_mails (
    owner text not null,
    hour bigint not null,
    sent integer not null,
    constraint alert_mails_pk primary key (owner, hour)
  );

  create table message_events (
    id ${sequence},
    target_id text not null,
    account_id text not null,
    instance_id text not null,
    message_id text not null,
    event text not null,
    at bigint not null,
    noted_at bigint not null,
    sent integer not null
  );
  create unique index message_events_message on message_events (
    -- A target gets each event once, however many devices of a recipient report it, and however often the network repeats it.
    instance_id, message_id, event, target_id
  );
  create index message_events_waiting on message_events (target_id, id) where sent = 0`;
