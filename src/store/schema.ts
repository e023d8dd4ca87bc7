import type { Generated, Insertable, Selectable } from 'kysely';
import type { Stages } from '../core/index.ts';

// Times are epoch milliseconds, flags are 0 or 1, so that both dialects hold the same values.

/** The tables of the store, as Kysely types them. Each is made by a migration. */
export interface Database {
  meta: {
    name: string;
    value: string;
  };

  providers: {
    id: string;
    name: string;
    status: 'active' | 'suspended';
    /** How many numbers all accounts of the provider may have together; null: no bound. */
    number_capacity: number | null;
    /** The plan that is proposed for its new accounts; null: the installation's. */
    default_plan_id: string | null;
    created_at: number;
  };

  plans: {
    id: string;
    name: string;
    messages_per_minute: number;
    instance_limit: number;
    /** Total messages of a trial; null: not a trial. */
    trial_message_limit: number | null;
    created_at: number;
  };

  accounts: {
    id: string;
    name: string;
    provider_id: string;
    status: 'active' | 'suspended';
    /** Who suspended it; null while it is active. What an operator suspended only an operator resumes. */
    suspended_by: Authority | null;
    plan_id: string | null;
    plan_starts_at: number | null;
    plan_ends_at: number | null;
    access_ends_at: number | null;
    /** The account's own number limit; null: the plan's. */
    instance_limit: number | null;
    /** 1 for a platform operator's own account. */
    operator: number;
    free_slots: number | null;
    /** Accepted sends that counted against a trial. */
    trial_used: Generated<number>;
    created_at: number;
  };

  /** What those who administer an account note about it; its own people never see it. */
  account_notes: {
    account_id: string;
    text: string;
    written_at: number;
    /** The e-mail address of who wrote it last; null: the command line. */
    written_by: string | null;
  };

  /** What a provider calls an account in its own books. */
  account_references: {
    provider_id: string;
    reference: string;
    account_id: string;
  };

  /** How a provider shows itself to its customers; null: as without a brand. */
  brands: {
    provider_id: string;
    name: string | null;
    /** #rrggbb. */
    colour: string | null;
    sender_name: string | null;
    reply_to: string | null;
    mail_intro: string | null;
    mail_footer: string | null;
    /** Scheme and host. */
    base_address: string | null;
    /** The Host header of requests to that address. */
    base_host: string | null;
    /** When an operator confirmed that the address leads here; null: nobody has, and it counts for nothing. */
    base_confirmed_at: number | null;
    /** SHA-256 of the logo, hex. */
    logo_digest: string | null;
  };

  brand_logos: {
    provider_id: string;
    digest: string;
    png: Buffer;
  };

  api_keys: {
    id: string;
    account_id: string;
    prefix: string;
    label: string | null;
    /** SHA-256 of the whole key, base64. */
    hash: string;
    created_at: number;
    /** To the second. */
    last_used_at: number | null;
    revoked_at: number | null;
    /** Set only on keys the command line makes for itself; they are not listed. */
    expires_at: number | null;
  };

  instances: {
    id: string;
    account_id: string;
    network: string;
    label: string | null;
    phone_number: string | null;
    /** 1 while credentials exist: the number is linked, whether or not its connection is up. */
    linked: number;
    /** 1 after a scan with a number that is connected on another instance, until the next pairing attempt. */
    conflict: number;
    /** Why the network restricts the number; null: it does not. */
    restriction_reason: string | null;
    /** When the restriction ends; null: not known. */
    restriction_until: number | null;
    /** How many chats the number may start in a cycle of the network's, and how many it has started; null: not known. */
    new_chats_used: number | null;
    new_chats_quota: number | null;
    /** null: not known. */
    new_chats_cycle_ends_at: number | null;
    /** The address of the proxy it connects through, sealed by the vault with the instance id as context; null: none. */
    proxy: Buffer | null;
    /** Its owner's budget of new chats, JSON (sessions/chat-budget); null: none. */
    chat_budget: string | null;
    /** The UTC day (YYYY-MM-DD) of `chat_budget_used`; null: none was ever used. */
    chat_budget_day: string | null;
    chat_budget_used: Generated<number>;
    /** When a phone last linked it; null: none has, or the first login after the scan is still to come. */
    linked_at: number | null;
    /** What last changed whether it is connected, and when (sessions/history/state.ts); null: nothing yet. */
    state_event: string | null;
    state_at: number | null;
    created_at: number;
  };

