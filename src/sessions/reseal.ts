import type { Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { credentialContext, sentMessageContext } from './credentials.ts';
import { proxyContext } from './proxies.ts';
import { credentialsOfOtherKeys, instancesWithProxy, replaceCredential, replaceProxy, replaceSent, sentOfOtherKeys } from './queries.ts';

/** How many values are replaced at a time. */
const most = 200;

/**
 * Seals everything that belongs to numbers with the vault's present key, as far as another one has sealed it: credentials, kept messages,
 * proxies. Servers may run; what they write meanwhile is not touched. Resolves to how many values were replaced, and how many no key opens.
 */
export async function resealNumbers(store: Store, vault: Vault): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  const done = { resealed: 0, unreadable: 0 };

  function opened(sealed: Buffer, context: string): Buffer | null {
    try {
      const plain = vault.open(sealed, context);
      done.resealed++;
      return plain;
    } catch {
      // It stays as it is: no key decrypts it, neither the old nor the new one.
      done.unreadable++;
      return null;
    }
  }

  /** `read` gives the rows after the last one. */
  async function replace<Row extends { readonly sealed: Buffer }>(
    read: (last: Row | undefined) => Promise<readonly Row[]>,
    context: (row: Row) => string,
    write: (db: Store['db'], row: Row, by: Buffer) => Promise<void>,
  ): Promise<void> {
    for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) {
      const writeAll = async (db: Store['db']) => {
        for (const row of rows) {
          const plain = opened(row.sealed, context(row));
          if (plain !== null) await write(db, row, vault.seal(plain, context(row)));
        }
      };
      // The embedded store waits for the disk once for all of them. On PostgreSQL nobody may wait for a row behind a row that is waited for.
      if (store.dialect === 'sqlite') await store.transaction(writeAll);
      else await writeAll(store.db);
    }
  }

  const key = vault.current;
  await replace(
    (last?: Awaited<ReturnType<typeof credentialsOfOtherKeys>>[number]) => credentialsOfOtherKeys(store.db, key, last ?? null, most),
    (row) => credentialContext(row.instance_id, row.name),
    replaceCredential,
  );
  await replace(
    (last?: Awaited<ReturnType<typeof sentOfOtherKeys>>[number]) => sentOfOtherKeys(store.db, key, last?.id ?? -1, most),
    (row) => sentMessageContext(row.instance_id, row.message_id),
    replaceSent,
  );
  const proxies = (await instancesWithProxy(store.db)).flatMap(({ id, proxy }) => (proxy === null ? [] : [{ id, sealed: proxy }]));
  const old = proxies.filter(({ sealed }) => sealed[0] !== key);
  await replace(
    async (last?: (typeof old)[number]) => (last === undefined ? old : []),
    ({ id }) => proxyContext(id),
    (db, { id, sealed }, by) => replaceProxy(db, { id, proxy: sealed }, by),
  );
  return done;
}
