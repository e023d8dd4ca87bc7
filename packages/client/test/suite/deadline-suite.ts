import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type ClientOptions, DrivenClient, type Driver } from './driver.ts';

const request_id = '01936a61-03d4-7e55-8a90-6b1c2d3e4f50';
const body = JSON.stringify({ success: true, data: { status: 'ok' }, request_id });
const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
const limited = { code: 'rate_limit_exceeded', message: 'Too many.', details: { retry_after_seconds: 58 } };

/** A gateway that takes longer than a call may. */
export function deadlineSuite(driver: () => Driver, noAnswer: string): void {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  async function start(listener: RequestListener, options: Partial<ClientOptions>): Promise<DrivenClient> {
    server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return await DrivenClient.open(driver(), { base_url, api_key: 'x', backoff: 0.02, ...options });
  }

  describe('the deadline', () => {
    test.each([
      ['an answer', 0],
      ['the body of an answer', head.length],
    ])('ends %s that comes byte by byte', async (_, atOnce) => {
      const gateway = await start(({ socket }) => void dribble(socket, atOnce), { timeout: 1, deadline: 2 });
      expect(await gateway.refusal('getHealth')).toMatchObject({ type: noAnswer, status: null });
    });

    test('ends the question whether keys are honoured', async () => {
      const gateway = await start(
        (request, response) => {
          if (request.headers['idempotency-key'] !== undefined) return void request.socket.destroy();
          response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '58' });
          response.end(JSON.stringify({ success: false, error: limited, request_id }));
        },
        { deadline: 5 },
      );
      const began = performance.now();
      const message = { instance_id: '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11', to: '491701234567', text: 'x' };
      expect(await gateway.refusal('sendText', message)).toMatchObject({ type: noAnswer, attempts: 1 });
      expect(performance.now() - began).toBeLessThan(20_000);
    });
  });
}

/** Each byte begins the time limit of a socket anew. */
async function dribble(socket: Socket, atOnce: number): Promise<void> {
  const answer = head + body;
  if (atOnce > 0) socket.write(answer.slice(0, atOnce));
  for (const byte of answer.slice(atOnce)) {
    await setTimeout(50);
    if (socket.destroyed) return;
    socket.write(byte);
  }
  socket.end();
}
