import { systemClock, type Vault } from '../../src/core/index.ts';
import { decodeBlock } from '../../src/networks/whatsapp/worker/library/pre-key-blocks.ts';
import { decodeRecord } from '../../src/networks/whatsapp/worker/library/record-encoding.ts';
import { createCredentialStore } from '../../src/sessions/credentials.ts';
import type { Store } from '../../src/store/index.ts';
import type { Secrets } from '../support/secrets.ts';

/** Shorter values are counters and settings. */
const shortestKey = 16;
const base64 = /^(?:[A-Za-z0-9+/]{4}){5,}[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/](?:=|[A-Za-z0-9+/]))$/;

/** What reading needs nothing of. */
const unused = { lease: null, disconnection: null, orLose: <T>(write: Promise<T>) => write };

/** Has everything looked for that the store keeps of linked numbers: each whole record, and each key within it, whatever it is wrapped in. */
export async function addStoredCredentials(secrets: Secrets, store: Store, vault: Vault): Promise<void> {
  const rows = await store.db.selectFrom('credentials').select(['instance_id', 'name']).execute();
  for (const { instance_id, name } of rows) {
    const credentials = createCredentialStore({ store, vault, clock: systemClock }, { id: instance_id, ...unused });
    const record = (await credentials.read([name])).get(name);
    if (record === undefined) continue;
    if (record.length >= shortestKey) secrets.addBytes(`record ${name}`, record);
    const value = decodeRecord(record);
    if (!name.startsWith('pre-key:')) addWithin(secrets, name, value);
    else for (const [id, pair] of decodeBlock(value as Uint8Array)) addWithin(secrets, `one-time key ${id}`, pair);
  }
}

function addWithin(secrets: Secrets, name: string, value: unknown): void {
  if (value instanceof Uint8Array) {
    if (value.length >= shortestKey) secrets.addBytes(name, value);
  } else if (typeof value === 'string') {
    if (base64.test(value)) secrets.addBytes(name, Buffer.from(value, 'base64'));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      // Sessions and chains are kept under a public key that changes with every turn of the conversation.
      if (base64.test(key)) addWithin(secrets, `${name}.key`, key);
      addWithin(secrets, `${name}.${base64.test(key) ? '…' : key}`, inner);
    }
  }
}
