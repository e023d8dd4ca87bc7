import { afterEach, describe, expect, test } from 'vitest';
import { DrivenClient, type Driver } from './driver.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';

const instance_id = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: 'text', instance_id, to: `${4917000000 + index}`, text: 'x' }));

/** Many messages, sent to a gateway that is only answers. */
export function sendAllSuite(driver: () => Driver): void {
  let scripted: ScriptedGateway | undefined;
  afterEach(() => scripted?.close());

  async function start(script: Parameters<typeof startScriptedGateway>[0] = {}) {
    scripted = await startScriptedGateway(script);
    const gateway = await DrivenClient.open(driver(), { base_url: scripted.address, api_key: 'x' });
    return { gateway, asked: scripted.asked, most: scripted.most };
  }

  describe('many messages', () => {
    test('keep under the limit: no request is refused for it', async () => {
      const { gateway, asked } = await start({ limit: 10 });
      const began = performance.now();
      const { sent } = await gateway.sendAll(texts(25), { job: 'newsletter' });
      expect(sent).toHaveLength(25);
      expect(asked).toHaveLength(25);
      expect(performance.now() - began).toBeGreaterThan(1800);
    });

    test('keep under the limit also when an answer comes late, which knows nothing of what was sent since', async () => {
      const { gateway, asked } = await start({ limit: 10, late: '4917000000' });
      const { sent } = await gateway.sendAll(texts(15), { job: 'newsletter' });
      expect(sent).toHaveLength(15);
      expect(asked).toHaveLength(15);
    });

    test('are sent as many at once as is wished, each with the key of its job and id, without what is not of the message', async () => {
      const { gateway, asked, most } = await start({ together: 4 });
      const messages = texts(20).map((message, index) => ({ ...message, id: `order-${index}` }));
      await gateway.sendAll(messages, { job: 'shipped', concurrency: 4 });
      expect(most()).toBe(4);
      expect(asked.map(({ key }) => key).toSorted()).toEqual(messages.map(({ id }) => `shipped:${id}`).toSorted());
      expect(asked.find(({ key }) => key === 'shipped:order-0')?.body).toEqual({ instance_id, to: '4917000000', text: 'x' });
    });

    test('go on after a recipient that is refused, and give the reason', async () => {
      const { gateway } = await start({ refuse: (to) => (to === '4917000003' ? [422, 'invalid_recipient'] : null) });
      const { sent, failure } = await gateway.sendAll(texts(10), { job: 'newsletter' });
      expect(failure).toBeNull();
      expect(sent).toHaveLength(10);
      expect(sent.filter(({ error }) => error !== null)).toMatchObject([
        { message: { to: '4917000003' }, error: { code: 'invalid_recipient' } },
      ]);
    });

    test('stop at what concerns all, and resume without what is done', async () => {
      let linked = false;
      const { gateway, asked } = await start({ refuse: (to) => (!linked && to === '4917000005' ? [409, 'instance_not_connected'] : null) });
      const run = (done: readonly string[]) => gateway.sendAll(texts(10), { job: 'newsletter', concurrency: 1 }, { done });
      const first = await run([]);
      expect(first.failure).toMatchObject({ code: 'instance_not_connected' });
      expect(first.sent).toHaveLength(5);
      linked = true;
      const second = await run(first.done);
      expect(second.sent).toHaveLength(5);
      expect(second.done).toHaveLength(10);
      expect(asked.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9].map((place) => `newsletter:${place}`));
    });

    test('are not sent under a name that cannot be a key', async () => {
      const { gateway, asked } = await start();
      const { failure } = await gateway.sendAll(texts(3), { job: 'an offer' });
      expect(failure?.message).toContain('an offer:0 must be 8 to 255 of');
      expect(asked).toEqual([]);
    });

    test('that are on their way are still given when a later one has a name that cannot be a key', async () => {
      const { gateway } = await start();
      const messages = ['order-0', 'order-1', 'an order'].map((id, index) => ({ ...texts(3)[index], id }));
      const { sent, failure, done } = await gateway.sendAll(messages, { job: 'shipped' }, { done: [] });
      expect(failure?.message).toContain('shipped:an order must be 8 to 255 of');
      expect(sent.map(({ idempotency_key }) => idempotency_key).toSorted()).toEqual(['shipped:order-0', 'shipped:order-1']);
      expect(done).toEqual(['shipped:order-0', 'shipped:order-1']);
    });

    test('are not sent when none may be on its way', async () => {
      const { gateway, asked } = await start();
      expect((await gateway.sendAll(texts(3), { job: 'newsletter', concurrency: 0 })).failure).not.toBeNull();
      expect(asked).toEqual([]);
    });

    test('are awaited while on their way when the reader leaves', async () => {
      const { gateway, asked } = await start();
      const { sent, done } = await gateway.sendAll(texts(50), { job: 'newsletter' }, { done: [], leaveAfter: 1 });
      expect(sent).toHaveLength(1);
      expect(asked.length).toBeLessThan(50);
      expect(done).toHaveLength(asked.length);
    });

    test('are awaited while on their way when the reader throws its error into them, and nothing more is given', async () => {
      const { gateway, asked } = await start();
      const { sent, failure, done } = await gateway.sendAll(texts(50), { job: 'newsletter' }, { done: [], throwAfter: 1 });
      expect(failure?.message).toBe('The reader failed.');
      expect(sent).toHaveLength(1);
      expect(asked.length).toBeLessThan(50);
      expect(done).toHaveLength(asked.length);
    });

    test.each([
      ['has left, who is told', { leaveAfter: 1 }, 'The disk is full.'],
      ['has thrown an error, which comes first', { throwAfter: 1 }, 'The reader failed.'],
    ])('can fail while on their way also when the reader %s', async (_, leaving, message) => {
      const { gateway } = await start({ late: '4917000000' });
      const reading = { done: [], unrecorded: 'newsletter:0', ...leaving };
      const { sent, failure, done } = await gateway.sendAll(texts(2), { job: 'newsletter' }, reading);
      expect(sent).toMatchObject([{ idempotency_key: 'newsletter:1' }]);
      expect(failure?.message).toBe(message);
      expect(done).toEqual(['newsletter:1']);
    });
  });
}
