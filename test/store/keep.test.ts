import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import type { Lease, Store } from '../../src/store/index.ts';
import { storeKinds } from '../support/stores.ts';
import { openSeeded, type Seeded, seed } from './seed.ts';

describe.each(storeKinds)('keeping credentials on %s', (kind) => {
  let store: Store;
  let account: Seeded;
  beforeEach(async () => {
    ({ store, account } = await openSeeded(kind));
  });

  const keep = (instanceId: string, records: Record<string, string | null>, lease: Lease | null = null) =>
    store.hot.keep({
      instanceId,
      lease,
      records: new Map(Object.entries(records).map(([name, text]) => [name, text === null ? null : Buffer.from(text)])),
    });
  const kept = async (instanceId: string) => {
    const rows = await store.db.selectFrom('credentials').select(['name', 'sealed']).where('instance_id', '=', instanceId).execute();
    return Object.fromEntries(rows.map(({ name, sealed }) => [name, sealed.toString()]));
  };

  it('writes, replaces and deletes records', async () => {
    await keep(account.instanceId, { a: '1', b: '2', c: '\0\\"{}' });
    await keep(account.instanceId, { a: '3', b: null, absent: null });
    expect(await kept(account.instanceId)).toEqual({ a: '3', c: '\0\\"{}' });
  });

  it('keeps the last of several writes of one tick, in the order of the calls', async () => {
    const calls = [{ a: '1', b: '1' }, { a: '2', b: null }, { a: '3', c: '1' }, { c: null }];
    await Promise.all(calls.map((records) => keep(account.instanceId, records)));
    expect(await kept(account.instanceId)).toEqual({ a: '3' });
  });

  it('marks the instance as linked, and not as logged in since', async () => {
    const marks = () => store.db.selectFrom('instances').select(['linked', 'linked_at']).executeTakeFirstOrThrow();
    await store.db.updateTable('instances').set({ linked: 0, linked_at: 1 }).where('id', '=', account.instanceId).execute();
    await keep(account.instanceId, { creds: 'x' });
    expect(await marks()).toEqual({ linked: 1, linked_at: null });
    await store.db.updateTable('instances').set({ linked_at: 2 }).where('id', '=', account.instanceId).execute();
    await keep(account.instanceId, { creds: 'y' });
    expect(await marks()).toEqual({ linked: 1, linked_at: 2 });
  });

  it('fails the write of an instance that is gone alone, and leaves nothing of it', async () => {
    const other = await seed(store);
    const calls = [account.instanceId, newId(), other.instanceId].map((id) => keep(id, { a: '1', b: null }));
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await kept(account.instanceId)).toEqual({ a: '1' });
    expect(await kept(other.instanceId)).toEqual({ a: '1' });
    expect(await store.db.selectFrom('credentials').selectAll().execute()).toHaveLength(2);
  });
});
