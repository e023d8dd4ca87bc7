import { EventEmitter } from 'node:events';
import type { BinaryNode } from 'baileys';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryKeys } from 'whatsapp-test-server';
import type { Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import type { Person } from '../../src/networks/whatsapp/worker/sending/people.ts';
import { Tctokens } from '../../src/networks/whatsapp/worker/sending/tctoken.ts';

beforeEach(() => vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => vi.useRealTimers());

const person = (number: number): Person => ({ lid: `99${number}@lid`, pn: `49170${number}@s.whatsapp.net` });
const tokenOf = (jid: string, word: string): BinaryNode => ({
  tag: 'token',
  attrs: { type: 'trusted_contact', jid, t: '1799999999' },
  content: Buffer.from(word),
});

function setup(answer: (jids: readonly string[]) => Promise<readonly BinaryNode[] | undefined> = async () => []) {
  const keys = createMemoryKeys();
  const asked: (readonly string[])[] = [];
  const writes: (readonly string[])[] = [];
  const keysSoon = {
    ...keys,
    async set(data: Parameters<typeof keys.set>[0]) {
      writes.push(Object.keys(data.tctoken ?? {}));
      await keys.set(data);
    },
  };
  const sock = {
    ws: new EventEmitter(),
    ev: new EventEmitter(),
    authState: { keys, creds: {} },
    serverProps: { lidTrustedTokenIssueToLid: false },
    async issuePrivacyTokens(jids: readonly string[]) {
      asked.push(jids);
      const tokens = await answer(jids);
      return tokens && { tag: 'iq', attrs: {}, content: [{ tag: 'tokens', attrs: {}, content: [...tokens] }] };
    },
  };
  const warnings: string[] = [];
  const log = { warn: (_: unknown, words: string) => void warnings.push(words), error: () => undefined };
  const tctokens = new Tctokens({ sock, keysSoon, log } as unknown as Wire, { me: { lid: null, pn: '4917099@s.whatsapp.net' } });
  return { tctokens, keys, asked, writes, warnings };
}

test('those written to within a moment get the own token in one query and one write, each once in seven days', async () => {
  const { tctokens, asked, writes } = setup();
  const people = Array.from({ length: 60 }, (_, place) => person(place));
  for (const one of [...people, ...people.slice(0, 3)]) tctokens.issue(one);
  await vi.advanceTimersByTimeAsync(199);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual([people.slice(0, 50), people.slice(50)].map((part) => part.map(({ pn }) => pn)));
  expect(writes).toEqual([people.slice(0, 50), people.slice(50)].map((part) => part.map(({ lid }) => lid)));
  for (const one of people) tctokens.issue(one);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveLength(2);
  vi.setSystemTime(Date.now() + 7 * 24 * 3_600_000);
  for (const one of people.slice(0, 2)) tctokens.issue(one);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveLength(3);
});

test('tokens in the answer are stored for those whom they name, and one that names somebody else only if one was asked for', async () => {
  const [one, two, three] = [person(1), person(2), person(3)];
  const { tctokens, keys } = setup(async (jids) => jids.map((jid) => tokenOf(jid === two.pn ? '4917099:2@s.whatsapp.net' : jid, jid)));
  for (const of of [one, two]) tctokens.issue(of);
  await vi.advanceTimersByTimeAsync(200);
  tctokens.issue(three);
  await vi.advanceTimersByTimeAsync(200);
  const names = [one, two, three].map(({ lid }) => lid ?? '');
  expect(Object.values(await keys.get('tctoken', names)).map(({ token }) => Buffer.from(token).toString())).toEqual([one.pn, '', three.pn]);
});

test('when one of them is refused, the others still get theirs', async () => {
  const bad = person(2);
  const { tctokens, asked, warnings, keys } = setup(async (jids) => {
    if (jids.includes(bad.pn ?? '')) throw new Error('bad-request');
    return [];
  });
  for (const of of [person(1), bad, person(3)]) tctokens.issue(of);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.map(({ length }) => length)).toEqual([3, 1, 1, 1]);
  expect(Object.keys(await keys.get('tctoken', ['991@lid', '992@lid', '993@lid']))).toEqual(['991@lid', '993@lid']);
  expect(warnings).toHaveLength(1);
});

test('a token counts as issued only when the network has answered, and is issued again with the next message', async () => {
  let silent = true;
  const { tctokens, asked, writes, warnings } = setup(async () => (silent ? undefined : []));
  const people = [person(1), person(2)];
  for (const one of people) tctokens.issue(one);
  await vi.advanceTimersByTimeAsync(200);
  expect([asked.length, writes.length, warnings.length]).toEqual([1, 0, 1]);
  silent = false;
  for (const one of people) tctokens.issue(one);
  await vi.advanceTimersByTimeAsync(200);
  expect([asked.length, writes.length]).toEqual([2, 1]);
});

// The socket here answers no question about LIDs.
test('what is stored by number, before the LID is known, is found with the LID and goes on under it', async () => {
  const { tctokens, keys, asked } = setup();
  const { lid, pn } = person(1);
  const sent = async () => (await tctokens.nodeFor({ lid, pn }))?.content;
  await tctokens.store({ lid: null, pn }, { token: Buffer.from('first'), timestamp: 1_799_999_999 });
  expect(await sent()).toEqual(Buffer.from('first'));
  for (const name of [null, lid]) {
    tctokens.issue({ lid: name, pn });
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(asked).toEqual([[pn]]);
  await keys.set({ 'lid-mapping': { '491701': '991' } });
  await tctokens.store({ lid: null, pn }, { token: Buffer.from('second'), timestamp: 1_800_000_000 });
  expect(await sent()).toEqual(Buffer.from('second'));
  const stored = await keys.get('tctoken', ['991@lid']);
  expect(stored).toMatchObject({ '991@lid': { token: Buffer.from('second'), senderTimestamp: 1_800_000_000 } });
});

test('nothing is issued once the connection has ended', async () => {
  const { tctokens, asked } = setup();
  tctokens.issue(person(1));
  tctokens.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([]);
});
