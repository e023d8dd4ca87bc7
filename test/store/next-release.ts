import { type Dialect, type SchemaChanges, schemaChanges } from '../../src/store/index.ts';

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
