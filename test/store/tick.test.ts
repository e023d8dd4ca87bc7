import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { explained } from '../../src/store/sqlite/faults.ts';
import { Tick } from '../../src/store/sqlite/tick.ts';

describe('a tick', () => {
  let folder: string;
  let database: Sqlite.Database;
  let tick: Tick;
  let told: unknown[];
  /** How often the operation ran, with how many calls. */
  let runs: number[];
  let write: (text: string) => Promise<number>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-tick-'));
    database = new Sqlite(join(folder, 'gateway.db'), { timeout: 0 });
    database.pragma('journal_mode = wal');
    database.exec('create table notes (id integer primary key, text text not null unique)');
    told = [];
    runs = [];
    tick = new Tick(database, {
      durable: true,
      explain(error) {
        told.push(error);
        return explained(error, database.name);
      },
    });
    const insert = database.prepare('insert into notes (text) values (?)');
    write = tick.add<string, number>({
      durable: true,
      patienceMs: 5000,
      run(texts) {
        runs.push(texts.length);
        return texts.map((text) => Number(insert.run(text).lastInsertRowid));
      },
    });
  });
  afterEach(async () => {
    await tick.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  const notes = () => database.prepare('select text from notes order by id').pluck().all();
  const full = () => database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
  const roomy = () => database.pragma('max_page_count = 1000000');
  const long = (name: string) => name.padEnd(20_000, '.');

  it('runs the calls of a moment together, and answers each', async () => {
    expect(await Promise.all(['a', 'b', 'c'].map((text) => write(text)))).toEqual([1, 2, 3]);
    expect(runs).toEqual([3]);
    expect(notes()).toEqual(['a', 'b', 'c']);
  });

  it('fails all calls alike, without a second try, when the database fails', async () => {
    full();
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => write(long(name))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    expect(runs).toEqual([3]);
    expect(told).toHaveLength(1);
    roomy();
    expect(await Promise.all([write('d'), write('e')])).toEqual([1, 2]);
    expect(notes()).toEqual(['d', 'e']);
  });

  it('fails only the calls whose own data are at fault', async () => {
    await write('a');
    const outcomes = await Promise.allSettled(['b', 'a', 'c'].map((text) => write(text)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } });
    expect(notes()).toEqual(['a', 'b', 'c']);
  });

  it('fails all calls alike when the commit fails', async () => {
    // A constraint that is looked at by the commit alone.
    database.exec('create table parents (id integer primary key)');
    database.exec('create table children (parent integer references parents deferrable initially deferred)');
    database.pragma('foreign_keys = on');
    const insert = database.prepare('insert into children values (?)');
    const adopt = tick.add<number, number>({
      durable: false,
      patienceMs: 5000,
      run: (parents) => parents.map((parent) => insert.run(parent).changes),
    });
    const outcomes = await Promise.allSettled([adopt(7), write('a')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(notes()).toEqual([]);
    expect(await write('b')).toBe(1);
  });
});
