import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openWhatsmeow } from '../../src/import/index.ts';
import { whatsmeowFile } from '../support/whatsmeow-store.ts';

const root = mkdtempSync(join(tmpdir(), 'gateway-import-'));
afterAll(() => rmSync(root, { recursive: true }));

const jid = '4915110000801:2@s.whatsapp.net';
/** Numbers from 1 on, as rows with the column `i`. */
const countTo = (last: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${last})`;

describe('a SQLite file of whatsmeow', () => {
  it('is refused with more than 10,000 numbers, or with addresses that are none', async () => {
    const many = join(root, 'many.db');
    const database = whatsmeowFile(many, [jid]);
    const columns = database
      .prepare("select group_concat(name) from pragma_table_info('whatsmeow_device') where name <> 'jid'")
      .pluck()
      .get();
    database.exec(`insert into whatsmeow_device (jid, ${columns}) ${countTo(10_000)} select i, ${columns} from whatsmeow_device, n`);
    database.close();
    await expect(openWhatsmeow(many)).rejects.toThrow('holds more than 10000 numbers');
    const long = join(root, 'long.db');
    whatsmeowFile(long, [jid, 'x'.repeat(101)]).close();
    await expect(openWhatsmeow(long)).rejects.toThrow('names a device by more than 100 characters');
  });

  it('is read with the LIDs of its contacts alone, however many others it knows', async () => {
    const file = join(root, 'lids.db');
    const database = whatsmeowFile(file, [jid]);
    const contact = 4_920_000_000_777;
    database.prepare('insert into whatsmeow_identity_keys values (?, ?, ?)').run(jid, `${contact}:0`, Buffer.alloc(32, 7));
    // More than are read of any table.
    database.exec(`insert into whatsmeow_lid_map ${countTo(500_001)} select 100000000000000 + i, 4920000000000 + i from n`);
    database.exec("insert into whatsmeow_lid_map values ('200000000000001', '4915110000801')");
    database.close();
    const archive = await openWhatsmeow(file);
    const { number, problem } = await archive.read(jid);
    expect([problem, number?.lid]).toEqual([null, '200000000000001:2@lid']);
    expect([...(number?.records.keys() ?? [])].sort()).toEqual([
      `identity-key:${contact}.0`,
      'lid-mapping:100000000000777_reverse',
      'lid-mapping:200000000000001_reverse',
      'lid-mapping:4915110000801',
      `lid-mapping:${contact}`,
    ]);
    await archive.close();
  });

  it('is read with the newest token of each contact, under its LID', async () => {
    const file = join(root, 'tokens.db');
    const database = whatsmeowFile(file, [jid]);
    database.prepare('insert into whatsmeow_lid_map values (?, ?)').run('100000000000802', '4915110000802');
    const insert = database.prepare('insert into whatsmeow_privacy_tokens values (?, ?, ?, ?, ?)');
    insert.run(jid, '100000000000802@lid', Buffer.from('new'), 1_780_000_500, 1_780_000_001);
    insert.run(jid, '4915110000802@s.whatsapp.net', Buffer.from('old'), 1_780_000_000, 1_780_000_009);
    insert.run(jid, '100000000000803@lid', Buffer.alloc(0), 0, null);
    insert.run(jid, '100000000000804@lid', Buffer.alloc(0), 0, 1_780_000_002);
    database.close();
    const archive = await openWhatsmeow(file);
    const { number, problem } = await archive.read(jid);
    await archive.close();
    expect(problem).toBeNull();
    expect([...(number?.records ?? [])].filter(([name]) => name.startsWith('tctoken:'))).toEqual([
      ['tctoken:100000000000802@lid', { token: Buffer.from('new'), timestamp: '1780000500', senderTimestamp: 1_780_000_009 }],
      ['tctoken:100000000000804@lid', { token: Buffer.alloc(0), senderTimestamp: 1_780_000_002 }],
    ]);
  });

  it('is read as it was before what was being written when its program was killed', async () => {
    const [file, copy] = [join(root, 'running.db'), join(root, 'killed.db')];
    const database = whatsmeowFile(file, [jid]);
    database.exec('create table filler (bytes)');
    // What does not fit into the cache is written before the transaction ends.
    database.pragma('cache_size = 10');
    database.exec("begin; update whatsmeow_device set push_name = 'Half'");
    database.exec(`insert into filler ${countTo(500)} select zeroblob(1000) from n`);
    for (const ending of ['', '-journal']) copyFileSync(`${file}${ending}`, `${copy}${ending}`);
    database.exec('rollback');
    database.close();
    const archive = await openWhatsmeow(copy);
    expect(await archive.read(jid)).toMatchObject({ problem: null, number: { name: 'Bob' } });
    await archive.close();
  });

  it('is refused when its program writes while it is copied, and counts as used when it writes later', async () => {
    const file = join(root, 'written.db');
    const database = whatsmeowFile(file, [jid]);
    const { copyFile } = promises;
    vi.spyOn(promises, 'copyFile').mockImplementationOnce(async (from, to) => {
      await copyFile(from, to);
      database.exec('create table meanwhile (id)');
    });
    syncBuiltinESMExports();
    try {
      await expect(openWhatsmeow(file)).rejects.toThrow('has changed while it was read');
      const archive = await openWhatsmeow(file);
      expect(await archive.wasUsed()).toBe(false);
      database.exec('create table later (id)');
      expect(await archive.wasUsed()).toBe(true);
      await archive.close();
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      database.close();
    }
  });
});
