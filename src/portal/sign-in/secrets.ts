import type { SecretConfig } from 'better-auth';
import type { Vault } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';

const purpose = 'portal sign-in';

/**
 * What better-auth signs cookies and encrypts two-factor secrets with. When SECRET_KEY is replaced it gets another secret, so people sign in
 * again; it can still decrypt what it encrypted with the earlier ones.
 */
export function secretsOf(vault: Vault): { secret: string; secrets?: { version: number; value: string }[] } {
  const secret = vault.derive(purpose).toString('base64url');
  const newer = vault.replacements(purpose);
  return newer.length === 0
    ? { secret }
    : { secret, secrets: newer.map((one) => ({ version: one.number, value: one.secret.toString('base64url') })) };
}

/** Encrypts two-factor secrets and backup codes with the present secret, as far as an earlier one did; of how many people, and how many of them no secret decrypts. */
export async function resealTwoFactors(store: Store, vault: Vault): Promise<{ resealed: number; unreadable: number }> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const { secret, secrets = [] } = secretsOf(vault);
  const [present] = secrets;
  if (present === undefined) return { resealed: 0, unreadable: 0 };
  const key: SecretConfig = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: present.version,
    legacySecret: secret,
  };
  const again = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  const isPresent = (text: string) => text.startsWith(`$ba$${present.version}$`);
  let resealed = 0;
  let unreadable = 0;
  for (const row of await store.db.selectFrom('user_two_factors').select(['id', 'secret', 'backup_codes']).execute()) {
    if (isPresent(row.secret) && isPresent(row.backup_codes)) continue;
    let after: { secret: string; backup_codes: string };
    try {
      after = { secret: await again(row.secret), backup_codes: await again(row.backup_codes) };
    } catch {
      // It stays as it is: no key decrypts it, neither the old nor the new one.
      unreadable++;
      continue;
    }
    const same = store.db.updateTable('user_two_factors').set(after).where('id', '=', row.id);
    // A code that was used meanwhile must not come back.
    await same.where('secret', '=', row.secret).where('backup_codes', '=', row.backup_codes).execute();
    resealed++;
  }
  return { resealed, unreadable };
}
