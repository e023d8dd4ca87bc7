import type { Kysely } from 'kysely';
import { newId } from '../../core/index.ts';

interface Tables {
  providers: { id: string; name: string; status: string; number_capacity: number | null; created_at: number };
  plans: {
    id: string;
    name: string;
    messages_per_minute: number;
    instance_limit: number;
    trial_message_limit: number | null;
    created_at: number;
  };
}

/** What an empty database begins with (decisions §8); the operator edits it. */
export const builtInPlans = {
  async up(untyped: Kysely<unknown>): Promise<void> {
    const db = untyped as Kysely<Tables>;
    const created_at = Date.now();
    await db
      .insertInto('providers')
      .values({ id: 'default', name: 'default', status: 'active', number_capacity: null, created_at })
      .execute();
    const plan = (name: string, messages_per_minute: number, instance_limit: number, trial_message_limit: number | null) => ({
      id: newId(),
      name,
      messages_per_minute,
      instance_limit,
      trial_message_limit,
      created_at,
    });
    await db
      .insertInto('plans')
      .values([plan('trial', 30, 1, 100), plan('starter', 60, 3, null), plan('business', 300, 25, null), plan('scale', 1200, 200, null)])
      .execute();
  },
};
