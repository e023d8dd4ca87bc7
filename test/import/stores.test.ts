import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
    const columns = database.prepare("select group_concat(name) from pragma_table_info('whatsmeow_device') where name <> 'jid'").pluck().get();
    database.exec(`insert into whatsmeow_device (jid, ${columns}) ${countTo(10_000)} select i, ${columns} from whatsmeow_device, n`);
    database.close();
    await expect(openWhatsmeow(many)).rejects.toThrow('holds more than 10000 numbers');
    const long = join(root, 'long.db');
    whatsmeowFile(long, [jid, 'x'.repeat(101)]).close();
    await expect(openWhatsmeow(long)).rejects.toThrow('names a device by more than 100 characters');
  });
});
