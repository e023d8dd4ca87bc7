import { EventEmitter } from 'node:events';
import type { BinaryNode, WASocket } from 'baileys';
import { afterEach, expect, test, vi } from 'vitest';
import { mediaConnection } from '../../src/networks/whatsapp/worker/library/media-connection.ts';
import { quickQuery } from '../../src/networks/whatsapp/worker/library/quick-query.ts';

afterEach(() => {
  vi.useRealTimers();
});

function setup() {
  const [ws, ev] = [new EventEmitter(), new EventEmitter()];
  const written: BinaryNode[] = [];
  const sendNode = vi.fn(async (node: BinaryNode) => void written.push(node));
  const sock = { ws, ev, sendNode, generateMessageTag: () => 'tag' } as unknown as WASocket;
  const question: BinaryNode = { tag: 'iq', attrs: { type: 'get' } };
  return { ws, ev, written, sendNode, question, query: quickQuery(sock, 1_000) };
}

const listening = (ws: EventEmitter) => ws.eventNames().filter((name) => String(name).startsWith('TAG:')).length;

test('a question is written with an id, and resolves with the answer to that id', async () => {
  const { ws, written, question, query } = setup();
  const asked = query(question);
  expect(written).toEqual([{ tag: 'iq', attrs: { type: 'get', id: 'tag' } }]);
  ws.emit('TAG:other', { tag: 'iq', attrs: { id: 'other' } });
  const answer = { tag: 'iq', attrs: { id: 'tag', type: 'result' } };
  ws.emit('TAG:tag', answer);
  expect(await asked).toBe(answer);
  expect(listening(ws)).toBe(0);
});

test('an error as the answer, no answer in time, and an end of the connection reject', async () => {
  vi.useFakeTimers();
  const { ws, ev, sendNode, question, query } = setup();
  const refused = expect(query(question)).rejects.toMatchObject({ message: 'bad-request', data: 400 });
  ws.emit('TAG:tag', { tag: 'iq', attrs: {}, content: [{ tag: 'error', attrs: { code: '400', text: 'bad-request' } }] });
  await refused;
  const late = expect(query(question, 50)).rejects.toThrow('did not answer in time');
  await vi.advanceTimersByTimeAsync(50);
  await late;
  const ended = expect(query(question)).rejects.toThrow('the connection ended');
  ev.emit('connection.update', { connection: 'close' });
  await ended;
  // The connection is ended from this side: Baileys has removed the listeners of `close` by now.
  const closing = expect(query(question)).rejects.toThrow('the connection ended');
  ws.removeAllListeners('close');
  ws.emit('closing');
  await closing;
  sendNode.mockRejectedValueOnce(new Error('Connection Closed'));
  await expect(query(question)).rejects.toThrow('Connection Closed');
  expect(listening(ws)).toBe(0);
});

test('the media servers are asked for once while the answer is valid, again when it is not, and again after a failure', async () => {
  vi.useFakeTimers();
  const servers = (auth: string): BinaryNode => ({
    tag: 'iq',
    attrs: {},
    content: [{ tag: 'media_conn', attrs: { auth, ttl: '60' }, content: [{ tag: 'host', attrs: { hostname: 'mmg.example' } }] }],
  });
  const query = vi.fn<WASocket['query']>();
  const ask = mediaConnection({ query });
  query.mockRejectedValueOnce(new Error('service-unavailable')).mockResolvedValueOnce(servers('one'));
  await Promise.all([expect(ask()).rejects.toThrow('service-unavailable'), expect(ask()).rejects.toThrow('service-unavailable')]);
  expect(await ask()).toMatchObject({ auth: 'one', hosts: [{ hostname: 'mmg.example' }] });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await ask(false)).toMatchObject({ auth: 'one' });
  expect(query).toHaveBeenCalledTimes(2);
  query.mockResolvedValueOnce(servers('two'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await ask()).toMatchObject({ auth: 'two' });
  query.mockResolvedValueOnce({ tag: 'iq', attrs: {} }).mockResolvedValueOnce(servers('three'));
  await expect(ask(true)).rejects.toThrow('where files go');
  expect(await ask()).toMatchObject({ auth: 'three' });
});
