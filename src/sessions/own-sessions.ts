import type { Session } from './session.ts';

/** The sessions of this process, by their ids and by account. */
export class OwnSessions {
  readonly #byId = new Map<string, Session>();
  /** Oldest first, because lists are requested often and change rarely. */
  readonly #byAccount = new Map<string, Session[]>();

  get size(): number {
    return this.#byId.size;
  }

  /** In no particular order. */
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
function insertByAge(sessions: Session[], session: Session): void {
  const isYounger = (other: Session) =>
    other.createdAt > session.createdAt || (other.createdAt === session.createdAt && other.id > session.id);
  let place = sessions.length;
  for (let before = sessions[place - 1]; before !== undefined && isYounger(before); before = sessions[place - 1]) place--;
  sessions.splice(place, 0, session);
}
