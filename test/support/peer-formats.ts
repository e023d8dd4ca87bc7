import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { createEvolutionMysql, createEvolutionPostgres, type EvolutionDatabase } from './evolution-database.ts';
import { whatsmeowRows, whatsmeowTables } from './whatsmeow-store.ts';

/** A number that Baileys has linked, with its keys in a folder of `useMultiFileAuthState`. */
export interface LinkedNumber {
  readonly name: string;
  readonly folder: string;
  readonly jid: string;
  readonly phoneNumber: string;
  readonly migrated: boolean;
  readonly salt: Buffer | null;
}

/** The store of another program with numbers in it. */
interface PeerStore {
  /** The words of `gateway import` for it. */
  readonly words: readonly string[];
  source(number: LinkedNumber): string;
  label(number: LinkedNumber): string;
  /** Ends what the store needs; the import has been. */
  close(): Promise<void>;
}

export interface PeerFormat {
  readonly name: string;
  /** Whether its Signal sessions are taken, or begin anew. */
  readonly takesSessions: boolean;
  /** Writes in the folder what the program would have kept of the numbers. */
  write(folder: string, numbers: readonly LinkedNumber[]): Promise<PeerStore>;
}

/** What a program writes that must never be shown. */
export const peerSecret = 'do not print me';

/** Every format that is imported. */
export const peerFormats: readonly PeerFormat[] = [
  {
    name: 'folders of Baileys',
    takesSessions: true,
    write: async (folder, numbers) => {
      for (const { name, folder: from } of numbers) cpSync(from, join(folder, name), { recursive: true });
      return { words: ['baileys', folder], source: ({ name }) => name, label: ({ name }) => name, close: async () => undefined };
    },
  },
  {
    name: 'WAHA with the engine NOWEB',
    takesSessions: true,
    write: async (folder, numbers) => {
      for (const { name, folder: from } of numbers) {
        const session = join(folder, 'noweb', name);
        cpSync(from, session, { recursive: true });
        // Its chats are in a database beside the keys.
        new Sqlite(join(session, 'store.sqlite3')).exec('create table chats (id text primary key, data text)').close();
      }
      const source = ({ name }: LinkedNumber) => `noweb/${name}`;
      return { words: ['waha', folder], source, label: ({ name }) => name, close: async () => undefined };
    },
  },
  {
    name: 'WAHA with the engine GOWS',
    takesSessions: false,
    write: async (folder, numbers) => {
      for (const number of numbers) {
        const session = join(folder, 'gows', number.name);
        mkdirSync(session, { recursive: true });
        whatsmeowDatabase(join(session, 'gows.db'), [number]).close();
      }
      return { words: ['waha', folder], source: ({ name }) => `gows/${name}`, label: ({ name }) => name, close: async () => undefined };
    },
  },
  {
    name: 'a SQLite store of whatsmeow, as in wuzapi',
    takesSessions: false,
    write: async (folder, numbers) => {
      const file = join(folder, 'main.db');
      const database = whatsmeowDatabase(file, numbers);
      database.exec('create table users (id text primary key, name text not null, token text not null, jid text not null)');
      const label = ({ phoneNumber }: LinkedNumber) => `shop ${phoneNumber}`;
      for (const number of numbers) {
        database.prepare('insert into users values (?, ?, ?, ?)').run(number.phoneNumber, label(number), peerSecret, number.jid);
      }
      // It is open and has a write-ahead log meanwhile.
      return { words: ['whatsmeow', file], source: ({ jid }) => jid, label, close: async () => void database.close() };
    },
  },
  {
    name: 'Evolution API with MySQL and its folder',
    takesSessions: true,
    write: async (folder, numbers) => {
      const database = await createEvolutionMysql();
      for (const { name, folder: from } of numbers) {
        const instance = join(folder, idOf(name));
        cpSync(from, instance, { recursive: true });
        rmSync(join(instance, 'creds.json'));
      }
      return evolutionStore(database, numbers, { keys: folder });
    },
  },
  {
    name: 'Evolution API with PostgreSQL and Redis',
    takesSessions: true,
    write: async (_, numbers) => {
      const [database, redis] = [await createEvolutionPostgres(), new Redis(inject('redis'))];
      for (const { name, folder: from } of numbers) {
        for (const file of readdirSync(from).filter((file) => file !== 'creds.json')) {
          const field = file.slice(0, -'.json'.length).replaceAll('__', '/');
          await redis.hset(`evolution:instance:${idOf(name)}`, field, JSON.stringify(readFileSync(join(from, file), 'utf8')));
        }
      }
      redis.disconnect();
      return evolutionStore(database, numbers, { keys: inject('redis') });
    },
  },
];

const idOf = (name: string) => `cm${name.replaceAll('-', '')}`;

async function evolutionStore(
  database: EvolutionDatabase,
  numbers: readonly LinkedNumber[],
  { keys }: { readonly keys: string },
): Promise<PeerStore> {
  for (const { name, folder } of numbers) {
    await database.add({ id: idOf(name), name, creds: readFileSync(join(folder, 'creds.json'), 'utf8') });
  }
  await database.leave();
  const name = (number: LinkedNumber) => number.name;
  return { words: ['evolution', database.url, '--keys', keys], source: name, label: name, close: () => database.dispose() };
}

function whatsmeowDatabase(file: string, numbers: readonly LinkedNumber[]): Sqlite.Database {
  const database = new Sqlite(file);
  database.pragma('journal_mode = wal');
  for (const table of whatsmeowTables('blob')) database.exec(table);
  for (const { folder, salt, migrated } of numbers) {
    for (const [table, values] of whatsmeowRows(folder, { salt, migrated })) {
      const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
      database.prepare(`insert into ${table} values (${values.map(() => '?').join()})`).run(bound);
    }
  }
  return database;
}
