import { expect, it } from 'vitest';
import { checkAccountTable, importAccount } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

it.each(storeKinds)('a file of accounts that is imported twice at once makes each of them once, on %s', async (kind) => {
  const store = await openTestStore(kind);
  try {
    const csv = 'reference,name\nC-1,Alpha\n,Beta\n';
    // Both look before either makes anything.
    const tables = [await checkAccountTable(store, csv, 'default'), await checkAccountTable(store, csv, 'default')];
    const terms = { act: at(1_000), as: 'operator', seenBy: 'somebody' } as const;
    const imported = await Promise.all(tables.flat().map((row) => importAccount(store, row, 'default', terms)));
    expect(imported.filter(({ made }) => made !== null)).toHaveLength(2);
    expect(imported.flatMap(({ failure }) => failure ?? []).sort()).toEqual([
      'another account of the provider has the reference "C-1".',
      'the provider has got an account of this name meanwhile.',
    ]);
    const accounts = await store.db.selectFrom('accounts').select('name').orderBy('name').execute();
    expect(accounts).toEqual([{ name: 'Alpha' }, { name: 'Beta' }]);
  } finally {
    await store.dispose();
  }
});
