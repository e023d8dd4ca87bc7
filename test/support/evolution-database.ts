import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { inject } from 'vitest';
import { createTestDatabase } from './stores.ts';

/** A database of Evolution API, with as much of its schema as says what a number is. */
export interface EvolutionDatabase {
  readonly url: string;
  /** An instance; `creds` is the JSON of its credentials, null when they are elsewhere. */
  add(instance: { readonly id: string; readonly name: string; readonly creds: string | null }): Promise<void>;
  /** Ends the connection that it has been written over. */
  leave(): Promise<void>;
  dispose(): Promise<void>;
}

export async function createEvolutionPostgres(): Promise<EvolutionDatabase> {
  const database = await createTestDatabase('postgres', { empty: true });
  const client = new pg.Client({ connectionString: database.location });
  await client.connect();
  await client.query('create schema evolution_api');
  await client.query('set search_path to evolution_api');
  await client.query('create table "Instance" (id text primary key, name varchar(255) not null unique, token varchar(255))');
  await client.query(
    'create table "Session" (id text primary key, "sessionId" text not null unique, creds text, "createdAt" timestamp not null default now())',
  );
  const leave = once(() => client.end());
  return {
    // Its URLs name the schema.
    url: `${database.location}${database.location.includes('?') ? '&' : '?'}schema=evolution_api`,
    async add({ id, name, creds }) {
      await client.query(`insert into "Instance" values ($1, $2, 'do not print me')`, [id, name]);
      await client.query('insert into "Session" (id, "sessionId", creds) values ($1, $1, $2)', [id, written(creds)]);
    },
    leave,
    async dispose() {
      await leave();
      await database.dispose();
    },
  };
}

export async function createEvolutionMysql(): Promise<EvolutionDatabase> {
  const server = inject('mariadb');
  const name = `evolution_${randomBytes(6).toString('hex')}`;
  const client = await createConnection(server);
  await client.query(`create database ${name}`);
  await client.query(`use ${name}`);
  const like = 'default character set utf8mb4 collate utf8mb4_unicode_ci';
  await client.query(`create table Instance (id varchar(191) primary key, name varchar(255) not null unique, token varchar(255)) ${like}`);
  await client.query(
    `create table Session (id varchar(191) primary key, sessionId varchar(191) not null unique, creds text, createdAt timestamp not null default current_timestamp) ${like}`,
  );
  const leave = once(() => client.end());
  return {
    url: `${server}/${name}`,
    async add({ id, name, creds }) {
      await client.query(`insert into Instance values (?, ?, 'do not print me')`, [id, name]);
      await client.query('insert into Session (id, sessionId, creds) values (?, ?, ?)', [id, id, written(creds)]);
    },
    leave,
    async dispose() {
      await leave();
      const last = await createConnection(server);
      await last.query(`drop database ${name}`);
      await last.end();
    },
  };
}

/** It writes the text of the credentials as JSON once more. */
const written = (creds: string | null): string | null => (creds === null ? null : JSON.stringify(creds));

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
}
