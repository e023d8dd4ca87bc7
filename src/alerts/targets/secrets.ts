import { randomBytes } from 'node:crypto';
import type { Vault } from '../../core/index.ts';
import type { SealedColumn, Store } from '../../store/index.ts';

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

/** The secrets of all webhooks. */
export const sealedOfTargets: readonly SealedColumn[] = ['secret', 'previous_secret'].map((column) => ({
  table: 'alert_targets',
  column,
  key: ['id'],
  context,
}));

function context(targetId: string): string {
  return `alert target ${targetId}`;
}
