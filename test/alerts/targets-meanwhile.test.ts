import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { updateAlerts } from '../../src/alerts/conditions/update-alerts.ts';
import { gatherNotices } from '../../src/alerts/gather.ts';
import { createTarget, listTargets, removeTarget, sealedOfTargets, updateTarget } from '../../src/alerts/index.ts';
import { confirmationToken, confirmTarget } from '../../src/alerts/targets/confirmation.ts';
import { openSecret, sealSecret } from '../../src/alerts/targets/secrets.ts';
import { removeUnconfirmed } from '../../src/alerts/targets/targets.ts';
import { createVault, newId } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { type Db, reseal, type Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { createTestDatabase, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

// The embedded store writes one after the other.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('targets that change while an alert begins, on %s', (kind) => {
  const act = at(1_000);
  const other = { kind: 'webhook', address: 'https://example.com/hook', conditions: ['access_ending'] } as const;

  it.each<[string, (store: Store, before: string, create: () => Promise<string>) => Promise<string | null>]>([
    ['a target that is made', (_, __, create) => create()],
    [
      'a target that wants it from now on',
      async (store, before) => (await updateTarget(store, before, { conditions: ['number_needs_person'] }, act)).id,
    ],
    [
      'no target that is removed',
      async (store, before) => {
        await removeTarget(store, before, act);
        return null;
      },
    ],
  ])('%s is notified of it', async (_, change) => {
    const database = await createTestDatabase(kind);
    const [store, blocking] = await Promise.all([database.open(), database.open()]);
    try {
      const vault = createVault(Buffer.alloc(32, 1));
      const accountId = (await createAccount(store, { name: 'Acme', plan: 'scale' }, act)).id;
      const create = async (conditions: readonly ['access_ending' | 'number_needs_person']) =>
        (await createTarget({ store, vault }, { ...other, of: { accountId }, conditions }, act)).target.id;
      const before = await create(['access_ending']);
      await unlinkedNumber(store, accountId);

      const { release } = await hold(blocking, (trx) => sql`lock table alerts in share mode`.execute(trx));
      const looking = updateAlerts(store, 2_000, 1_000);
      await waitFor(async () => expect(await waiting(blocking)).toBe(1));
      let changed = false;
      const changing = change(store, before, () => create(['number_needs_person'])).finally(() => {
        changed = true;
      });
      await waitFor(async () => expect(changed || (await waiting(blocking)) === 2).toBe(true));
      release();
      const target = await changing;
      await looking;
      const notices = await store.db.selectFrom('alert_notices').select(['target_id', 'phase']).execute();
      expect(notices).toEqual(target === null ? [] : [{ target_id: target, phase: 'began' }]);
    } finally {
      await Promise.all([store.close(), blocking.close()]);
      await database.dispose();
    }
  });

  /** Keeps a lock until it is released. */
  async function hold(store: Store, lock: (trx: Db) => Promise<unknown>): Promise<{ release(): void }> {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    void store.transaction(async (trx) => {
      // The holder waits longer than the gateway may on a slow machine.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await lock(trx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return { release: released.resolve };
  }

  async function waiting(store: Store): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select cast(count(*) as integer) as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(store.db);
    return rows[0]?.count ?? 0;
  }

  async function unlinkedNumber(store: Store, account_id: string): Promise<void> {
    const linked = { linked: 0, conflict: 0, phone_number: '491710000300' };
    await store.db
      .insertInto('instances')
      .values({ id: newId(), account_id, network: 'sandbox', label: null, created_at: 0, ...linked })
      .execute();
  }

  it('a beginning that is gathered while its cause ends is not sent', async () => {
    const database = await createTestDatabase(kind);
    const [store, blocking] = await Promise.all([database.open(), database.open()]);
    try {
      await createTarget(
        { store, vault: createVault(Buffer.alloc(32, 1)) },
        { ...other, of: 'all', conditions: ['number_needs_person'] },
        act,
      );
      await unlinkedNumber(store, (await createAccount(store, { name: 'Acme', plan: 'scale' }, act)).id);
      await updateAlerts(store, 2_000, 0);
      const old = { id: newId(), condition: 'server_lost', subject_id: 'one', account_id: '', provider_id: '', reason: null, until: null };
      await store.db
        .insertInto('alerts')
        .values({ ...old, began_at: 0, ended_at: 0 })
        .execute();
      await store.db.updateTable('instances').set({ linked: 1 }).execute();

      // Once it has removed the beginning it deletes old alerts.
      const { release } = await hold(blocking, (trx) =>
        trx.selectFrom('alerts').select('id').where('id', '=', old.id).forUpdate().execute(),
      );
      const later = 100 * 24 * 60 * 60_000;
      const ending = updateAlerts(store, later, 0);
      let gathering = Promise.resolve();
      try {
        await waitFor(async () => expect(await waiting(blocking)).toBe(1));
        gathering = gatherNotices(store, later, createLanguages()('en').t);
        await waitFor(async () => expect(await waiting(blocking)).toBe(2));
      } finally {
        release();
        await Promise.all([ending, gathering]);
      }
      expect(await store.db.selectFrom('alert_notices').selectAll().execute()).toEqual([]);
      expect(await store.db.selectFrom('alert_deliveries').selectAll().execute()).toEqual([]);
    } finally {
      await Promise.all([store.close(), blocking.close()]);
      await database.dispose();
    }
  });

  it('a secret that is replaced while secrets are sealed anew stays replaced [alerts.reseal]', async () => {
    const database = await createTestDatabase(kind);
    const [store, blocking] = await Promise.all([database.open(), database.open()]);
    try {
      const root = Buffer.alloc(32, 1);
      const created = await createTarget({ store, vault: createVault(root) }, { ...other, of: 'all' }, act);
      const sealing = new Map([
        [1, root],
        [2, Buffer.alloc(32, 2)],
      ]);
      const vault = createVault({ root, sealing, current: 2 });
      const { id } = created.target;
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const replacing = blocking.transaction(async (trx) => {
        // The holder waits longer than the gateway may on a slow machine.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        await trx.selectFrom('alert_targets').select('id').where('id', '=', id).forUpdate().execute();
        held.resolve();
        await released.promise;
        await trx
          .updateTable('alert_targets')
          .set({ secret: sealSecret(vault, id, 'whsec_new') })
          .where('id', '=', id)
          .execute();
      });
      await held.promise;
      const resealing = reseal(store, vault, sealedOfTargets);
      try {
        await waitFor(async () => expect(await waiting(blocking)).toBe(1));
      } finally {
        released.resolve();
        await Promise.all([replacing, resealing]);
      }
      const { secret } = await store.db.selectFrom('alert_targets').select('secret').where('id', '=', id).executeTakeFirstOrThrow();
      expect(openSecret(vault, id, secret ?? Buffer.alloc(0))).toBe('whsec_new');
    } finally {
      await Promise.all([store.close(), blocking.close()]);
      await database.dispose();
    }
  });
});

it.each(storeKinds)('an address that confirms while it is removed is not told so, unless it stays: on %s', async (kind) => {
  const database = await createTestDatabase(kind);
  const store = await database.open();
  const vault = createVault(Buffer.alloc(32, 1));
  const act = at(1_000);
  /** The store, to which something else is done before what is written. */
  const after = (first: () => Promise<unknown>): Store => ({
    ...store,
    async transaction(work) {
      await first();
      return store.transaction(work);
    },
  });
  try {
    const accountId = (await createAccount(store, { name: 'Acme', plan: 'scale' }, act)).id;
    const asked = { of: { accountId }, kind: 'mail', address: 'ops@example.com', conditions: ['access_ending'] } as const;
    const { target } = await createTarget({ store, vault }, asked, act);
    const until = target.confirm_by ?? 0;
    const confirm = (within = store) => confirmTarget({ store: within, vault }, confirmationToken(vault, target), until - 1);
    await removeUnconfirmed(after(confirm), until + 1);
    expect(await listTargets(store)).toMatchObject([{ id: target.id, confirm_by: null }]);
    expect(await confirm()).toMatchObject({ confirmBy: null });
    expect(await confirm(after(() => removeTarget(store, target.id, act)))).toBeNull();
  } finally {
    await store.close();
    await database.dispose();
  }
});
