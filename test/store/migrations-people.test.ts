import { hash } from 'node:crypto';
import type { Migration } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { usableLink } from '../../src/people/index.ts';
import type { Dialect } from '../../src/store/index.ts';
import { initial } from '../../src/store/migrations/0001-initial.ts';
import { builtInPlans } from '../../src/store/migrations/0002-built-in-plans.ts';
import { restrictions } from '../../src/store/migrations/0003-restrictions.ts';
import { auditLog } from '../../src/store/migrations/0004-audit-log.ts';
import { requestLogAccount } from '../../src/store/migrations/0005-request-log-account.ts';
import { sandboxFiles } from '../../src/store/migrations/0006-sandbox-files.ts';
import { users } from '../../src/store/migrations/0007-users.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { leftBehind } from './left-behind.ts';

/** The schema of the first version that knew people. */
const withPeople = (dialect: Dialect): Record<string, Migration> => ({
  '0001-initial': initial(dialect),
  '0002-built-in-plans': builtInPlans,
  '0003-restrictions': restrictions,
  '0004-audit-log': auditLog(dialect),
  '0005-request-log-account': requestLogAccount,
  '0006-sandbox-files': sandboxFiles(dialect),
  '0007-users': users(dialect),
});

describe.each(storeKinds)('the people of an earlier version on %s', (kind) => {
  let database: TestDatabase;
  afterEach(() => database.dispose());

  it('keep their links where it is known who made them, and prove their addresses anew; who suspended an account counts as an operator', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const yes = (kind === 'sqlite' ? 1 : true) as never;
    const time = kind === 'sqlite' ? '2026-01-01T00:00:00.000Z' : new Date('2026-01-01T00:00:00Z');
    const person = (id: string) =>
      ({ id, name: id, email: `${id}@example.com`, email_verified: yes, created_at: time, updated_at: time }) as never;
    const account = { name: 'a', provider_id: 'default', operator: 0, created_at: 1 } as const;
    const link = (id: string, purpose: string, place: object) =>
      ({
        id,
        token_hash: hash('sha256', id, 'base64url'),
        purpose,
        email: 'guest@example.com',
        created_at: 1,
        expires_at: 1000,
        ...place,
      }) as never;
    const invited = (target_id: string, actor_kind: string, actor_id: string | null) =>
      ({
        at: 1,
        action: 'user.invite',
        target_kind: 'user',
        target_id,
        actor_kind,
        actor_id,
        actor_name: actor_id,
        details: '{}',
      }) as never;
    const here = { role: 'member', account_id: 'open' };
    await leftBehind(kind, database.location, withPeople(kind), async (db) => {
      await db
        .insertInto('accounts')
        .values([
          { ...account, id: 'open', status: 'active' },
          { ...account, id: 'shut', status: 'suspended' },
        ])
        .execute();
      await db
        .insertInto('users')
        .values([person('owner'), person('former')])
        .execute();
      const membership = { id: 'm', user_id: 'owner', role: 'owner', account_id: 'open', provider_id: null, created_at: 1 } as const;
      await db.insertInto('memberships').values(membership).execute();
      await db
        .insertInto('one_time_links')
        .values([
          link('by an owner', 'invitation', here),
          link('by who was one', 'invitation', here),
          link('by who is gone', 'invitation', here),
          link('by command', 'invitation', here),
          link('by nobody knows whom', 'invitation', here),
          link('to a password', 'password_reset', { email: 'owner@example.com' }),
          link('the first', 'first_operator', { email: null, role: 'operator' }),
        ])
        .execute();
      await db
        .insertInto('audit_log')
        .values([
          invited('by an owner', 'user', 'owner'),
          invited('by who was one', 'user', 'former'),
          invited('by who is gone', 'user', 'gone'),
          invited('by command', 'command_line', null),
        ])
        .execute();
    });
    const store = await database.open();
    await store.becomeServer();
    const works = (token: string) =>
      usableLink(store, token, 10).then(
        () => true,
        () => false,
      );
    expect(await Promise.all(['by an owner', 'by command', 'the first'].map(works))).toEqual([true, true, true]);
    const ended = ['by who was one', 'by who is gone', 'by nobody knows whom', 'to a password'];
    expect(await Promise.all(ended.map(works))).toEqual([false, false, false, false]);
    const people = await store.db.selectFrom('users').select('email_verified').execute();
    expect(people.map(({ email_verified }) => Boolean(email_verified))).toEqual([false, false]);
    expect(await store.db.selectFrom('accounts').select(['id', 'suspended_by']).orderBy('id').execute()).toEqual([
      { id: 'open', suspended_by: null },
      { id: 'shut', suspended_by: 'operator' },
    ]);
  });
});
