import { randomBytes } from 'node:crypto';
import type { Vault } from '../../core/index.ts';
import type { AlertTargetRow, SealedColumn, Store } from '../../store/index.ts';

/** So many replaced secrets sign at most: each makes a header longer. */
const mostReplaced = 9;

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

type SecretsOfTarget = Pick<AlertTargetRow, 'id' | 'secret' | 'previous_secret' | 'previous_until'>;

/** The present secret and, while they count, those before it; newest first. */
export function signingSecrets(vault: Vault, { id, secret, previous_secret, previous_until }: SecretsOfTarget, now: number): string[] {
  const previous = previous_until !== null && previous_until > now ? previous_secret : null;
  return [secret, previous].flatMap((sealed) => (sealed === null ? [] : openSecret(vault, id, sealed).split(' ')));
}

/**
 * What signs now, as the previous secret of a new one: the receiver may still have any of them, since an answer with a new secret may be lost. null: no
 * key opens them, because the secret key was lost.
 */
export function sealReplaced(vault: Vault, target: SecretsOfTarget, now: number): Buffer | null {
  let secrets: string[];
  try {
    secrets = signingSecrets(vault, target, now);
  } catch {
    return null;
  }
  return sealSecret(vault, target.id, secrets.slice(0, mostReplaced).join(' '));
}

/** Lets the vault read the key that sealed these secrets, if another server made it since the last look. */
export async function secretsReady(vault: Vault, { secret, previous_secret }: SecretsOfTarget): Promise<void> {
  await vault.ready([secret, previous_secret].filter((sealed) => sealed !== null));
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