  credentials: {
    instance_id: string;
    name: string;
    /** Sealed by the vault with the instance id as context. */
    sealed: Buffer;
  };

  /** What is kept of a sent message (decisions §12). */
  sent_messages: {
    id: Generated<number>;
    instance_id: string;
    message_id: string;
    /** Sealed by the vault with instance and message id as context. */
    sealed: Buffer;
    at: number;
  };

  /** A running server; on PostgreSQL only. */
  nodes: {
    /** A new one for every start of a server. */
    id: string;
    /** For people. */
    name: string;
    /** Where the other servers reach it. */
    address: Generated<string>;
    started_at: number;
    /** Until when it lives unless it renews this. */
    expires_at: number;
    /** 1 while it gives its numbers to others before it stops. */
    draining: number;
    /** JSON: the settings that all servers must share, by name. */
    settings: Generated<string>;
  };

  /** The right of a server to connect a number and to write what belongs to it; on PostgreSQL only. */
  leases: {
    instance_id: string;
    /** null: nobody owns it. */
    node_id: string | null;
    /** Grows with every new owner, so that what an earlier one writes late is refused. */
    epoch: number;
    /** The state of its connection, as its owner last reported it, for pages that show the numbers of all servers; up to a second late. */
    status: Generated<LinkStatus>;
  };

  /** Idempotency keys (decisions §3). */
  claims: {
    id: Generated<number>;
    account_id: string;
    key: string;
    fingerprint: string;
    message_id: string;
    state: 'in_flight' | 'unknown' | 'accepted';
    /** The request that made or took over the claim. Empty when it is accepted: a row that does not grow then stays in its page. */
    owner: string;
    /** The network's status of an accepted send. */
    provider_status: string | null;
    created_at: number;
    /** The server whose send it is; empty on the embedded store. */
    node: Generated<string>;
    /** When a claim in flight counts as abandoned even if its server still runs. */
    deadline: Generated<number>;
  };

  trial_reservations: {
    /** The request id. */
    id: string;
    account_id: string;
    /** The server whose send it is; empty on the embedded store. */
    node: Generated<string>;
    /** Until when it counts, whatever has become of its server; longer while the settlement of its send is pending. */
    deadline: Generated<number>;
  };

  usage_sends: {
    account_id: string;
    day: string;
    type: string;
    count: number;
  };

  usage_number_days: {
    account_id: string;
    day: string;
    phone_number: string;
  };

  usage_sends_by_month: {
    account_id: string;
    /** YYYY-MM. */
    month: string;
    type: string;
    count: number;
  };

  usage_number_days_by_month: {
    account_id: string;
    month: string;
    count: number;
  };

  /** The sends without an idempotency key that one transaction counted. */
  settlements: {
    id: Generated<number>;
    /** The time of the last of them. */
    at: number;
    /** Their request ids, as a JSON array. */
    requests: string;
  };

  /** Something that could not be written when it was due (the outbox). */
  pending_writes: {
    /** Identifies the write; the same id is there once. */
    id: string;
    kind: string;
    /** JSON, as the kind defines it. */
    payload: string;
    created_at: number;
    /** How often it has failed. */
    attempts: number;
    /** When to try again. */
    next_at: number;
  };

  /** A request that was answered. */
  requests: Omit<RequestRecord, 'stages'> & {
    id: Generated<number>;
    /** JSON (store/request-log.ts); null for requests that are no sends. */
    stages: string | null;
  };

  /** How many sends of an account ended so within an hour. */
  send_outcomes: {
    /** Hours since 1970. */
    hour: number;
    account_id: string;
    /** The code of the failure; empty for accepted sends. */
    code: string;
    count: number;
  };

