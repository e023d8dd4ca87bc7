import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { storeKinds } from '../support/stores.ts';
import { pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { available, mediaMessage, stored, useMediaFiles } from './sandbox-files-fixture.ts';
import { type SandboxFixture, useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const mebibyte = 1024 * 1024;
const accepted = { outcome: 'accepted' };

describe.each(storeKinds)('how much the sandbox keeps of files, and how long, on %s', (kind) => {
  const setup = useSandbox(kind);
  const { mediaFile } = useMediaFiles();

  test('files up to 4 MiB are kept; of a larger one the message says that it is not', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const largest = await mediaFile('image', randomBytes(4 * mebibyte));
    const tooLarge = await mediaFile('image', randomBytes(4 * mebibyte + 1), { width: 1, height: 2 });
    await link.send(mediaMessage(sandbox, to, largest));
    await link.send(mediaMessage(sandbox, to, tooLarge));
    expect((await sandbox.network.chat(sandbox.accountId, to)).map(({ file }) => file)).toEqual([
      { available: true },
      { available: false, width: 1, height: 2 },
    ]);
    expect(await stored(sandbox)).toEqual([{ sha256: largest.sha256, size: 4 * mebibyte }]);
    expect(await sandbox.network.file(sandbox.accountId, tooLarge.sha256)).toBeNull();
  });

  test('an account has at most 64 MiB; those received longest ago make room', async () => {
    const sandbox = await setup();
    const other = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const theirs = await pairedLink(other, phone);
    const to = sandbox.numbers.ordinary[0];
    const send = async (count: number) => {
      const sent = await Promise.all(Array.from({ length: count }, () => mediaFile('image', Buffer.alloc(4 * mebibyte, newId()))));
      const outcomes = await Promise.all(sent.map((media) => link.send(mediaMessage(sandbox, to, media))));
      expect(outcomes).toEqual(sent.map(() => expect.objectContaining(accepted)));
      return sent;
    };
    const [first, again] = await send(2);
    if (first === undefined || again === undefined) throw new Error('nothing was sent');
    await theirs.link.send(mediaMessage(other, to, first));
    await sandbox.clock.advanceAsync(minuteMs);
    await send(14);
    await sandbox.clock.advanceAsync(minuteMs);
    expect(await available(sandbox, to)).toEqual(Array.from({ length: 16 }, () => true));
    await link.send(mediaMessage(sandbox, to, again));
    await send(6);
    const names = (await stored(sandbox)).map(({ sha256 }) => sha256);
    expect(names).toHaveLength(16);
    expect(names).not.toContain(first.sha256);
    expect(names).toContain(again.sha256);
    const shown = await available(sandbox, to);
    expect(shown.slice(0, 2)).toEqual([false, true]);
    expect(shown.filter((one) => one === false)).toHaveLength(6);
    expect(shown.slice(-7)).toEqual(Array.from({ length: 7 }, () => true));
    expect(await stored(other)).toHaveLength(1);
    await Promise.all([sandbox.network.close(), other.network.close()]);
  });

  /** Turns the clock until the store has this many files of the account; it may need real time in between. */
  async function cleanedUpTo(sandbox: SandboxFixture, count: number): Promise<void> {
    while ((await stored(sandbox)).length !== count) await sandbox.clock.advanceAsync(1000);
  }

  test('a file is kept as long as the seven days of the last message that shows them', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    const media = await mediaFile('image');
    await link.send(mediaMessage(sandbox, first, media));
    await sandbox.clock.advanceAsync(minuteMs - 1);
    await link.send(mediaMessage(sandbox, second, media));
    sandbox.clock.advance(7 * dayMs - 1);
    expect(await available(sandbox, second)).toEqual([true]);
    expect(await sandbox.network.file(sandbox.accountId, media.sha256)).not.toBeNull();
    expect(await available(sandbox, first)).toEqual([]);
    sandbox.clock.advance(2 * minuteMs);
    expect(await sandbox.network.file(sandbox.accountId, media.sha256)).toBeNull();
    await sandbox.network.close();
  });

  test('an expired file is deleted, also when its message never came', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    for (let i = 0; i < 25; i++) await link.send(mediaMessage(sandbox, sandbox.numbers.ordinary[0], await mediaFile('image')));
    const { accountId, clock, store } = sandbox;
    const left = { account_id: accountId, sha256: '0'.repeat(64), mime_type: 'image/png', size: 1, bytes: Buffer.of(1) };
    await store.db
      .insertInto('sandbox_files')
      .values({ ...left, received_at: clock.now() })
      .execute();
    await link.close();
    clock.advance(6 * dayMs);
    expect(await stored(sandbox)).toHaveLength(26);
    clock.advance(dayMs + 2 * minuteMs);
    await cleanedUpTo(sandbox, 0);
    await sandbox.network.close();
  });

  test('a file is kept no longer than its messages are among the last 1,000 of the account', async () => {
    const sandbox = await setup();
    const other = await setup();
    const { network, clock } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const theirs = await pairedLink(other, phone);
    const [first, second] = sandbox.numbers.ordinary;
    const [gone, again] = [await mediaFile('image'), await mediaFile('image')];
    for (const media of [gone, again]) await link.send(mediaMessage(sandbox, first, media));
    await theirs.link.send(mediaMessage(other, first, gone));
    await clock.advanceAsync(2 * minuteMs);
    await link.send(mediaMessage(sandbox, second, again));
    await Promise.all(Array.from({ length: 999 }, () => link.send(textMessage(network, second))));
    await cleanedUpTo(sandbox, 1);
    expect((await stored(sandbox))[0]?.sha256).toBe(again.sha256);
    expect((await available(sandbox, second))[0]).toBe(true);
    expect(await stored(other)).toHaveLength(1);
    await Promise.all([network.close(), other.network.close()]);
  });
});
