import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProvider } from '../../src/accounts/index.ts';
import { Brands, updateBrand } from '../../src/branding/index.ts';
import { Conflict } from '../../src/core/index.ts';
import type { Db, Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const act = at(1_000);
const address = 'https://messages.example';

describe.each(storeKinds)('brands that are changed at once, on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let north: string;
  let south: string;
  beforeEach(async () => {
    store = await openTestStore(kind);
    north = (await createProvider(store, { name: 'North' }, act)).id;
    south = (await createProvider(store, { name: 'South' }, act)).id;
  });
  afterEach(() => store.dispose());

  /** Begins the second change while the first one has written and not ended. */
  async function meanwhile<T>(first: (trx: Db) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const changing = store.transaction(async (trx) => {
      // The holder waits longer than the gateway may on a slow machine.
      if (store.dialect === 'postgres') await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await first(trx);
      written.resolve();
      await released.promise;
    });
    await written.promise;
    const later = second();
    // The outcome is looked at below.
    later.catch(() => undefined);
    // The embedded store lets one wait for the other anyway.
    if (kind === 'postgres') await waitFor(async () => expect(await waiting()).toBe(1));
    released.resolve();
    await changing;
    return later;
  }

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select cast(count(*) as integer) as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(store.db);
    return rows[0]?.count ?? 0;
  }

  it('a text that is saved does not bring back an address that was just removed', async () => {
    await updateBrand(store, north, { base_address: address, base_confirmed: true }, act);
    await meanwhile(
      async (trx) => {
        // As a change of the brand locks it.
        await trx.updateTable('providers').set({ name: 'North' }).where('id', '=', north).execute();
        const none = { base_address: null, base_host: null, base_confirmed_at: null };
        await trx.updateTable('brands').set(none).where('provider_id', '=', north).execute();
      },
      () => updateBrand(store, north, { mail_footer: 'North Ltd' }, act),
    );
    const brand = await new Brands({ store, clock: createManualClock() }).ofProvider(north);
    expect(brand).toMatchObject({ mail_footer: 'North Ltd', base_address: null, base_confirmed: false });
  });

  it('one of two providers gets an address, and the other one a conflict', async () => {
    await updateBrand(store, south, { name: 'South' }, act);
    const second = meanwhile(
      (trx) =>
        trx
          .updateTable('brands')
          .set({ base_address: address, base_host: new URL(address).host })
          .where('provider_id', '=', south)
          .execute(),
      () => updateBrand(store, north, { base_address: address }, act),
    );
    await expect(second).rejects.toThrow(Conflict);
  });
});
