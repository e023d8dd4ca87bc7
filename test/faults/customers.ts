import { setTimeout } from 'node:timers/promises';
import { createAccount, createKey, createPlan } from '../../src/accounts/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import type { LoadClient } from './load-client.ts';

/** An account with a key, and its linked number. */
export interface Sender {
  readonly accountId: string;
  readonly key: string;
  readonly phoneNumber: string;
  readonly instanceId: string;
  readonly trial: boolean;
}

/** What no test reaches. */
const plenty = 1_000_000;

/** Makes accounts whose plans bound nothing, some of them (the first, unless told otherwise) on a trial, and keys for them. */
export async function createSenders(
  store: Store,
  count: number,
  { trials = [0] }: { trials?: readonly number[] } = {},
): Promise<Omit<Sender, 'instanceId'>[]> {
  const now = Date.now();
  await createPlan(store, { name: 'load', messagesPerMinute: plenty, instanceLimit: 15 }, at(now));
  await createPlan(store, { name: 'long trial', messagesPerMinute: plenty, instanceLimit: 15, trialMessages: plenty }, at(now));
  const senders: Omit<Sender, 'instanceId'>[] = [];
  for (let n = 0; n < count; n++) {
    const trial = trials.includes(n);
    const { id: accountId } = await createAccount(store, { name: `sender ${n}`, plan: trial ? 'long trial' : 'load' }, at(now));
    const { key } = await createKey(store, accountId, { label: null }, at(now));
    senders.push({ accountId, key, trial, phoneNumber: `4917200${String(1000 + n)}` });
  }
  return senders;
}

/** Links one sandbox number for each account. */
export async function linkNumbers(client: LoadClient, accounts: readonly Omit<Sender, 'instanceId'>[]): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (const account of accounts) {
    const create = () => client.call({ path: '/v1/instances', key: account.key, body: {} });
    let created = await create();
    // Servers that have just started, on a busy machine, may still be finding out who takes a new number.
    for (let again = 0; again < 20 && created.status === 502; again++) {
      await setTimeout(500);
      created = await create();
    }
    if (created.status !== 200) throw new Error(`no instance: ${JSON.stringify(created.body)}`);
    const { instance_id: instanceId, qrcode } = created.body.data;
    const scanned = await client.call({
      path: '/sandbox/scan',
      key: account.key,
      body: { code: qrcode.code, phone_number: account.phoneNumber },
    });
    if (scanned.status !== 200) throw new Error(`no scan: ${JSON.stringify(scanned.body)}`);
    senders.push({ ...account, instanceId });
  }
  return senders;
}

/** The senders whose number is not connected within the server's own patience. */
export async function unlinkedSenders(client: LoadClient, senders: readonly Sender[]): Promise<string[]> {
  // All at once: each that is coming back takes its time.
  const found = await Promise.all(
    senders.map(async ({ instanceId, key, phoneNumber }) => {
      // A check waits for a link that is coming back, and says null of every number when it does not.
      const body = { instance_id: instanceId, numbers: ['491700000100'] };
      const checked = await client.call({ path: '/v1/numbers/check', key, body }).catch((error: unknown) => ({ body: String(error) }));
      return checked.body?.data?.results?.[0]?.reachable === true ? [] : [`${phoneNumber}: ${JSON.stringify(checked.body)}`];
    }),
  );
  return found.flat();
}
