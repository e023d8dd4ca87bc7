import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createKey, createPassingKey, listKeys, revokeKey } from '../../src/accounts/index.ts';
import { hashApiKey, OperatorError } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const now = Date.UTC(2026, 5, 1);

describe.each(storeKinds)('keys on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  const admission = (key: string, at = now) => store.hot.admit({ keyHash: hashApiKey(key), now: at });

  test('a key works at once, is stored as a hash only, and dies with its revocation [key.hash key.format]', async () => {
    const { id } = await createAccount(store, { name: 'a' }, at(now));
    const made = await createKey(store, id, { label: ' shop ' }, at(now));
    expect(made.key).toMatch(/^mgw_[a-z0-9]{8}_[a-z0-9]{40}$/);
    expect(made).toMatchObject({ account_id: id, label: 'shop', prefix: made.key.slice(0, 12), created_at: now, last_used_at: null });
    expect(JSON.stringify(await store.db.selectFrom('api_keys').selectAll().execute())).not.toContain(made.key);
    expect(await admission(made.key)).toMatchObject({ accountId: id, keyId: made.id });
    const { key, ...shown } = made;
    await waitFor(async () => expect(await listKeys(store, id)).toEqual([{ ...shown, last_used_at: now }]));

    expect(await revokeKey(store, made.id, at(now + 5))).toMatchObject({ revoked_at: now + 5 });
    expect(await revokeKey(store, made.id.toUpperCase(), at(now + 9))).toMatchObject({ revoked_at: now + 5 });
    expect(await admission(key)).toBe(null);
    await expect(revokeKey(store, 'nope', at(now))).rejects.toThrow(new OperatorError('there is no key "nope"'));
  });

  test('a key does not expire [key.no-expiry]', async () => {
    const { id } = await createAccount(store, { name: 'a' }, at(now));
    const { key } = await createKey(store, id, { label: null }, at(now));
    expect(await admission(key, Date.UTC(2126, 5, 1))).toMatchObject({ accountId: id });
  });

  test('labels are bounded', async () => {
    const { id } = await createAccount(store, { name: 'a' }, at(now));
    for (const label of ['', 'x'.repeat(61), 'a\tb']) await expect(createKey(store, id, { label }, at(now))).rejects.toThrow(OperatorError);
    await createKey(store, id, { label: '😀'.repeat(60) }, at(now));
    expect(await listKeys(store, id)).toHaveLength(1);
  });

  test('no more keys are in use than may be, also when several are made at once', async () => {
    const { id } = await createAccount(store, { name: 'a' }, at(now));
    await createPassingKey(store, id, { ttlMs: 1000, now });
    const make = () => createKey(store, id, { label: null, mostLive: 2 }, at(now));
    const refused = { message: 'the account has 2 keys in use; revoke one you no longer need first' };
    const made = await Promise.allSettled([make(), make(), make()]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused });
    const [first] = await listKeys(store, id);
    await revokeKey(store, first?.id ?? '', at(now));
    await make();
    await expect(make()).rejects.toMatchObject(refused);
  });

  test('a passing key ends by itself, is not listed, and is swept up by the next one', async () => {
    const { id } = await createAccount(store, { name: 'a' }, at(now));
    const { key } = await createPassingKey(store, id, { ttlMs: 1000, now });
    expect(await admission(key, now + 999)).toMatchObject({ accountId: id });
    expect(await admission(key, now + 1000)).toBe(null);
    expect(await listKeys(store, id)).toEqual([]);
    const lasting = await createKey(store, id, { label: null }, at(now));
    const next = await createPassingKey(store, id, { ttlMs: 1000, now: now + 1000 });
    const left = await store.db.selectFrom('api_keys').select('id').execute();
    expect(left.map((row) => row.id).sort()).toEqual([lasting.id, next.id].sort());
  });
});
