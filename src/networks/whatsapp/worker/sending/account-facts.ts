import type { AuthenticationCreds, WASocket } from 'baileys';

/** What the network has sent about the account itself. Kept with its credentials and encrypted like them. */
export interface AccountFacts {
  /** Whether the account is addressed by LID; null when unknown. */
  readonly migrated: boolean | null;
  /** The nct salt, which is the key of cstokens; null when unknown. */
  readonly salt: Uint8Array | null;
  /** The version of its collection of the app state up to which the nct salt was read; 0 if never. */
  readonly settingsVersion: number;
  /** The same for the account's own name. */
  readonly nameVersion: number;
}

/** Reads the facts from `additionalData`, which the library leaves to its user. */
export function accountFacts({ additionalData }: Pick<AuthenticationCreds, 'additionalData'>): AccountFacts {
  const stored: { readonly [Fact in keyof AccountFacts]?: unknown } =
    typeof additionalData === 'object' && additionalData !== null ? additionalData : {};
  return {
    migrated: typeof stored.migrated === 'boolean' ? stored.migrated : null,
    salt: stored.salt instanceof Uint8Array ? stored.salt : null,
    settingsVersion: typeof stored.settingsVersion === 'number' ? stored.settingsVersion : 0,
    nameVersion: typeof stored.nameVersion === 'number' ? stored.nameVersion : 0,
  };
}

/** Changes some of the facts. They are stored like any change of the credentials. */
export function changeFacts({ ev, authState }: Pick<WASocket, 'ev' | 'authState'>, facts: Partial<AccountFacts>): void {
  ev.emit('creds.update', { additionalData: { ...authState.creds.additionalData, ...facts } });
}
