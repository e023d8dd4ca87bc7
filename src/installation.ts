import { createHmac } from 'node:crypto';
import { newId, OperatorError } from './core/index.ts';
import type { Store } from './store/index.ts';

/** What the servers of one installation have in common. */
export interface Installation {
  /** Tells it apart from others that share a Redis server. */
  readonly id: string;
}

/**
 * The installation that the store belongs to. Throws OperatorError when its servers were started with another SECRET_KEY: what one of them
 * sealed, the other could not open.
 */
export async function joinInstallation(store: Store, secretKey: Buffer): Promise<Installation> {
  const check = secretKeyCheck(secretKey);
  const id = await keptAs(store, 'installation', newId());
  if ((await keptAs(store, secretKeyCheckName, check)) !== check) {
    throw new OperatorError("SECRET_KEY is not the one that this installation's other servers use; give every server the same one");
  }
  return { id };
}

/** Where the table `meta` has `secretKeyCheck`. */
export const secretKeyCheckName = 'secret_key_check';

/** Tells two keys apart without telling them. */
export function secretKeyCheck(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('messaging-gateway installation').digest('hex');
}

/** The value in the table `meta`; the given one when there is none yet. */
async function keptAs({ db }: Store, name: string, value: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirstOrThrow()).value;
}
