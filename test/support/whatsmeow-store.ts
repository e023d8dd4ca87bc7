import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuthenticationCreds, BufferJSON } from 'baileys';
import Sqlite from 'better-sqlite3';

/** The tables of whatsmeow, version 14 of its schema; `bytes` is the type of byte arrays. Tables that hold nothing of a login are left out. */
export const whatsmeowTables = (bytes: 'blob' | 'bytea'): string[] => [
  `create table whatsmeow_device (jid text primary key, lid text, facebook_uuid ${bytes === 'blob' ? 'text' : 'uuid'},
    registration_id bigint not null check (registration_id >= 0 and registration_id < 4294967296),
    noise_key ${bytes} not null check (length(noise_key) = 32), identity_key ${bytes} not null check (length(identity_key) = 32),
    signed_pre_key ${bytes} not null check (length(signed_pre_key) = 32), signed_pre_key_id integer not null,
    signed_pre_key_sig ${bytes} not null check (length(signed_pre_key_sig) = 64),
    adv_key ${bytes} not null, adv_details ${bytes} not null, adv_account_sig ${bytes} not null check (length(adv_account_sig) = 64),
    adv_account_sig_key ${bytes} not null check (length(adv_account_sig_key) = 32),
    adv_device_sig ${bytes} not null check (length(adv_device_sig) = 64),
    platform text not null default '', business_name text not null default '', push_name text not null default '',
    lid_migration_ts bigint not null default 0)`,
  `create table whatsmeow_identity_keys (our_jid text, their_id text, identity ${bytes} not null check (length(identity) = 32),
    primary key (our_jid, their_id))`,
  `create table whatsmeow_pre_keys (jid text, key_id integer, key ${bytes} not null check (length(key) = 32), uploaded boolean not null,
    primary key (jid, key_id))`,
  `create table whatsmeow_sessions (our_jid text, their_id text, session ${bytes}, primary key (our_jid, their_id))`,
  `create table whatsmeow_sender_keys (our_jid text, chat_id text, sender_id text, sender_key ${bytes} not null,
    primary key (our_jid, chat_id, sender_id))`,
  `create table whatsmeow_app_state_sync_keys (jid text, key_id ${bytes}, key_data ${bytes} not null, timestamp bigint not null,
    fingerprint ${bytes} not null, primary key (jid, key_id))`,
  `create table whatsmeow_privacy_tokens (our_jid text, their_jid text, token ${bytes} not null, timestamp bigint not null,
    sender_timestamp bigint, primary key (our_jid, their_jid))`,
  `create table whatsmeow_nct_salt (our_jid text primary key, salt ${bytes} not null)`,
  'create table whatsmeow_lid_map (lid text primary key, pn text unique not null)',
];

/** A SQLite file with these tables and devices, which the caller closes. Its keys are of no number. */
export function whatsmeowFile(path: string, jids: readonly string[]): Sqlite.Database {
  const database = new Sqlite(path);
  for (const table of whatsmeowTables('blob')) database.exec(table);
  const [key, signature] = [Buffer.alloc(32, 7), Buffer.alloc(64, 7)];
  for (const jid of jids) {
    const keys = [key, key, key, 1, signature, key, key, signature, key, signature];
    const values = [jid, null, null, 1, ...keys, 'iphone', '', 'Bob', 0];
    database.prepare(`insert into whatsmeow_device values (${values.map(() => '?').join()})`).run(values);
  }
  return database;
}

/** Rows of these tables, in the order of their columns. */
export type WhatsmeowRows = readonly (readonly [table: string, values: readonly unknown[]])[];

/** What whatsmeow would have stored of a number whose keys are in a folder of Baileys. */
export function whatsmeowRows(folder: string, { salt, migrated }: { salt: Buffer | null; migrated: boolean }): WhatsmeowRows {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'), BufferJSON.reviver);
  const creds: AuthenticationCreds = read('creds.json');
  const { me, account, signedPreKey } = creds;
  if (me === undefined || account === undefined) throw new Error('the number is not linked');
  const base64 = (value: unknown) => Buffer.from(String(value), 'base64');
  const files = readdirSync(folder);
  const idsOf = (type: string) => files.filter((file) => file.startsWith(type)).map((file) => file.slice(type.length, -'.json'.length));
  const jid = me.id;
  const now = Math.floor(Date.now() / 1000);
  return [
    [
      'whatsmeow_device',
      [
        ...[jid, me.lid, null, creds.registrationId, creds.noiseKey.private, creds.signedIdentityKey.private],
        ...[signedPreKey.keyPair.private, signedPreKey.keyId, signedPreKey.signature, base64(creds.advSecretKey)],
        ...[account.details, account.accountSignature, account.accountSignatureKey, account.deviceSignature].map(base64),
        ...['android', '', 'Ada', migrated ? now : 0],
      ],
    ],
    ...idsOf('pre-key-').map((id) => ['whatsmeow_pre_keys', [jid, Number(id), read(`pre-key-${id}.json`).private, true]] as const),
    ...idsOf('identity-key-').map(
      (id) => ['whatsmeow_identity_keys', [jid, id.replace('.', ':'), read(`identity-key-${id}.json`).subarray(1)]] as const,
    ),
    // Its Signal sessions are protobuf messages, which nothing else reads.
    ...idsOf('session-').map((id) => ['whatsmeow_sessions', [jid, id.replace('.', ':'), Buffer.from([10, 0])]] as const),
    ...idsOf('app-state-sync-key-').map((id) => {
      const { keyData } = read(`app-state-sync-key-${id}.json`);
      const keyId = Buffer.from(id.replaceAll('__', '/'), 'base64');
      return ['whatsmeow_app_state_sync_keys', [jid, keyId, Buffer.from(keyData, 'base64'), now, Buffer.from([10, 0])]] as const;
    }),
    ...idsOf('lid-mapping-')
      .filter((id) => !id.endsWith('_reverse'))
      .map((id) => ['whatsmeow_lid_map', [read(`lid-mapping-${id}.json`), id]] as const),
    ...idsOf('tctoken-')
      .filter((id) => id !== '__index')
      .map((id) => ['whatsmeow_privacy_tokens', [jid, id, read(`tctoken-${id}.json`).token, now, null]] as const),
    ...(salt === null ? [] : [['whatsmeow_nct_salt', [jid, salt]] as const]),
  ];
}