  /** How many sends from a number ended how on a UTC day, as an account asked for them: not every account that names a number has it. */
  number_sends: NumberSends & {
    id: Generated<number>;
  };

  /** One change of an account, plan, provider, key, number or user. */
  audit_log: {
    id: Generated<number>;
    at: number;
    actor_kind: 'user' | 'key' | 'command_line' | 'system';
    /** The user's or the key's; null for the command line and the system. */
    actor_id: string | null;
    /** The user's e-mail address or the key's prefix, as they were then. */
    actor_name: string | null;
    /** What was done, such as `account.create`. */
    action: string;
    target_kind: 'account' | 'plan' | 'provider' | 'key' | 'number' | 'user' | 'alert';
    target_id: string;
    /** The account it concerns; null when it concerns none or many. */
    account_id: string | null;
    /** The account's provider after the change, or the provider it concerns; null when it concerns none or many. */
    provider_id: string | null;
    /** JSON: the fields changed, each with what it was and what it became. */
    details: string;
  };

  /** What the object of an entry of the audit log is and was called then (`nameStarts`). */
  audit_names: {
    audit_id: number;
    name: string;
  };

  /** Something that happened to a number, once or often within a short time (sessions/history). */
  number_history: {
    id: string;
    account_id: string;
    instance_id: string;
    event: string;
    /** The reason, as a word; null where the event has none. */
    detail: string | null;
    /** More about it, in a sentence of the network's; null: nothing. */
    note: string | null;
    /** When it happened, or the first time. */
    at: number;
    /** The last time. */
    last_at: number;
    /** When a lost connection was back; null while it is not, and for other events. */
    ended_at: number | null;
    /** Until when a restriction lasts, or no login is possible; null: not known. */
    until: number | null;
    /** How often it happened. */
    count: number;
    actor_kind: 'user' | 'key' | 'command_line' | 'system' | null;
    actor_id: string | null;
    /** The user's e-mail address as it was then; null for others. */
    actor_name: string | null;
  };

  /** A chat that a number began while it had a budget. */
  new_chats: {
    instance_id: string;
    /** Digits. */
    contact: string;
    /** The UTC day whose budget it uses. */
    day: string;
    /** Sends that are under way and hold the chat's unit. */
    holders: number;
    /** 1: the network took a message, or may have; the chat is begun. */
    settled: number;
  };

  /** Where alerts go. Of one account, of one provider with all its accounts, or of the whole installation. */
  alert_targets: {
    id: string;
    account_id: string | null;
    provider_id: string | null;
    kind: 'webhook' | 'mail';
    /** A URL or an e-mail address. */
    address: string;
    /** The secret that webhooks are signed with, sealed by the vault with the target's id as context; null for mail. */
    secret: Buffer | null;
    /** The secrets before it, with a space between them, which sign too until `previous_until`. */
    previous_secret: Buffer | null;
    previous_until: number | null;
    /** The conditions it is notified of, a JSON array of words. */
    conditions: string;
    /** The events of messages that it is notified of, a JSON array of words. */
    events: string;
    /** Minutes after midnight in `time_zone` between which no new alerts are sent; null: there is no such time. */
    quiet_from: number | null;
    quiet_to: number | null;
    time_zone: string | null;
    created_at: number;
    /** Until when a mail address must confirm that it wants alerts; null: it has. */
    confirm_by: number | null;
  };

  /** Something that somebody is to be notified of, for as long as it lasts (alerts/conditions.ts). */
  alerts: {
    id: string;
    condition: string;
    /** The number or account that it is about; for what concerns the installation a server's name. */
    subject_id: string;
    /** Both empty for what concerns the installation. */
    account_id: string;
    provider_id: string;
    /** Why, as a word; null where the condition needs none. */
    reason: string | null;
    /** Until when it lasts; null: not known. */
    until: number | null;
    began_at: number;
    /** null: it lasts. */
    ended_at: number | null;
  };

  /** A beginning or end of an alert that a target is still to be notified of. */
  alert_notices: {
    target_id: string;
    alert_id: string;
    phase: 'began' | 'ended';
    at: number;
    /** Its place in the order, assigned by the database. */
    position: number;
  };

