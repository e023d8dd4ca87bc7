import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { linkedInstance } from './linked.ts';

const sends = 1000;
const contacts = 10;
/** One in six goes wrong. */
const faults: readonly Fault[] = ['cut before', 'cut after', '502 before', '502 after', '503', '429', 'silent'];
const each = 1 / 40;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

test(`${sends} sends through cut connections, 502, 503, 429, silence and two killed servers: none lost, none doubled`, async () => {
  const apiKey = gateway.account(1_000_000);
  const instance_id = await linkedInstance(new Gateway({ baseUrl: gateway.address, apiKey }), '4930901820');
  let requests = 0;
  let replacing = Promise.resolve();
  const proxy = await startFaultyProxy({
    target: gateway.address,
    fault: () => faults[Math.floor(Math.random() / each)] ?? null,
    onRequest() {
      requests += 1;
      if (requests === 300 || requests === 800) replacing = replacing.then(gateway.replace);
    },
  });
  const client = new Gateway({ baseUrl: proxy.address, apiKey, timeoutMs: 1500, deadlineMs: 50_000, backoffMs: 50 });
  const messages = Array.from({ length: sends }, (_, index) => ({
    ...{ type: 'text' as const, instance_id, to: `49170123456${index % contacts}`, text: `Message ${index}` },
  }));
  let answered = 0;
  for await (const { error, result } of client.sendAll(messages, { job: 'through-faults', concurrency: 32 })) {
    expect(error).toBeNull();
    expect(result?.message_id).toBeTruthy();
    answered += 1;
  }
  await replacing;
  await proxy.close();

  const direct = new Gateway({ baseUrl: gateway.address, apiKey });
  const received: string[] = [];
  for (let contact = 0; contact < contacts; contact++) {
    const { messages: own, has_more } = await direct.listSandboxMessages({ to: `49170123456${contact}` });
    expect(has_more).toBeUndefined();
    received.push(...own.map(({ content }) => String(content.text)));
  }
  expect(answered).toBe(sends);
  expect(received.toSorted()).toEqual(messages.map(({ text }) => text).toSorted());
  expect([...proxy.made.keys()].toSorted()).toEqual([...faults].toSorted());
});
