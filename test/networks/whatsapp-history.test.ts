import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { type HistoryFacts, readHistory } from '../../src/networks/whatsapp/worker/sending/history-sync/read-history.ts';
import { isExpired } from '../../src/networks/whatsapp/worker/sending/tctoken.ts';

const run = promisify(execFile);
const salt = Buffer.alloc(32, 5);
const token = Buffer.alloc(16, 9);

/** What is read of these bytes when they come in pieces of this size. */
function read(bytes: Uint8Array, size: number): Promise<HistoryFacts> {
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  return readHistory(pieces(), (jid) => jid === '4915110000001@s.whatsapp.net');
}

const encoded = Buffer.concat([
  proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    progress: 70,
    conversations: [
      {
        id: '991@lid',
        pnJid: '4915120000001@s.whatsapp.net',
        messages: [{ message: { key: { id: 'A' }, message: { conversation: 'x'.repeat(100_000) } } }],
        ephemeralExpiration: 604_800,
        ephemeralSettingTimestamp: 1_780_000_000,
        tcToken: token,
        tcTokenTimestamp: 1_790_000_000,
        tcTokenSenderTimestamp: 1_790_000_100,
      },
      { id: '120363000000000000@g.us', name: 'A group' },
    ],
    pushnames: [
      { id: '4915120000001@s.whatsapp.net', pushname: 'Somebody else' },
      { id: '4915110000001@s.whatsapp.net', pushname: 'Front desk' },
    ],
    phoneNumberToLidMappings: [{ pnJid: '4915120000002@s.whatsapp.net', lidJid: '992@lid' }],
  }).finish(),
  Buffer.from([0x9a, 0x01, salt.length]),
  salt,
]);

describe('of a piece of history', () => {
  test.each([1, 7, 4_096, encoded.length])('salt, tokens, timers, LIDs and the own name are taken, in pieces of %i bytes', async (size) => {
    expect(await read(encoded, size)).toEqual({
      salt,
      mappings: [
        { pn: '4915120000001@s.whatsapp.net', lid: '991@lid' },
        { pn: '4915120000002@s.whatsapp.net', lid: '992@lid' },
      ],
      tokens: [
        {
          ...{ jid: '991@lid', otherJid: '4915120000001@s.whatsapp.net', token },
          ...{ timestamp: 1_790_000_000, senderTimestamp: 1_790_000_100 },
        },
      ],
      timers: [{ jid: '991@lid', otherJid: '4915120000001@s.whatsapp.net', expiration: 604_800, setAt: 1_780_000_000 }],
      ownName: 'Front desk',
    });
  });

  test('one that breaks off or is no history at all is refused', async () => {
    await expect(read(encoded.subarray(0, 50_000), 4_096)).rejects.toThrow('broke off');
    await expect(read(Buffer.from([0x12, 0x02, 0x0a, 0x05, 1, 2, 3, 4, 5]), 3)).rejects.toThrow('longer than its message');
    await expect(read(Buffer.alloc(12, 0xff), 3)).rejects.toThrow('too long');
  });

  // 200 and more by hand.
  const megabytes = Number(process.env.BIG_HISTORY_MB ?? 32);
  test(`${megabytes} MB are read in the memory of a piece`, async () => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'read-big-history.ts'), String(megabytes)]);
    const { encodedBytes, grownMegabytes, isSaltRight, tokens, mappings } = JSON.parse(stdout);
    expect(encodedBytes).toBeGreaterThan(megabytes * 1024 * 1024);
    expect(isSaltRight).toBe(true);
    expect(tokens).toBeGreaterThan(megabytes / 2);
    expect(mappings).toBe(tokens);
    expect(grownMegabytes).toBeLessThan(128);
  });
});

test('a token holds in four spans of seven days', () => {
  const bucket = 604_800;
  const now = 2_900 * bucket + 1_000;
  expect(isExpired(2_897 * bucket, now)).toBe(false);
  expect(isExpired(2_897 * bucket - 1, now)).toBe(true);
  expect(isExpired(Number.NaN, now)).toBe(true);
});
