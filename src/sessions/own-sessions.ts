import type { Network } from '../networks/index.ts';
import type { Status } from './connection-state.ts';

/** A session among the others of its process. */
interface Sibling {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  readonly network: Network;
  readonly status: Status;
  readonly linked: boolean;
  readonly phoneNumber: string | null;
  readonly attempt: object | null;
  readonly firstLogin: boolean;
  retrySoon(): void;
}

/** The sessions of this process, by their ids and by account. */
export class OwnSessions<Session extends Sibling = Sibling> {
  readonly #byId = new Map<string, Session>();
  /** Oldest first, because lists are requested often and change rarely. */
  readonly #byAccount = new Map<string, Session[]>();

  get size(): number {
    return this.#byId.size;
  }

  values(): MapIterator<Session> {
    return this.#byId.values();
  }

  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The account's sessions, oldest first. */
  ofAccount(accountId: string): readonly Session[] {
    return this.#byAccount.get(accountId) ?? [];
  }

  /** Whether another instance of the account is linked with this phone number here. One that is still to log in for the first time does not count. */
  isLinked(phoneNumber: string, { id, accountId }: { readonly id: string; readonly accountId: string }): boolean {
    return this.ofAccount(accountId).some(
      (other) => other.id !== id && other.linked && other.phoneNumber === phoneNumber && other.attempt === null && !other.firstLogin,
    );
  }

  add(session: Session): void {
    this.#byId.set(session.id, session);
    const ofAccount = this.#byAccount.get(session.accountId);
    if (ofAccount === undefined) this.#byAccount.set(session.accountId, [session]);
    else insertByAge(ofAccount, session);
  }

  /** False when it is not there, or another one in its place. */
  remove(session: Session): boolean {
    if (this.#byId.get(session.id) !== session) return false;
    this.#byId.delete(session.id);
    const others = this.ofAccount(session.accountId).filter((other) => other !== session);
    if (others.length > 0) this.#byAccount.set(session.accountId, others);
    else this.#byAccount.delete(session.accountId);
    return true;
  }
}

/** Inserts by age: instances created at the same time are added in the order in which their transactions end. */
function insertByAge<Session extends Sibling>(sessions: Session[], session: Session): void {
  const isOlder = (other: Session) =>
    other.createdAt < session.createdAt || (other.createdAt === session.createdAt && other.id <= session.id);
  sessions.splice(sessions.findLastIndex(isOlder) + 1, 0, session);
}
