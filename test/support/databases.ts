import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Makes a database on the server, empty or as a copy of the template; gives its name and connection URL. */
export async function createDatabase(serverUrl: string, template?: string): Promise<{ name: string; url: string }> {
  const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  // So that a function of the database's own takes the place of PostgreSQL's clock (`setDatabaseClock`).
  await onServer(serverUrl, `alter database ${name} set search_path = "$user", public, pg_catalog`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

/** Removes a database, whoever is still connected to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await onServer(serverUrl, `drop database if exists ${name} with (force)`);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
