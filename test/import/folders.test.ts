import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openBaileys, openWaha } from '../../src/import/index.ts';
import { readMapping } from '../../src/import/mapping.ts';
import { credsJson } from '../support/baileys-creds.ts';
import { whatsmeowFile } from '../support/whatsmeow-store.ts';

const root = mkdtempSync(join(tmpdir(), 'gateway-import-'));
afterAll(() => rmSync(root, { recursive: true }));

const base64 = (length: number) => Buffer.alloc(length, 7).toString('base64');

/** A folder of Baileys with a linked number in it. */
function folderOf(path: string, number: string, files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries({ 'creds.json': credsJson(number), ...files })) writeFileSync(join(path, name), content);
  return path;
}

describe('folders of Baileys', () => {
  it('are read key by key; what cannot be read is counted', async () => {
    const session = { indexInfo: { closed: -1 }, currentRatchet: {}, _chains: {} };
    const folder = folderOf(join(root, 'one'), '4915110000401', {
      'pre-key-7.json': JSON.stringify({ public: Buffer.alloc(32), private: Buffer.alloc(32) }),
      'pre-key-8.json': '{"public":',
      'session-100000000000002_1.0.json': JSON.stringify({ version: 'v1', _sessions: { key: session } }),
      'session-100000000000003_1.0.json': '',
      'session-100000000000004_1.0.json': JSON.stringify({ version: 'v1', _sessions: { key: { indexInfo: {} } } }),
      'sender-key-1@g.us--2--0.json': '{}',
      'lid-mapping-4915110000402.json': '"100000000000002"',
      'lid-mapping-100000000000002_reverse.json': '"4915110000402"',
      'app-state-sync-key-AA__+.json': JSON.stringify({ keyData: base64(32), timestamp: '1' }),
      'tctoken-__index.json': '{}',
      'note.txt': 'not a key',
    });
    const archive = await openBaileys(folder);
    expect(archive.sources).toEqual(['one']);
    const found = await archive.read('one');
    expect(found).toMatchObject({ problem: null, label: 'Ada', left: { groupKeys: 1, sessions: 2, unreadable: 1 } });
    expect([...(found.number?.preKeys.keys() ?? [])]).toEqual(['7']);
    expect([...(found.number?.records.keys() ?? [])].sort()).toEqual([
      'app-state-sync-key:AA/+',
      'lid-mapping:100000000000002_reverse',
      'lid-mapping:4915110000402',
      'session:100000000000002_1.0',
    ]);
    writeFileSync(join(folder, 'pre-key-9.json'), '{}');
    expect((await archive.read('one')).stamp).not.toBe(found.stamp);
  });

  it('are read with the newest token of each contact, under its LID where that is known', async () => {
    const token = (text: string, timestamp: string) => JSON.stringify({ token: Buffer.from(text), timestamp });
    const folder = folderOf(join(root, 'tokens'), '4915110000401', {
      'lid-mapping-4915110000402.json': '"100000000000002"',
      'lid-mapping-4915110000403.json': '"100000000000003"',
      'tctoken-100000000000002@lid.json': token('new', '1780000500'),
      'tctoken-4915110000402@s.whatsapp.net.json': token('old', '1780000000'),
      'tctoken-4915110000403@s.whatsapp.net.json': token('only', '1780000000'),
      'tctoken-4915110000404@s.whatsapp.net.json': token('without a LID', '1780000000'),
    });
    const { number } = await (await openBaileys(folder)).read('tokens');
    expect([...(number?.records ?? [])].filter(([name]) => name.startsWith('tctoken:'))).toEqual([
      ['tctoken:100000000000002@lid', { token: Buffer.from('new'), timestamp: '1780000500' }],
      ['tctoken:100000000000003@lid', { token: Buffer.from('only'), timestamp: '1780000000' }],
      ['tctoken:4915110000404@s.whatsapp.net', { token: Buffer.from('without a LID'), timestamp: '1780000000' }],
    ]);
  });

  it('links to files elsewhere are not followed', async () => {
    const folder = join(root, 'linked');
    mkdirSync(folder);
    symlinkSync(join(folderOf(join(root, 'target'), '4915110000403'), 'creds.json'), join(folder, 'creds.json'));
    expect(await (await openBaileys(folder)).read('linked')).toMatchObject({ problem: 'creds.json cannot be read', number: null });
  });

  it('one that cannot be read is a line with its problem, and the others are read', async () => {
    const folder = join(root, 'some');
    folderOf(join(folder, 'open'), '4915110000406');
    const shut = folderOf(join(folder, 'shut'), '4915110000407');
    chmodSync(shut, 0);
    chmodSync(root, 0o755);
    // Root could read it.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.('nobody');
    try {
      const archive = await openBaileys(folder);
      expect(archive.sources).toEqual(['open', 'shut']);
      expect(await archive.read('open')).toMatchObject({ problem: null });
      expect(await archive.read('shut')).toMatchObject({ problem: 'its folder cannot be read' });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(shut, 0o700);
    }
  });
});

