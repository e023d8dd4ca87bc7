import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkOutcome } from '../../src/networks/index.ts';
import { storeKinds } from '../support/stores.ts';
import { pairedLink } from './fixture.ts';
import { newMessageId, textMessage } from './outgoing.ts';
import { useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';

describe.each(storeKinds)('sandbox sending on %s', (kind) => {
  const setup = useSandbox(kind);

  test('an accepted send is PENDING and shows the time of the clock [result.provider-status]', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const at = new Date(sandbox.clock.now()).toISOString();
    expect(await link.send(textMessage(sandbox.network, to))).toEqual({ outcome: 'accepted', providerStatus: 'PENDING' });
    expect(((await sandbox.network.messages(sandbox.accountId, to))?.messages ?? []).map(({ received_at }) => received_at)).toEqual([at]);
  });

  test('a message id starts with 3EB0 and needs 16 bytes', async () => {
    const { network } = await setup();
    expect(newMessageId(network)).toMatch(/^3EB0[0-9A-F]{18}$/);
    expect(() => network.messageId('0'.repeat(31))).toThrow(RangeError);
  });

  test('0005 is delivered at once and acknowledged after three seconds', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = '34600110005';
    const outcomes: LinkOutcome[] = [];
    const sent = link.send(textMessage(sandbox.network, to)).then((outcome) => outcomes.push(outcome));
    await sandbox.clock.advanceAsync(2999);
    let received = await sandbox.received(to);
    while (received.length === 0) received = await sandbox.received(to);
    expect(received).toHaveLength(1);
    expect(outcomes).toEqual([]);
    await sandbox.clock.advanceAsync(1);
    await sent;
    expect(outcomes).toEqual([{ outcome: 'accepted', providerStatus: 'PENDING' }]);
  });

  test('a slow message does not hold up the next one', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const slow = link.send(textMessage(sandbox.network, '34600110005'));
    expect(await link.send(textMessage(sandbox.network, sandbox.numbers.ordinary[0]))).toMatchObject({ outcome: 'accepted' });
    await sandbox.clock.advanceAsync(3000);
    expect(await slow).toMatchObject({ outcome: 'accepted' });
  });

  test.each(['close', 'logout'] as const)('an acknowledgement that is outstanding on %s stays unknown', async (ending) => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const slow = link.send(textMessage(sandbox.network, '34600110005'));
    await link[ending]();
    expect(await slow).toEqual({ outcome: 'unknown' });
  });

  test('a store that fails after the hand-over leaves the outcome unknown, for every kind of number', async () => {
    const sandbox = await setup({ deliverToSandbox: () => Promise.reject(new Error('disk full')) });
    const { link } = await pairedLink(sandbox, phone);
    for (const to of [sandbox.numbers.ordinary[0], '34600110002', '34600110004', '34600110005']) {
      expect(await link.send(textMessage(sandbox.network, to))).toEqual({ outcome: 'unknown' });
    }
  });

  test('a message that cannot be written down is not sent', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    expect(await link.send({ ...textMessage(sandbox.network, to), content: { text: 1n } })).toEqual({ outcome: 'not_sent' });
    expect(await sandbox.received(to)).toEqual([]);
  });

  test('any text and any quoted id arrive unchanged', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.boolean(), async (text, quotedId, fromMe) => {
        await link.send({ ...textMessage(sandbox.network, to, text), quoted: { messageId: quotedId, fromMe } });
        const last = (await sandbox.received(to)).at(-1);
        expect(last).toMatchObject({ content: { text }, quoted: { message_id: quotedId, from_me: fromMe } });
      }),
    );
  });

  test('what a check says of a number is what a send to it finds', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const lastFour = fc.oneof(fc.constantFrom('0000', '0001', '0002', '0003', '0004', '0006'), fc.stringMatching(/^[0-9]{4}$/));
    const number = fc.tuple(fc.stringMatching(/^[1-9][0-9]{1,10}$/), lastFour).map(([head, tail]) => head + tail);
    await fc.assert(
      fc.asyncProperty(number, async (to) => {
        if (to.endsWith('0005') || to.endsWith('0007')) return;
        const [answer] = await link.check([to]);
        const message = textMessage(sandbox.network, to);
        await link.send(message);
        const { outcome } = await link.send(message);
        expect(outcome).toBe(answer?.reachable === true ? 'accepted' : answer?.reachable === false ? 'refused' : 'not_sent');
        const ids = (await sandbox.received(answer?.networkNumber ?? to)).map(({ message_id }) => message_id);
        expect(ids.filter((id) => id === message.messageId)).toHaveLength(answer?.reachable === true ? 1 : 0);
      }),
    );
  });
});
