import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { OpenOptions, Store } from '../../src/store/index.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { type StoreKind, storeKinds } from './run-options.ts';

export { type StoreKind, storeKinds };

/** A database of its own for one test. */
export interface TestDatabase {
  /** Where it is: the data folder of the embedded store, or the connection URL. */
  readonly location: string;
  /** Opens it, as often as wanted, as another process would. */
  open(options?: OpenOptions): Promise<Store>;
  /** Closes what was opened and removes the database. */
  dispose(): Promise<void>;
}

/** A fresh database with nothing but what the migrations put there; with `empty`, not even migrated. */
export async function createTestDatabase(kind: StoreKind, { empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  return databaseAt(kind, await places[kind](empty), { empty });
}

interface Place {
  readonly location: string;
  /** Removes what is there. */
  remove(): Promise<void>;
}

/** The database at this place, migrated when it is opened first; not with `empty`. */
export function databaseAt(kind: StoreKind, { location, remove }: Place, { empty = false }: { empty?: boolean } = {}): TestDatabase {
  const opened: Store[] = [];
  return {
    location,
    async open(openOptions = {}) {
      const store = await openStoreOf(kind, location, openOptions);
      if (!empty && (await store.schema()).applied.length === 0) await store.migrate();
      const close = store.close.bind(store);
      let closed: Promise<void> | null = null;
      // A test that closes its store itself must not have it closed a second time.
      const once: Store = { ...store, close: () => (closed ??= close()) };
      opened.push(once);
      return once;
    },
    async dispose() {
      await Promise.all(opened.map((store) => store.close()));
      await remove();
    },
  };
}

/** Opens the database at the place, as it is; an embedded one is made when there is none. */
export function openStoreOf(kind: StoreKind, location: string, options: OpenOptions): Promise<Store> {
  return kind === 'sqlite'
    ? openSqliteStore(location, { durability: 'normal', create: true, ...options })
    : openPostgresStore(location, options);
}

/** A store on a fresh database. `dispose` closes it and removes the database. */
export async function openTestStore(kind: StoreKind): Promise<Store & { dispose(): Promise<void> }> {
  const database = await createTestDatabase(kind);
  return { ...(await database.open()), dispose: () => database.dispose() };
}

const places: Record<StoreKind, (empty: boolean) => Promise<Place>> = {
  async sqlite(empty) {
    const location = mkdtempSync(join(tmpdir(), 'gateway-store-'));
    if (!empty) copyFileSync(inject('sqlite'), join(location, 'gateway.db'));
    return { location, remove: async () => rmSync(location, { recursive: true, force: true }) };
  },
  async postgres(empty) {
    const server = inject('postgres');
    const { name, url } = await createDatabase(server.url, empty ? undefined : server.template);
    return { location: url, remove: () => dropDatabase(server.url, name) };
  },
};
