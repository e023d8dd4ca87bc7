import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferJSON, initAuthCreds } from 'baileys';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openEvolution } from '../../src/import/index.ts';
import { createEvolutionMysql, createEvolutionPostgres, type EvolutionDatabase } from '../support/evolution-database.ts';

const base64 = (length: number) => Buffer.alloc(length, 7).toString('base64');
const json = (value: unknown) => JSON.stringify(value, BufferJSON.replacer);

/** The credentials of a linked number. */
function credsOf(number: string) {
  const account = { details: base64(12), accountSignatureKey: base64(32), accountSignature: base64(64), deviceSignature: base64(64) };
  return { ...initAuthCreds(), me: { id: `${number}:4@s.whatsapp.net`, name: 'Ada' }, account };
}

const keys = {
  'pre-key-7': { public: Buffer.alloc(32), private: Buffer.alloc(32) },
  'app-state-sync-key-AA/+': { keyData: base64(32) },
  'lid-mapping-4915110000502': '100000000000002',
};
const taken = ['app-state-sync-key:AA/+', 'lid-mapping:4915110000502'];

describe('numbers of Evolution API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-import-'));
  const prefix = `evolution-${process.pid}`;
  const databases: EvolutionDatabase[] = [];
  let redis: Redis;
  beforeAll(async () => {
    for (const create of [createEvolutionPostgres, createEvolutionMysql]) {
      const database = await create();
      databases.push(database);
      await database.add({ id: 'cm-files', name: 'sales', creds: json(credsOf('4915110000501')) });
      await database.add({ id: 'cm-redis', name: 'support', creds: json(credsOf('4915110000503')) });
      await database.add({ id: '../up', name: 'odd', creds: json(credsOf('4915110000505')) });
    }
    const instance = join(folder, 'cm-files');
    mkdirSync(instance);
    for (const [name, value] of Object.entries(keys)) writeFileSync(join(instance, `${name.replaceAll('/', '__')}.json`), json(value));
    redis = new Redis(inject('redis'));
    for (const [name, value] of Object.entries(keys)) await redis.hset(`${prefix}:instance:cm-redis`, name, JSON.stringify(json(value)));
    const all = { creds: credsOf('4915110000504'), ...keys };
    for (const [name, value] of Object.entries(all)) await redis.hset(`${prefix}:instance:cm-alone-${prefix}`, name, json(value));
  });
  afterAll(async () => {
    await redis?.del(`${prefix}:instance:cm-redis`, `${prefix}:instance:cm-alone-${prefix}`);
    redis?.disconnect();
    for (const database of databases) await database.dispose();
    rmSync(folder, { recursive: true });
  });

  it('are read from its database and its folder of instances, under their names', async () => {
    for (const { url } of databases) {
      const archive = await openEvolution(url, folder);
      expect(archive.sources).toEqual(['odd', 'sales', 'support']);
      const found = await archive.read('sales');
      expect(found).toMatchObject({ problem: null, label: 'sales', number: { jid: '4915110000501:4@s.whatsapp.net' } });
      expect([...(found.number?.preKeys.keys() ?? [])]).toEqual(['7']);
      expect([...(found.number?.records.keys() ?? [])].sort()).toEqual(taken);
      // What is no plain id is no part of a path.
      expect(await archive.read('odd')).toMatchObject({ problem: 'has an unusual id', number: null });
      await archive.close();
    }
  });

  it('are read from its database and Redis', async () => {
    for (const [at, { url }] of databases.entries()) {
      const archive = await openEvolution(url, inject('redis'));
      const found = await archive.read('support');
      expect(found).toMatchObject({ problem: null, label: 'support', number: { jid: '4915110000503:4@s.whatsapp.net' } });
      expect([...(found.number?.records.keys() ?? [])].sort()).toEqual(taken);
      await redis.hset(`${prefix}:instance:cm-redis`, `pre-key-${at + 8}`, '{}');
      expect((await archive.read('support')).stamp).not.toBe(found.stamp);
      await archive.close();
    }
  });

  it('are read from Redis alone', async () => {
    const archive = await openEvolution(inject('redis'), null);
    const found = await archive.read(`cm-alone-${prefix}`);
    expect(found).toMatchObject({ problem: null, number: { jid: '4915110000504:4@s.whatsapp.net' } });
    expect([...(found.number?.records.keys() ?? [])].sort()).toEqual(taken);
    await archive.close();
  });

  it('are read as they were when the database was opened, and whoever is connected to it is noticed', async () => {
    for (const { url, add, leave } of databases) {
      const archive = await openEvolution(url, folder);
      await add({ id: `cm-late-${databases.length}`, name: 'late', creds: null });
      expect(archive.sources).not.toContain('late');
      expect(await archive.wasUsed()).toBe(true);
      await leave();
      expect(await archive.wasUsed()).toBe(true);
      await archive.close();
    }
  });

  it('are refused in one line when it is not said where the keys are, or nobody answers', async () => {
    const [{ url } = { url: '' }] = databases;
    await expect(openEvolution(url, null)).rejects.toThrow('say with --keys where the keys are');
    await expect(openEvolution(url, join(folder, 'nowhere'))).rejects.toThrow('is no folder');
    for (const wrong of ['mysql://tests:do-not-print-me@127.0.0.1:1/evolution', 'mysql://tests:do-not-print-me@[half']) {
      await expect(openEvolution(wrong, folder)).rejects.toThrow(/^the MySQL database cannot be reached with this URL$/);
    }
    await expect(openEvolution(inject('mariadb'), folder)).rejects.toThrow('the database has no table Session');
    await expect(openEvolution('redis://:do-not-print-me@127.0.0.1:1', null)).rejects.toThrow('Redis cannot be read with this URL');
  });
});
