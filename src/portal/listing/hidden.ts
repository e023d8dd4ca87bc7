import { GatewayError, type Vault } from '../../core/index.ts';

// Numbers that grow with whatever happens in the installation: readers must not learn from them how much others do.

/** The id of an entry of the audit log as people get it, always the same. */
export function hiddenId(vault: Vault, id: number): string {
  return vault.derive('audit entry', String(id)).toString('base64url', 0, 16);
}

/** A place in a log of all accounts, sealed for this reader. */
export function sealPlace(vault: Vault, reader: string, place: readonly number[]): string {
  // The length tells nothing either.
  const text = place.map((number) => String(number).padStart(16, '0')).join('.');
  return vault.seal(Buffer.from(text), reader).toString('base64url');
}

/** The place; throws invalid_request, which names the `field`, for what this reader did not get. */
export async function openPlace(vault: Vault, reader: string, text: string, field: string): Promise<number[]> {
  const sealed = Buffer.from(text, 'base64url');
  // Another server may have sealed it with a newer key.
  await vault.ready([sealed]);
  try {
    return vault.open(sealed, reader).toString().split('.').map(Number);
  } catch {
    throw new GatewayError('invalid_request', `${field} must come from an earlier page.`, { field });
  }
}
