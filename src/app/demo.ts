import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addInstance, createAccount, createKey, demoAccountId, insertDemoAccountId, listKeys, revokeKey } from '../accounts/index.ts';
import type { Act, Actor } from '../audit/index.ts';
import { type Clock, hashApiKey, newId, OperatorError } from '../core/index.ts';
import type { App } from './start.ts';

const keyLabel = 'demo';
const ownNumber = '15550100';
const contact = '15550123';
const actor: Actor = { kind: 'system' };

/** What a newcomer needs for a first message. */
export interface Demo {
  readonly accountId: string;
  readonly key: string;
  readonly instanceId: string;
}

/**
 * Makes (or finds again) the demo account with its key and a paired sandbox number. Throws OperatorError when the sandbox is not enabled,
 * or the key's file cannot be written.
 */
export async function prepareDemo(app: App, clock: Clock): Promise<Demo> {
  const { store, sessions, sandbox } = app;
  if (sandbox === null) throw new OperatorError('the demo needs the sandbox network: add sandbox to NETWORKS, or start with gateway serve');
  const act: Act = { actor, now: clock.now() };
  const known = await demoAccountId(store.db);
  const accountId = known ?? (await createAccount(store, { name: 'demo', plan: 'business' }, act)).id;
  if (known === null) await insertDemoAccountId(store.db, accountId);
  const key = (await keptKey(app, accountId)) ?? (await makeKey(app, accountId, act));

  let session = sessions.ofAccount(accountId).find((one) => one.network.name === 'sandbox');
  session ??=
    (await sessions.add(await addInstance(store, { accountId, id: newId(), network: 'sandbox', label: 'demo number' }, act))) ?? undefined;
  if (session === undefined) throw new Error('the enabled sandbox network has no driver');
  if (!session.linked) {
    await session.pair(2000, actor);
    const code = session.attempt?.code;
    if (code != null) await sandbox.scan(accountId, code, ownNumber);
    // The phone knows first; the line to paste works at once.
    await session.settled();
  }
  return { accountId, key, instanceId: session.id };
}

const keyFile = ({ dataDir }: App['config']) => join(dataDir, 'demo.key');

/** The demo's key of an earlier start, so that a line pasted then still works; null when there is none that may be used. */
async function keptKey({ store, config }: App, accountId: string): Promise<string | null> {
  let key: string;
  try {
    key = readFileSync(keyFile(config), 'utf8').trim();
  } catch {
    // Missing or not readable: the next one takes its place.
    return null;
  }
  const live = store.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('revoked_at', 'is', null);
  return (await live.where('hash', '=', hashApiKey(key)).executeTakeFirst()) === undefined ? null : key;
}

/**
 * A new key in its file, readable by its owner only: the store holds nothing but the hashes of keys. Demo keys whose file is lost are of no
 * use to anybody, so those that were never used are revoked.
 */
async function makeKey({ store, config }: App, accountId: string, act: Act): Promise<string> {
  for (const key of await listKeys(store, accountId)) {
    if (key.label === keyLabel && key.last_used_at === null && key.revoked_at === null) await revokeKey(store, key.id, act);
  }
  const { key } = await createKey(store, accountId, { label: keyLabel }, act);
  const file = keyFile(config);
  try {
    // Removed first, because a file that is there would keep its permissions.
    rmSync(file, { force: true });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
  } catch (error) {
    throw new OperatorError(`cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
  return key;
}

/** The one-time link with which the first operator makes their sign-in, shown until there is one. */
export function invitation(link: string | null): string {
  return link === null ? '' : `Set up your sign-in at the portal (works once, for 24 hours): ${link}\n`;
}

/** What `npm start` prints: where things are, and two commands that work when pasted. `link` is the first operator's. */
export function welcome(address: string, { accountId, key, instanceId }: Demo, link: string | null): string {
  const body = JSON.stringify({ instance_id: instanceId, to: contact, text: 'Hello from my gateway' });
  return `
The gateway is running.

  Portal        ${link ?? address}${link === null ? '' : ' (sets up your sign-in; works once, for 24 hours)'}
  Address       ${address}
  Docs          ${address}/docs
  API key       ${key}
  Number        ${instanceId} (sandbox, linked: nothing reaches a real phone)
  Account       ${accountId}

Send a first message (pasted again it stays one message, because its idempotency key is the same):

  curl -s ${address}/v1/messages/text -H 'apikey: ${key}' -H 'idempotency-key: first:${instanceId}' -H 'content-type: application/json' -d '${body}'

See it arrive at the sandbox contact:

  curl -s '${address}/sandbox/messages?to=${contact}' -H 'apikey: ${key}'

To link a phone of your own and send over WhatsApp: docs/whatsapp.md

The key is the same at the next start (it is kept in demo.key in the data folder); more keys: npm run --silent gateway -- key create --account ${accountId}
Stop with Ctrl-C.

`;
}
