import type { AuthenticationCreds, WASocket } from 'baileys';

/** What the network has told about the account itself. Kept with its credentials, encrypted like them. */
export interface AccountFacts {
  /** Whether the account is addressed by LID; null while nothing is known. */
  readonly migrated: boolean | null;
  /** The key of client-signed tokens; null while there is none. */
  readonly salt: Uint8Array | null;
}

/** The facts, from where the library leaves room for its user. */
export function accountFacts({ additionalData }: Pick<AuthenticationCreds, 'additionalData'>): AccountFacts {
  const stored: { readonly migrated?: unknown; readonly salt?: unknown } =
    typeof additionalData === 'object' && additionalData !== null ? additionalData : {};
  return {
    migrated: typeof stored.migrated === 'boolean' ? stored.migrated : null,
    salt: stored.salt instanceof Uint8Array ? stored.salt : null,
  };
}

/** Takes over what the network said when the number was linked, where nothing later is known. */
export function beginWith(creds: AuthenticationCreds, lidMigrated: boolean | null): void {
  if (lidMigrated !== null && accountFacts(creds).migrated === null)
    creds.additionalData = { ...creds.additionalData, migrated: lidMigrated };
}

/** Changes some of the facts; they are stored as any change of the credentials is. */
export function learnFacts({ ev, authState }: Pick<WASocket, 'ev' | 'authState'>, facts: Partial<AccountFacts>): void {
  ev.emit('creds.update', { additionalData: { ...authState.creds.additionalData, ...facts } });
}
