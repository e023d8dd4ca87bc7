import type { Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { credentialContext, sentMessageContext } from './credentials.ts';
import { proxyContext } from './proxies.ts';
import { credentialsOfOtherKeys, instancesWithProxy, replaceCredential, replaceProxy, replaceSent, sentOfOtherKeys } from './queries.ts';

/** How many values are replaced at a time. */
const most = 200;

/** How many values were replaced, and how many no key opens. */
interface Resealed {
  readonly resealed: number;
  readonly unreadable: number;
}

/**
 * Seals everything that belongs to numbers with the vault's present key, as far as another one has sealed it: credentials, kept messages,
 * proxies. Servers may run; what they write meanwhile is not touched.
 */
export async function resealNumbers(store: Store, vault: Vault): Promise<Resealed> {
  const replacing = new Replacing(store, vault);
  let lastRecord: { instance_id: string; name: string } | null = null;
  for (let full = true; full; ) {
    const rows = await credentialsOfOtherKeys(store.db, vault.current, lastRecord, most);
    await replacing.replace(rows, (row) => credentialContext(row.instance_id, row.name), replaceCredential);
    lastRecord = rows.at(-1) ?? lastRecord;
    full = rows.length === most;
  }
  let lastSent = -1;
  for (let full = true; full; ) {
    const rows = await sentOfOtherKeys(store.db, vault.current, lastSent, most);
    await replacing.replace(rows, (row) => sentMessageContext(row.instance_id, row.message_id), replaceSent);
    lastSent = rows.at(-1)?.id ?? lastSent;
    full = rows.length === most;
  }
  const proxies = (await instancesWithProxy(store.db)).flatMap(({ id, proxy }) => (proxy === null ? [] : [{ id, proxy, sealed: proxy }]));
  const old = proxies.filter(({ sealed }) => sealed[0] !== vault.current);
  await replacing.replace(old, ({ id }) => proxyContext(id), replaceProxy);
  return replacing.done;
}

class Replacing {
  readonly #store: Store;
  readonly #vault: Vault;
  #resealed = 0;
  #unreadable = 0;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  get done(): Resealed {
    return { resealed: this.#resealed, unreadable: this.#unreadable };
  }

  async replace<Row extends { readonly sealed: Buffer }>(
    rows: readonly Row[],
    context: (row: Row) => string,
    write: (db: Store['db'], row: Row, by: Buffer) => Promise<void>,
  ): Promise<void> {
    if (rows.length === 0) return;
    const writeAll = async (db: Store['db']) => {
      for (const row of rows) {
        const plain = this.#opened(row.sealed, context(row));
        if (plain !== null) await write(db, row, this.#vault.seal(plain, context(row)));
      }
    };
    // The embedded store waits for the disk once for all of them. On PostgreSQL nobody may wait for a row behind a row that is waited for.
    if (this.#store.dialect === 'sqlite') await this.#store.transaction(writeAll);
    else await writeAll(this.#store.db);
  }

  #opened(sealed: Buffer, context: string): Buffer | null {
    try {
      const plain = this.#vault.open(sealed, context);
      this.#resealed++;
      return plain;
    } catch {
      // It stays as it is: no key decrypts it, neither the old nor the new one.
      this.#unreadable++;
      return null;
    }
  }
}
