import type { Network } from '../networks/index.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { Session } from './session.ts';

/** Notices when a network can be reached again. */
export class Outages {
  readonly #sessions: Pick<OwnSessions, 'get' | 'values'>;
  /** A number of the network that was last seen open, or about to be. Mostly it still is, and the others need not be looked through. */
  readonly #lastOpen = new Map<Network, string>();

  constructor(sessions: Pick<OwnSessions, 'get' | 'values'>) {
    this.#sessions = sessions;
  }

  /**
   * To be called when a number is back, before it counts as open. If no other number of its network is open, this process could not reach the
   * network: the others need not wait out the pauses that have grown meanwhile, up to a minute.
   */
  end(back: Session): void {
    const isOtherOpen = (session: Session | undefined) =>
      session !== undefined && session !== back && session.network === back.network && session.status === 'open';
    if (isOtherOpen(this.#sessions.get(this.#lastOpen.get(back.network) ?? ''))) return;
    this.#lastOpen.set(back.network, back.id);
    const others: Session[] = [];
    for (const session of this.#sessions.values()) {
      if (isOtherOpen(session)) return;
      if (session !== back && session.network === back.network) others.push(session);
    }
    for (const session of others) session.retrySoon();
  }
}
