import { databaseNow } from './postgres/leases.ts';
import type { Store } from './store.ts';

/**
 * The time (epoch milliseconds) by which all servers judge what several of them look at: PostgreSQL's. The embedded store has one server, whose clock
 * it is.
 */
export async function sharedNow({ dialect, db }: Pick<Store, 'dialect' | 'db'>, clock: { now(): number }): Promise<number> {
  if (dialect === 'sqlite') return clock.now();
  return (await db.selectNoFrom(databaseNow.as('now')).executeTakeFirstOrThrow()).now;
}
