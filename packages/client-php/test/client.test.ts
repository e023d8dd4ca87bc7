import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classOf, clientSuite } from '../../client/test/suite/client-suite.ts';
import { DrivenClient } from '../../client/test/suite/driver.ts';
import { givenSuite } from '../../client/test/suite/given-suite.ts';
import { certificate, privateKey } from './certificate.ts';
import { start, startTrusting } from './driver.ts';

clientSuite(start, { noAnswer: 'NoAnswerException', webhook: 'WebhookException', refusal: classOf }, 1000);
givenSuite(start);

test('many messages over HTTP/2 have a connection each, as curl repeats by itself what goes over one that was used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-http2-'));
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, certificate);
  const server = createSecureServer({ cert: certificate, key: privateKey });
  const answer = JSON.stringify({ success: true, data: { message_id: 'A' }, request_id: '01936a61-03d4-7e55-8a90-6b1c2d3e4f50' });
  const streams: ServerHttp2Stream[] = [];
  const sessions: unknown[] = [];
  server.on('stream', (stream) => {
    streams.push(stream);
    // Gone from the stream once it has ended.
    sessions.push(stream.session);
    // The first is on its way until the last has come.
    const ready = streams.length === 4 ? [stream, streams[0]] : streams.length > 1 ? [stream] : [];
    for (const one of ready) {
      one?.respond({ 'content-type': 'application/json' });
      one?.end(answer);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const driver = startTrusting(file);
  try {
    const base_url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gateway = await DrivenClient.open(driver, { base_url, api_key: 'x' });
    const messages = Array.from({ length: 4 }, (_, index) => ({ type: 'text', instance_id: 'x', to: `491701234560${index}`, text: 'x' }));
    const { sent, failure } = await gateway.sendAll(messages, { job: 'newsletter', concurrency: 2 });
    expect(failure).toBeNull();
    expect(sent).toHaveLength(4);
    expect(new Set(sessions).size).toBe(4);
  } finally {
    await driver.stop();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
