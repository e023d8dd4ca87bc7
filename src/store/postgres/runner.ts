import type { Statement } from '../statements.ts';
import type { Client, Pool } from './connections.ts';

/** A compiled statement that each connection prepares once, under its name. */
export interface Prepared<Name extends string> {
  on<Row extends object>(client: Pick<Client, 'query'>, values: Readonly<Record<Name, unknown>>): Promise<Row[]>;
  /** On a connection of the pool; the statement is its own transaction. */
  run<Row extends object>(values: Readonly<Record<Name, unknown>>): Promise<Row[]>;
}

/** Makes a statement ready to run on the pool's connections. The name must be the statement's own. */
export function prepare<Name extends string>(pool: Pool, name: string, statement: Statement<Name>): Prepared<Name> {
  const on = async <Row extends object>(client: Pick<Client, 'query'>, values: Readonly<Record<Name, unknown>>) =>
    (await client.query<Row>({ name, text: statement.sql, values: statement.bind(values) })).rows;
  return {
    on,
    async run<Row extends object>(values: Readonly<Record<Name, unknown>>) {
      const client = await pool.connect();
      try {
        return await on<Row>(client, values);
      } finally {
        client.release();
      }
    },
  };
}

/** Runs the work in one transaction of a pool's connection. */
export async function inTransaction<T>(pool: Pool, work: (client: Pick<Client, 'query'>) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // The server rolls back what a closed connection leaves open, whether or not it can still be asked to.
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!rolledBack);
    throw error;
  }
}
