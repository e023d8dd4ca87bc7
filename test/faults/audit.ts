import { isDeepStrictEqual } from 'node:util';
import { claimMs, type Store } from '../../src/store/index.ts';
import { monthsOfDays, noted } from '../support/usage-months.ts';
import type { Sender } from './customers.ts';
import type { KeyedSend } from './keyed-load.ts';

/** What does not fit between what customers were told and what the store and the contacts hold; empty when all is well. */
export async function audit(store: Store, senders: readonly Sender[], sends: readonly KeyedSend[]): Promise<string[]> {
  return [
    ...(await auditMessages(store, senders, sends)),
    ...(await auditUsage(store, senders, sends)),
    ...(await auditClaims(store, sends)),
  ];
}

/** The claim of a send, who owns its number, and the servers there are. */
export async function recordOf({ db }: Store, { key, sender }: Pick<KeyedSend, 'key' | 'sender'>): Promise<string> {
  const { instanceId } = sender;
  return JSON.stringify({
    claims: await db.selectFrom('claims').selectAll().where('account_id', '=', sender.accountId).where('key', '=', key).execute(),
    leases: await db.selectFrom('leases').selectAll().where('instance_id', '=', instanceId).execute(),
    nodes: await db.selectFrom('nodes').selectAll().execute(),
  });
}

/** One message per key at its contact, under the id that was answered, and none besides. */
export async function auditMessages(store: Store, senders: readonly Sender[], sends: readonly KeyedSend[]): Promise<string[]> {
  const rows = await store.db.selectFrom('sandbox_messages').select(['account_id', 'to_number', 'message_id']).execute();
  const at = new Set(rows.map((row) => `${row.account_id} ${row.to_number} ${row.message_id}`));
  const told = new Set<string>();
  const wrong: string[] = [];
  for (const { key, sender, to, result } of sends) {
    const message = `${sender.accountId} ${to} ${result?.message_id}`;
    if (told.has(message)) wrong.push(`${key} has the message id of another key`);
    told.add(message);
    if (!at.has(message)) wrong.push(`${key} was answered and its message is not at the contact`);
  }
  const ours = new Set(senders.map((sender) => sender.accountId));
  for (const row of rows) {
    const message = `${row.account_id} ${row.to_number} ${row.message_id}`;
    if (ours.has(row.account_id) && !told.has(message)) wrong.push(`${message} is at a contact and no key was answered with it`);
  }
  return wrong;
}

/** Usage by account and type counts each answered key once; the trial's counter too; nothing stays reserved. */
export async function auditUsage(
  store: Store,
  senders: readonly Sender[],
  sends: readonly Pick<KeyedSend, 'sender' | 'type'>[],
): Promise<string[]> {
  const expected = tally(sends.map((send) => `${send.sender.accountId} ${send.type}`));
  const counted = new Map<string, number>();
  const ours = new Set(senders.map((sender) => sender.accountId));
  for (const row of await store.db.selectFrom('usage_sends').selectAll().execute()) {
    if (!ours.has(row.account_id)) continue;
    const name = `${row.account_id} ${row.type}`;
    counted.set(name, (counted.get(name) ?? 0) + row.count);
  }
  const wrong: string[] = [];
  for (const name of new Set([...expected.keys(), ...counted.keys()])) {
    if (expected.get(name) !== counted.get(name)) wrong.push(`usage of ${name}: ${counted.get(name)} counted, ${expected.get(name)} sent`);
  }
  if (!isDeepStrictEqual(await noted(store.db), await monthsOfDays(store.db))) wrong.push('usage by month is not what its days add up to');
  for (const { accountId, trial } of senders) {
    const { trial_used } = await store.db.selectFrom('accounts').select('trial_used').where('id', '=', accountId).executeTakeFirstOrThrow();
    const sent = trial ? sends.filter((send) => send.sender.accountId === accountId).length : 0;
    if (trial_used !== sent) wrong.push(`trial of ${accountId}: ${trial_used} counted, ${sent} sent`);
  }
  wrong.push(...(await auditReservations(store)));
  return wrong;
}

/** Nothing of a trial stays reserved for longer than a send may take, whatever has become of its server. */
async function auditReservations({ db }: Store): Promise<string[]> {
  const reserved = await db
    .selectFrom('trial_reservations')
    .select('id')
    .where('deadline', '>', Date.now() + claimMs)
    .execute();
  return reserved.map(({ id }) => `${id} reserves a unit of a trial for too long`);
}

/** Each key has one record, and that says it was accepted. */
export async function auditClaims(store: Store, sends: readonly unknown[]): Promise<string[]> {
  const rows = await store.db.selectFrom('claims').select(['key', 'state']).execute();
  const wrong = rows.filter((row) => row.state !== 'accepted').map((row) => `the record of ${row.key} says ${row.state}`);
  if (rows.length !== sends.length) wrong.push(`${rows.length} records for ${sends.length} keys`);
  return wrong;
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
