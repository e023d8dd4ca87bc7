import { type Act, recordAudit } from '../audit/index.ts';
import { OperatorError, shownProxy, type Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { instancesWithProxy, lockInstance, updateInstance } from './queries.ts';

/** What the proxy of a number is sealed for. */
export const proxyContext = (instanceId: string) => `proxy ${instanceId}`;

/** In place of a proxy whose address cannot be decrypted. Its number must not connect without it. */
export const unreadableProxy = 'unreadable:';

/**
 * Sets the proxy of a number; null removes it. `address` is a result of `readProxyAddress`. A running server reconnects the number within a second or
 * two. Throws OperatorError when there is no such instance.
 */
export async function setProxy(
  { store, vault }: { store: Store; vault: Vault },
  id: string,
  address: string | null,
  act: Act,
): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await lockInstance(trx, store.dialect, id);
    if (row === undefined) throw new OperatorError(`there is no number "${id}"`);
    const from = row.proxy === null ? null : shownIfReadable(openProxy(vault, id, row.proxy));
    await updateInstance(trx, id, { proxy: address === null ? null : vault.seal(Buffer.from(address), proxyContext(id)) });
    const details = { proxy: { from, to: address === null ? null : shownProxy(address) } };
    await recordAudit(trx, act, { action: 'number.proxy', targetId: id, accountId: row.account_id, details });
  });
}

/** The number's proxy as it may be shown; null when it has none. */
export function storedProxy(vault: Vault, { id, proxy }: { readonly id: string; readonly proxy: Buffer | null }): string | null {
  return proxy === null ? null : shownIfReadable(openProxy(vault, id, proxy));
}

/** All proxies, by instance. */
export async function readProxies(store: Store, vault: Vault): Promise<Map<string, string>> {
  const rows = await instancesWithProxy(store.db);
  await vault.ready(rows.flatMap(({ proxy }) => proxy ?? []));
  return new Map(rows.flatMap(({ id, proxy }) => (proxy === null ? [] : [[id, openProxy(vault, id, proxy)] as const])));
}

function openProxy(vault: Vault, id: string, sealed: Buffer): string {
  try {
    return vault.open(sealed, proxyContext(id)).toString('utf8');
  } catch {
    return unreadableProxy;
  }
}

/** An address as it may be shown. */
export function shownIfReadable(address: string): string {
  return address === unreadableProxy ? 'unreadable' : shownProxy(address);
}