describe('the sessions of WAHA', () => {
  it('are read from both engines under their names', async () => {
    const sessions = join(root, 'sessions');
    folderOf(join(sessions, 'noweb', 'sales'), '4915110000404');
    mkdirSync(join(sessions, 'gows', 'support'), { recursive: true });
    whatsmeowFile(join(sessions, 'gows', 'support', 'gows.db'), ['4915110000405:2@s.whatsapp.net']).close();
    const archive = await openWaha(sessions);
    expect(archive.sources).toEqual(['noweb/sales', 'gows/support']);
    expect(await archive.read('noweb/sales')).toMatchObject({
      source: 'noweb/sales',
      label: 'sales',
      number: { jid: '4915110000404:4@s.whatsapp.net' },
    });
    expect(await archive.read('gows/support')).toMatchObject({
      source: 'gows/support',
      label: 'support',
      number: { jid: '4915110000405:2@s.whatsapp.net', platform: 'iphone', name: 'Bob' },
    });
    await archive.close();
    await expect(openWaha(root)).rejects.toThrow('holds no sessions of WAHA');
  });

  it('that cannot be read are lines with their problems, and the others are read', async () => {
    const sessions = join(root, 'mixed');
    folderOf(join(sessions, 'noweb', 'sales'), '4915110000408');
    writeFileSync(join(sessions, 'noweb', '.DS_Store'), '');
    mkdirSync(join(sessions, 'noweb', 'scanning'));
    const store = (name: string) => {
      mkdirSync(join(sessions, 'gows', name), { recursive: true });
      return join(sessions, 'gows', name, 'gows.db');
    };
    writeFileSync(store('broken'), 'no database at all, but longer than the header of one would be. '.repeat(20));
    writeFileSync(store('empty'), '');
    whatsmeowFile(store('new'), []).close();
    whatsmeowFile(store('support'), ['4915110000409:2@s.whatsapp.net']).close();
    const archive = await openWaha(sessions);
    const found = await Promise.all(archive.sources.map((source) => archive.read(source)));
    expect(found.map(({ source, problem }) => [source, problem])).toEqual([
      ['noweb/sales', null],
      ['noweb/scanning', 'there is no creds.json'],
      ['gows/broken', expect.stringMatching(/^its gows\.db cannot be read: .* is no SQLite database/)],
      ['gows/empty', 'its gows.db cannot be read: the database has no table whatsmeow_device'],
      ['gows/new', 'was never linked: its gows.db names no device'],
      ['gows/support', null],
    ]);
  });
});

describe('the table of accounts', () => {
  it('says by number or name where each goes, and under which label', () => {
    const { accountIds, mapping } = readMapping('Number;Account;Label\n+49 151 10000401;a;Front desk\nsales;b;\n');
    expect(accountIds).toEqual(['a', 'b']);
    expect(mapping({ source: 'one', phoneNumber: '4915110000401', label: 'Ada' })).toEqual({ accountId: 'a', label: 'Front desk' });
    expect(mapping({ source: 'sales', phoneNumber: '4915110000404', label: 'sales' })).toEqual({ accountId: 'b', label: 'sales' });
    expect(mapping({ source: 'other', phoneNumber: '4915110000409', label: null })).toBeNull();
  });

  it('takes ids of accounts in capitals, too', () => {
    const id = '0198c0de-0000-7000-8000-00000000000a';
    const { accountIds, mapping } = readMapping(`number,account\none,${id.toUpperCase()}\ntwo,${id}\n`);
    expect(accountIds).toEqual([id]);
    expect(mapping({ source: 'one', phoneNumber: '4915110000401', label: null })).toEqual({ accountId: id, label: null });
  });

  it.each([
    ['nothing', ''],
    ['no column of accounts', 'number,label\n1,2\n'],
    ['a line that is too short', 'number,account\n4915110000401\n'],
  ])('is refused: %s', (_, text) => {
    expect(() => readMapping(text)).toThrow('the table of accounts must be CSV');
  });

  it('is refused in an old encoding, whose letters would be lost in labels', () => {
    const text = Buffer.from('number,account,label\n4915110000401,a,Caf\xe9\n', 'latin1').toString();
    expect(() => readMapping(text)).toThrow('must be in UTF-8');
  });

  it('is refused when a number stands in it twice', () => {
    expect(() => readMapping('number,account\n4915110000401,a\n+4915110000401,b\n')).toThrow('two lines for');
  });
});
