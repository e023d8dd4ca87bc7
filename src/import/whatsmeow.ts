import { OperatorError } from '../core/index.ts';
import { type ImportedNumber, type KeyPair, pairOf } from '../networks/whatsapp/imported-number.ts';
import { type Archive, asLabel, type Found, found, mostNumbers, Unusable } from './found.ts';
import { openDatabase, type PeerDatabase } from './peer-database.ts';
import type { Row } from './peer-driver.ts';
import { mergeTctokens, type Tctoken } from './tctokens.ts';

/** The tables of whatsmeow (`store/sqlstore`), in which wuzapi, GOWA, evolution-go and others keep their numbers. */

const devices = 'whatsmeow_device';
/** An address of a device has far fewer characters. */
const mostJidCharacters = 100;

/** Opens such a store: a SQLite file, or the URL of a PostgreSQL database. Throws OperatorError when it is none. */
export async function openWhatsmeow(place: string): Promise<Archive> {
  const database = await openDatabase(place, devices);
  try {
    const sources = (await database.rows(`select jid from ${devices} order by jid`)).map(({ jid }) => String(jid));
    if (sources.length > mostNumbers) throw new OperatorError(`the database holds more than ${mostNumbers} numbers`);
    if (sources.some((jid) => jid.length > mostJidCharacters)) {
      throw new OperatorError(`the database names a device by more than ${mostJidCharacters} characters`);
    }
    return {
      sources,
      read: async (jid) => {
        const stamp = await database.stamp();
        return found(jid, stamp, () => readDevice(database, jid, stamp));
      },
      wasUsed: () => database.wasUsed(),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function readDevice(database: PeerDatabase, jid: string, stamp: string): Promise<Found> {
  const of = (table: string, column = 'our_jid') => database.rowsOf(table, column, jid);
  const [device] = await of(devices, 'jid');
  const [, phoneNumber, deviceId] = /^([1-9][0-9]{5,14})(?:\.[0-9]+)?:([1-9][0-9]{0,4})@s\.whatsapp\.net$/.exec(jid) ?? [];
  if (device === undefined || phoneNumber === undefined) throw new Unusable('is not named by the address of a linked device');
  const identities = await of('whatsmeow_identity_keys');
  const tokens = await of('whatsmeow_privacy_tokens');
  const lids = await readLids(database, [
    phoneNumber,
    ...identities.map((row) => userOf(row.their_id)),
    ...tokens.map((row) => userOf(row.their_jid)),
  ]);
  const preKeys = new Map<string, KeyPair>();
  for (const { key_id, key } of await of('whatsmeow_pre_keys', 'jid')) preKeys.set(String(key_id), pairOf(bytes(key, 32)));
  const nextPreKeyId = [...preKeys.keys()].reduce((last, id) => Math.max(last, Number(id)), 0) + 1;
  const settingsKeys = (await of('whatsmeow_app_state_sync_keys', 'jid')).sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
  const idOf = (row: Row) => Buffer.from(bytes(row.key_id)).toString('base64');
  const newest = settingsKeys.at(-1);
  const [salt] = await of('whatsmeow_nct_salt');
  const lid = userOf(device.lid) || lids.get(phoneNumber);
  const name = asLabel(text(device.push_name)) ?? asLabel(text(device.business_name));
  const number: ImportedNumber = {
    jid: `${phoneNumber}:${deviceId}@s.whatsapp.net`,
    lid: lid === undefined ? null : `${lid}:${deviceId}@lid`,
    name,
    platform: asLabel(text(device.platform)),
    registrationId: Number(device.registration_id),
    noiseKey: pairOf(bytes(device.noise_key, 32)),
    identityKey: pairOf(bytes(device.identity_key, 32)),
    signedPreKey: {
      keyPair: pairOf(bytes(device.signed_pre_key, 32)),
      keyId: Number(device.signed_pre_key_id),
      signature: bytes(device.signed_pre_key_sig, 64),
    },
    advSecret: bytes(device.adv_key),
    account: {
      details: bytes(device.adv_details),
      accountSignatureKey: bytes(device.adv_account_sig_key, 32),
      accountSignature: bytes(device.adv_account_sig, 64),
      deviceSignature: bytes(device.adv_device_sig, 64),
    },
    // Those that are not uploaded yet are kept, too, and never used.
    nextPreKeyId,
    firstUnuploadedPreKeyId: nextPreKeyId,
    preKeys,
    appStateKeyId: newest === undefined ? null : idOf(newest),
    migrated: Number(device.lid_migration_ts ?? 0) > 0 ? true : null,
    nctSalt: salt === undefined ? null : bytes(salt.salt),
    records: mergeTctokens(
      new Map<string, unknown>([
        ...identities.flatMap(({ their_id, identity }) => identityRecord(String(their_id), bytes(identity, 32))),
        ...[...lids].flatMap(([pn, its]) => [[`lid-mapping:${pn}`, its] as const, [`lid-mapping:${its}_reverse`, pn] as const]),
        ...tokens.flatMap(tokenRecord),
        ...settingsKeys.map((row) => [`app-state-sync-key:${idOf(row)}`, { keyData: bytes(row.key_data) }] as const),
      ]),
    ),
  };
  const left = {
    groupKeys: await database.count('whatsmeow_sender_keys', jid),
    sessions: await database.count('whatsmeow_sessions', jid),
    unreadable: 0,
  };
  return { source: jid, stamp, problem: null, number, label: (await givenName(database, jid)) ?? name, usedAt: database.usedAt, left };
}

/** The name that the program has given the number: wuzapi has its numbers in `users`, evolution-go in `instances`. */
async function givenName(database: PeerDatabase, jid: string): Promise<string | null> {
  for (const table of ['users', 'instances']) {
    if (!(await database.has(table, ['jid', 'name']))) continue;
    const [row] = await database.rowsOf(table, 'jid', jid);
    if (row !== undefined) return asLabel(text(row.name));
  }
  return null;
}

/** The LIDs of these users (numbers or LIDs), by their numbers. The table is one for all devices, and may be large. */
async function readLids(database: PeerDatabase, users: readonly string[]): Promise<Map<string, string>> {
  const lids = new Map<string, string>();
  if (!(await database.has('whatsmeow_lid_map', ['lid', 'pn']))) return lids;
  const wanted = [...new Set(users)].filter((user) => user !== '');
  for (const { lid, pn } of await database.rowsWith('whatsmeow_lid_map', ['lid', 'pn'], wanted)) {
    const [itsLid, itsPn] = [String(lid), String(pn)];
    if (/^[0-9]{5,20}$/.test(itsLid) && /^[0-9]{5,20}$/.test(itsPn)) lids.set(itsPn, itsLid);
  }
  return lids;
}

/** `user:device` there is `user.device` here; LIDs are marked by `_1` in both. */
function identityRecord(address: string, identity: Uint8Array): [string, unknown][] {
  if (!/^[0-9]{5,20}(_1)?:[0-9]{1,5}$/.test(address)) return [];
  return [[`identity-key:${address.replace(':', '.')}`, Buffer.concat([Buffer.of(5), identity])]];
}

function tokenRecord({ their_jid, token, timestamp, sender_timestamp }: Row): [string, Tctoken][] {
  if (!/^[0-9]{5,20}@(lid|s\.whatsapp\.net)$/.test(String(their_jid))) return [];
  const sent = Number(sender_timestamp ?? 0);
  const issued = token instanceof Uint8Array && token.length === 0 ? token : bytes(token);
  const value = {
    token: issued,
    ...(issued.length === 0 ? {} : { timestamp: String(timestamp) }),
    ...(sent > 0 ? { senderTimestamp: sent } : {}),
  };
  return [[`tctoken:${their_jid}`, value]];
}

/** The digits in front of an address: a number or a LID; empty when there are none. */
function userOf(address: unknown): string {
  return /^[0-9]{5,20}/.exec(text(address))?.[0] ?? '';
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function bytes(value: unknown, length: number | null = null): Uint8Array {
  if (value instanceof Uint8Array && value.length > 0 && value.length <= 4096 && (length === null || value.length === length)) return value;
  throw new Unusable('its keys are damaged: one is missing or of the wrong size');
}