  /** What a server measured of itself or of the installation, as long as it holds (alerts/machine). */
  alert_measures: {
    condition: string;
    /** The server's name, or a word for the installation. */
    subject: string;
    /** In words. */
    reason: string | null;
    /** When it was measured last. */
    at: number;
  };

  /** What is sent to a target, at once or again and again. */
  alert_deliveries: {
    id: string;
    target_id: string;
    /** JSON. */
    body: string;
    at: number;
    attempts: number;
    /** When to try next; null: it is done. */
    next_at: number | null;
    state: 'waiting' | 'delivered' | 'given_up';
    /** What the last attempt came to, in words; null: there was none. */
    outcome: string | null;
    ended_at: number | null;
    /** Its place in the order of its target's deliveries, assigned by the database; where two are the same, ids decide. */
    position: Generated<number>;
  };

  /** How many mails of alerts went out in an hour, by whose targets they were for. */
  alert_mails: {
    owner: string;
    /** Hours since the Unix epoch. */
    hour: number;
    sent: number;
  };

  /** What became of a message, for one of the targets that are notified of its account's messages. */
  message_events: {
    id: Generated<number>;
    target_id: string;
    account_id: string;
    instance_id: string;
    message_id: string;
    event: string;
    /** When it happened. */
    at: number;
    /** When the gateway learned of it. */
    noted_at: number;
    /** 0: it is still to be sent. Others stay for a while, so that each is sent once, and later events are known to be of a message from here. */
    sent: number;
  };

  /** What the sandbox network itself knows: which phone has linked which device. */
  sandbox_devices: {
    id: string;
    account_id: string;
    instance_id: string;
    phone_number: string;
    linked_at: number;
  };

  sandbox_messages: {
    id: Generated<number>;
    account_id: string;
    message_id: string;
    from_number: string;
    to_number: string;
    type: string;
    content: string;
    quoted: string | null;
    received_at: number;
    /** What was known of the message's file, as JSON; null: it has none. */
    file: string | null;
  };

  /** A file that contacts of the account received, once however often it was sent. */
  sandbox_files: {
    account_id: string;
    /** Hex. */
    sha256: string;
    mime_type: string;
    size: number;
    /** The last time, a minute early at most. */
    received_at: number;
    bytes: Buffer;
  };

  /** better-auth's, which has its own types of times: ISO text on SQLite, dates on PostgreSQL. Only the columns that are used elsewhere. */
  users: {
    id: string;
    name: string;
    /** In lower case. */
    email: string;
    /** Whether the person has used a link that went to this address by mail and that nobody else saw. */
    email_verified: number | boolean;
    two_factor_enabled: number | boolean | null;
    /** As in `src/language`; null until one is chosen. */
    language: Generated<string | null>;
    created_at: string | Date;
    updated_at: string | Date;
  };

  user_credentials: {
    id: string;
    user_id: string;
    /** `credential`: a password. */
    provider_id: string;
    /** With a password, the user's id. */
    account_id: string;
    password: string | null;
    created_at: string | Date;
    updated_at: string | Date;
  };

  user_sessions: {
    id: string;
    user_id: string;
    expires_at: string | Date;
    created_at: string | Date;
    updated_at: string | Date;
  };

  user_verifications: {
    id: string;
    identifier: string;
    value: string;
  };

  user_two_factors: {
    id: string;
    user_id: string;
    /** Encrypted by the sign-in library (portal/sign-in/secrets.ts). */
    secret: string;
    backup_codes: string;
    locked_until: string | Date | null;
  };

  /** One role of a person: everywhere (operator), at a provider, or at an account. */
  memberships: {
    id: string;
    user_id: string;
    role: 'operator' | 'provider_admin' | 'owner' | 'member';
    provider_id: string | null;
    account_id: string | null;
    created_at: number;
  };

  /** Invitations and password resets. */
  one_time_links: {
    id: string;
    /** SHA-256 of the link's token, base64url. */
    token_hash: string;
    purpose: 'first_operator' | 'invitation' | 'password_reset';
    /** null for the first operator. */
    email: string | null;
    role: Database['memberships']['role'] | null;
    provider_id: string | null;
    account_id: string | null;
    /** The person who made it; null: the command line or the gateway itself. */
    maker_id: string | null;
    /** 0: it went by mail alone, so whoever uses it reads the mailbox. 1: somebody else may have seen it too. */
    shown: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };

