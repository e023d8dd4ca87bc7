import type { Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { credentialContext } from './credentials.ts';
import { anyCredential } from './queries.ts';

/** Whether the vault opens the credentials of linked numbers; null when no number is linked. Looks at one of them: all have one key. `vault` null opens none. */
export async function opensCredentials(db: Store['db'], vault: Vault | null): Promise<boolean | null> {
  const found = await anyCredential(db);
  if (found === undefined) return null;
  if (vault === null) return false;
  try {
    vault.open(found.sealed, credentialContext(found.instance_id, found.name));
    return true;
  } catch {
    return false;
  }
}
