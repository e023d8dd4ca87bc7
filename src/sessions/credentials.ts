import type { Act } from '../audit/index.ts';
import { type Clock, StoreUnavailable, type Vault } from '../core/index.ts';
import type { CredentialStore } from '../networks/index.ts';
import { checkLease, type Lease, type Store } from '../store/index.ts';
import { type OwnedInstance, unlinkInstance } from './instance-changes.ts';
import { anyCredential, credentialNames, readCredentials, readSent } from './queries.ts';

/** How long after it was asked the answer may come that a number is this server's own: its right to it lasts longer (ownership.ts). */
const believedMs = 3_000;

/** An instance of this server's, and what its credentials are written under. */
interface CredentialOwner extends OwnedInstance {
  /** Who is disconnecting the number right now; null otherwise. */
  readonly disconnection: Act | null;
  /** Is given every write, which rejects with OwnershipLost when another server owns the number. */
  orLose<T>(write: Promise<T>): Promise<T>;
}

/** The credentials of one instance, encrypted by the vault: a stolen database alone cannot be used to connect. */
export function createCredentialStore(
  { store, vault, clock }: { store: Store; vault: Vault; clock: Clock },
  owner: CredentialOwner,
): CredentialStore {
  const { id: instanceId, lease } = owner;
  const context = (name: string) => credentialContext(instanceId, name);
  const sentContext = (messageId: string) => sentMessageContext(instanceId, messageId);
  return {
    names: (after) => credentialNames(store.db, instanceId, after),
    read: async (names) => opened(await readCredentials(store.db, instanceId, names), context),
    async write(records, sent = new Map()) {
      const sealed = new Map<string, Buffer | null>();
      for (const [name, value] of records) sealed.set(name, value === null ? null : vault.seal(value, context(name)));
      const at = clock.now();
      const messages = [...sent].map(([messageId, content]) => ({ messageId, sealed: vault.seal(content, sentContext(messageId)), at }));
      await owner.orLose(store.hot.keep({ instanceId, lease, records: sealed, sent: messages }));
    },
    recall: async (messageIds) => opened(await readSent(store.db, instanceId, messageIds), sentContext),
    mayLogIn: lease === null ? null : () => mayLogIn(lease),
    forget: (messageIds) => store.hot.forgetSent({ instanceId, messageIds }),
    clear: () => owner.orLose(unlinkInstance(store, owner, owner.disconnection)),
  };

  async function opened(rows: readonly { name: string; sealed: Buffer }[], contextOf: (name: string) => string) {
    await vault.ready(rows.map(({ sealed }) => sealed));
    return new Map(rows.map(({ name, sealed }) => [name, vault.open(sealed, contextOf(name))]));
  }

  async function mayLogIn(held: Lease): Promise<void> {
    const askedAt = clock.monotonic();
    await owner.orLose(checkLease(store.db, instanceId, held));
    // In a process that was halted the answer may come before it notices that its time is over.
    if (clock.monotonic() - askedAt > believedMs) throw new StoreUnavailable('whether the number may be connected was answered too late');
  }
}

/** What a record is sealed for. Its name is part of it, so that two records of one instance cannot be swapped. */
export function credentialContext(instanceId: string, name: string): string {
  return `credentials ${instanceId} ${name}`;
}

/** What the copy of a sent message is sealed for. */
export function sentMessageContext(instanceId: string, messageId: string): string {
  return `sent message ${instanceId} ${messageId}`;
}

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
