import type { Session } from './session.ts';

/**
 * To be called when a number is back, before it counts as open. If no other number of its network is open, this process could not reach the
 * network: the others need not wait out the pauses that have grown meanwhile, up to a minute.
 */
export function endOutage(back: Session, all: Iterable<Session>): void {
  const others: Session[] = [];
  for (const session of all) {
    if (session === back || session.network !== back.network) continue;
    if (session.status === 'open') return;
    others.push(session);
  }
  for (const session of others) session.retrySoon();
}
