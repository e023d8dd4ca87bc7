import { type Dialect, type SchemaChanges, schemaChanges } from '../../src/store/index.ts';
import type { TestDatabase } from '../support/stores.ts';

/** The change of the schema that comes after all of this release's. */
export const nextChange = '9000-next';

/** The changes of a release after this one: this one's, and a column for each table that every send writes, which this release knows nothing of. */
export function nextRelease(dialect: Dialect, { additive }: { readonly additive: boolean }): SchemaChanges {
  return {
    ...schemaChanges(dialect),
    [nextChange]: {
      ...(additive ? { additive } : {}),
      async up(db) {
        await db.schema
          .createTable('next_things')
          .addColumn('id', 'text', (c) => c.primaryKey().notNull())
          .execute();
        for (const table of ['claims', 'instances', 'usage_sends', 'credentials']) {
          await db.schema
            .alterTable(table)
            .addColumn('next_column', 'text', (c) => c.notNull().defaultTo('unchanged'))
            .execute();
        }
      },
    },
  };
}

/** Two of the changes that there were before the first schema of a release. */
export const changesBefore: SchemaChanges = {
  '0001-initial': {
    async up(db) {
      await db.schema
        .createTable('meta')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text')
        .execute();
    },
  },
  '0039-node-address': { async up() {} },
};

/** Makes an empty database one from before the first release. */
export async function madeBefore(database: TestDatabase): Promise<void> {
  const store = await database.open({ changes: changesBefore });
  await store.migrate();
  await store.close();
}
