import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { linkedInstance } from './linked.ts';
import { sendThroughFaults } from './suite/through-faults.ts';

const sends = 1000;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

test(`${sends} sends through cut connections, 502, 503, 429, silence and two killed servers: none lost, none doubled`, async () => {
  const apiKey = gateway.account(1_000_000);
  const direct = new Gateway({ baseUrl: gateway.address, apiKey });
  await sendThroughFaults({
    ...{ gateway, sends, instanceId: await linkedInstance(direct, '4930901820') },
    async send(baseUrl, messages) {
      const client = new Gateway({ baseUrl, apiKey, timeoutMs: 1500, deadlineMs: 50_000, backoffMs: 50 });
      let answered = 0;
      for await (const { error, result } of client.sendAll(messages, { job: 'through-faults', concurrency: 32 })) {
        expect(error).toBeNull();
        expect(result?.message_id).toBeTruthy();
        answered += 1;
      }
      return answered;
    },
    async received(to) {
      const { messages, has_more } = await direct.listSandboxMessages({ to });
      expect(has_more).toBeUndefined();
      return messages.map(({ content }) => String(content.text));
    },
  });
});
