import { describe, expect, test } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { storeKinds } from '../support/stores.ts';
import { openLink, pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';
const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('what a page shows of the sandbox on %s', (kind) => {
  const setup = useSandbox(kind);

  test('contacts come with their number of messages and the last one, who received last first', async () => {
    const sandbox = await setup();
    const { network, accountId } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    await link.send(textMessage(network, first, 'one'));
    await link.send(textMessage(network, second, 'two'));
    const last = async (to: string) => (await network.chat(accountId, to)).at(-1);
    expect(await network.contacts(accountId)).toEqual([
      { phone_number: second, message_count: 1, last_message: await last(second) },
      { phone_number: first, message_count: 1, last_message: await last(first) },
    ]);
    await link.send({ ...textMessage(network, first, 'three'), quoted: { messageId: 'x', fromMe: true } });
    const contacts = await network.contacts(accountId);
    expect(contacts).toEqual([
      { phone_number: first, message_count: 2, last_message: await last(first) },
      { phone_number: second, message_count: 1, last_message: await last(second) },
    ]);
    expect(contacts[0]?.last_message).toMatchObject({ content: { text: 'three' }, quoted: { message_id: 'x', from_me: true } });
  });

  test('contacts are those who got something, of this account', async () => {
    const sandbox = await setup();
    const { network, accountId, numbers } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    for (const to of [numbers.notOnNetwork, numbers.cannotSay, numbers.answersElsewhere.dialled]) await link.send(textMessage(network, to));
    expect((await network.contacts(accountId)).map(({ phone_number }) => phone_number)).toEqual([numbers.answersElsewhere.answering]);
    expect(await network.contacts(newId())).toEqual([]);
  });

  test('of many contacts the 200 with the newest messages are listed', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const numbers = Array.from({ length: 230 }, (_, index) => `3460012${1100 + index}`);
    await Promise.all(numbers.map((to) => link.send(textMessage(sandbox.network, to))));
    const listed = (await sandbox.network.contacts(sandbox.accountId)).map(({ phone_number }) => phone_number);
    expect(listed).toEqual(numbers.slice(-200).reverse());
  });

  test('contacts and chats know only what is kept', async () => {
    const sandbox = await setup();
    const { network, accountId } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    const send = (to: string, count: number) => Promise.all(Array.from({ length: count }, () => link.send(textMessage(network, to))));
    await send(first, 10);
    await send(second, 994);
    const counts = async () => (await network.contacts(accountId)).map(({ phone_number, message_count }) => [phone_number, message_count]);
    expect(await counts()).toEqual([
      [second, 994],
      [first, 6],
    ]);
    expect(await network.chat(accountId, first)).toHaveLength(6);
    await send(second, 6);
    expect(await counts()).toEqual([[second, 1000]]);
    expect(await network.chat(accountId, first)).toEqual([]);
    sandbox.clock.advance(7 * dayMs);
    expect(await counts()).toEqual([]);
    await network.close();
  });

  test('linked phones are listed with their instances, also while those are not connected', async () => {
    const sandbox = await setup();
    const { network, accountId, clock } = sandbox;
    const linked = async () => (await network.linkedPhones(accountId)).map(({ phoneNumber, instanceId }) => [phoneNumber, instanceId]);
    expect(await linked()).toEqual([]);
    const linkedAt = clock.now();
    const first = await pairedLink(sandbox, phone);
    expect(await network.linkedPhones(accountId)).toEqual([{ phoneNumber: phone, instanceId: first.instanceId, linkedAt }]);
    await clock.advanceAsync(1);
    const second = await pairedLink(sandbox, phone);
    await clock.advanceAsync(1);
    const third = await pairedLink(sandbox, '491705555555');
    await first.link.close();
    await third.link.logout();
    expect(await linked()).toEqual([
      [phone, first.instanceId],
      [phone, second.instanceId],
    ]);
    expect(await network.linkedPhones(newId())).toEqual([]);
    await sandbox.unlink(phone);
    expect(await linked()).toEqual([]);
  });

  test('open codes are those that can be scanned right now', async () => {
    const sandbox = await setup();
    const { network, accountId, clock, codeLifetimesMs } = sandbox;
    await pairedLink(sandbox, '491705555555');
    expect(await network.openCodes(accountId)).toEqual([]);

    const { instanceId, log } = openLink(sandbox);
    const { type: _, ...first } = await log.next('code');
    expect(await network.openCodes(accountId)).toEqual([{ instanceId, ...first }]);
    expect(first).toMatchObject({ sequence: 1, expiresAt: clock.now() + 60_000 });
    await clock.advanceAsync(codeLifetimesMs[0] ?? 0);
    const { type: __, ...second } = await log.next('code');
    expect(await network.openCodes(accountId)).toEqual([{ instanceId, ...second }]);

    const other = openLink(sandbox);
    const { type: ___, ...others } = await other.log.next('code');
    expect(await network.openCodes(accountId)).toEqual([
      { instanceId, ...second },
      { instanceId: other.instanceId, ...others },
    ]);
    expect(await network.openCodes(newId())).toEqual([]);

    await sandbox.scan(second.code, phone);
    expect(await network.openCodes(accountId)).toEqual([{ instanceId: other.instanceId, ...others }]);
    await clock.advanceAsync(140_000);
    await other.log.until('closed');
    expect(await network.openCodes(accountId)).toEqual([]);
  });
});