  /** A link by which whoever holds a phone links one number with it. */
  scan_links: {
    id: string;
    /** SHA-256 of the link's token, base64url. */
    token_hash: string;
    /** The number may have been deleted since. */
    instance_id: string;
    /** The person who made it; null: the command line. */
    maker_id: string | null;
    expires_at: number;
    /** When the number was linked. */
    used_at: number | null;
  };

  /** What is known of a network's client versions (networks/whatsapp/version/choose-version.ts). */
  client_versions: {
    network: string;
    fetched: number | null;
    fetched_at: number | null;
    accepted: number | null;
    accepted_at: number | null;
    expiring: number | null;
    expires_at: number | null;
  };
}

/** The role in which a person administers an account: operator, or admin of its provider. */
export type Authority = 'operator' | 'provider';

/** The state of a number's connection (contract, "Instance"). */
export type LinkStatus = 'open' | 'connecting' | 'close';

export interface NumberSends {
  readonly instance_id: string;
  readonly account_id: string;
  /** When the day began. */
  readonly day: number;
  accepted: number;
  /** The request was at fault. */
  refused: number;
  /** The gateway or the network failed. */
  failed: number;
  /** When the last one was accepted; 0: none was. */
  last_at: number;
}

/** The columns of a number's sends in the order in which a batch is written. */
export const numberSendsColumns = [
  'instance_id',
  'account_id',
  'day',
  'accepted',
  'refused',
  'failed',
  'last_at',
] as const satisfies readonly (keyof NumberSends)[];

/** One request in the request log: a request and its answer, and for a send what was sent to whom, never its content. */
export interface RequestRecord {
  readonly request_id: string;
  readonly at: number;
  readonly duration_ms: number;
  readonly account_id: string | null;
  readonly key_id: string | null;
  /** The person who made it in the portal, and the e-mail address as it was then; null for everybody else. */
  readonly person_id: string | null;
  readonly person_email: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  /** The message of the error as it was answered, cut at 300 characters; null when it succeeded, and for requests that are no sends. */
  readonly error_message: string | null;
  readonly instance_id: string | null;
  readonly message_type: string | null;
  readonly message_id: string | null;
  readonly recipient: string | null;
  /** The host that a media message's file is fetched from; null for others. */
  readonly media_host: string | null;
  /** `new` or `replayed` for a request with an idempotency key. */
  readonly idempotency: string | null;
  /** null for requests that are no sends. */
  readonly stages: Stages | null;
}

/** The columns of a sandbox message in the order in which a batch is written. */
export const sandboxMessageColumns = [
  'account_id',
  'message_id',
  'from_number',
  'to_number',
  'type',
  'content',
  'quoted',
  'received_at',
  'file',
] as const satisfies readonly (keyof Database['sandbox_messages'])[];

export type MembershipRow = Selectable<Database['memberships']>;
export type OneTimeLinkRow = Selectable<Database['one_time_links']>;
export type ProviderRow = Selectable<Database['providers']>;
export type PlanRow = Selectable<Database['plans']>;
export type AccountRow = Selectable<Database['accounts']>;
export type InstanceRow = Selectable<Database['instances']>;
export type AuditRow = Selectable<Database['audit_log']>;
export type HistoryRow = Selectable<Database['number_history']>;
export type NewAuditRow = Insertable<Database['audit_log']>;
export type AlertTargetRow = Selectable<Database['alert_targets']>;
export type AlertRow = Selectable<Database['alerts']>;
export type AlertDeliveryRow = Selectable<Database['alert_deliveries']>;
export type PendingWriteRow = Selectable<Database['pending_writes']>;
export type RequestRow = Selectable<Database['requests']>;
export type NewSandboxMessage = Insertable<Database['sandbox_messages']>;
export type SandboxMessageRow = Selectable<Database['sandbox_messages']>;
