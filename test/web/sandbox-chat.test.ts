import { describe, expect, test } from 'vitest';
import type { SandboxChatMessage } from '../../src/portal/wire/sandbox.ts';
import { type ChatLine, linesOf } from '../../web/src/pages/sandbox-phone/chat-view.ts';

const own = '15550100';
let count = 0;

function message(id: string, over: Partial<SandboxChatMessage> = {}): SandboxChatMessage {
  return {
    message_id: id,
    from: own,
    to: '15550123',
    type: 'text',
    content: { text: id },
    quoted: null,
    received_at: new Date(2026, 10, 20, 12, 0, count++).toISOString(),
    file: null,
    ...over,
  };
}

const reaction = (on: string, emoji: string, over: Partial<SandboxChatMessage> = {}, from_me = true): SandboxChatMessage =>
  message(`reaction ${count}`, { type: 'reaction', content: { message_id: on, emoji, from_me }, ...over });

const messageLines = (lines: readonly ChatLine[]) => lines.filter((line) => line.kind === 'message');
const reactionsOn = (messages: readonly SandboxChatMessage[]) =>
  Object.fromEntries(messageLines(linesOf(messages)).map(({ message: { message_id }, reactions }) => [message_id, reactions]));

describe('a chat of the sandbox phone', () => {
  test('a reaction sits on its message, the last one of each sender counts, and an empty one takes it away', () => {
    const chat = [message('a'), message('b'), reaction('a', '👍'), reaction('b', '😂')];
    expect(reactionsOn(chat)).toEqual({ a: '👍', b: '😂' });
    expect(reactionsOn([...chat, reaction('a', '❤️')])).toEqual({ a: '❤️', b: '😂' });
    expect(reactionsOn([...chat, reaction('a', '')])).toEqual({ a: '', b: '😂' });
    expect(linesOf(chat).some(({ kind }) => kind === 'reaction')).toBe(false);
  });

  test('a reaction that a phone would not find a message for is told on its own', () => {
    const lines = linesOf([
      message('a'),
      reaction('elsewhere', '👍'),
      reaction('a', '👍', {}, false),
      reaction('a', '👍', { from: '15550101' }),
      reaction('elsewhere', ''),
    ]);
    expect(messageLines(lines).map(({ reactions }) => reactions)).toEqual(['']);
    expect(lines.flatMap((line) => (line.kind === 'reaction' ? [[line.emoji, line.why]] : []))).toEqual([
      ['👍', 'unknown'],
      ['👍', 'own'],
      ['👍', 'unknown'],
      [null, 'unknown'],
    ]);
  });

  test('a reply knows what it quotes and whose it is', () => {
    const quoting = (message_id: string, from_me: boolean) => ({ quoted: { message_id, from_me } });
    const lines = linesOf([message('a'), message('b', quoting('a', true)), message('c', quoting('gone', false))]);
    expect(messageLines(lines).map(({ quote }) => [quote?.author, quote?.message?.message_id])).toEqual([
      [undefined, undefined],
      [own, 'a'],
      ['own', undefined],
    ]);
  });

  test('days stand between, and a sender is told anew after another one', () => {
    const at = (day: number) => ({ received_at: new Date(2026, 10, day, 12).toISOString() });
    const lines = linesOf([message('a', at(1)), message('b', at(1)), message('c', { ...at(1), from: '15550101' }), message('d', at(2))]);
    expect(lines.map((line) => (line.kind === 'message' ? [line.message.message_id, line.first] : line.kind))).toEqual([
      'day',
      ['a', true],
      ['b', false],
      ['c', true],
      'day',
      ['d', true],
    ]);
  });
});
