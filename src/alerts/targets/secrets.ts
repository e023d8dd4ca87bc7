import { randomBytes } from 'node:crypto';
import type { Vault } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { exchangeSecret, selectTarget, selectTargets } from './queries.ts';

/** Where secrets are stored, and what opens them. */
export interface Secrets {
  readonly store: Store;
  readonly vault: Vault;
}

/** A new secret in the spelling of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The secret as it is stored, bound to its target. */
export function sealSecret(vault: Vault, targetId: string, secret: string): Buffer {
  return vault.seal(Buffer.from(secret), context(targetId));
}

export function openSecret(vault: Vault, targetId: string, sealed: Buffer): string {
  return vault.open(sealed, context(targetId)).toString();
}

/**
 * Seals the secrets of all webhooks with the vault's present key, as far as another one has sealed them. Servers may run: a secret that is replaced
 * meanwhile stays as it was replaced.
 */
export async function resealTargets(store: Store, vault: Vault): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  let resealed = 0;
  let unreadable = 0;
  for (const { id } of await selectTargets(store.db)) {
    for (const column of ['secret', 'previous_secret'] as const) {
      for (;;) {
        const sealed = (await selectTarget(store.db, id))?.[column] ?? null;
        if (sealed === null || sealed[0] === vault.current) break;
        let by: Buffer;
        try {
          by = sealSecret(vault, id, openSecret(vault, id, sealed));
        } catch {
          // It stays as it is: no key decrypts it, neither the old nor the new one.
          unreadable++;
          break;
        }
        if (await exchangeSecret(store.db, id, { column, sealed, by })) resealed++;
      }
    }
  }
  return { resealed, unreadable };
}

function context(targetId: string): string {
  return `alert target ${targetId}`;
}
