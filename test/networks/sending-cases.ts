import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allKinds } from '../../src/kinds/index.ts';
import type { MediaFile, OutgoingMessage } from '../../src/networks/index.ts';
import { type NetworkFixture, openLink, pairedLink, type Received } from './fixture.ts';
import { createMediaFiles, exampleMessage, newMessageId, textMessage } from './outgoing.ts';

/** What becomes of a message. */
export function sendingCases(fixture: () => NetworkFixture): void {
  const phone = (): string => fixture().numbers.phones[0];
  const ordinary = (): string => fixture().numbers.ordinary[0];
  /** A message as its recipient must see it. */
  const expectedOf = (message: OutgoingMessage): Received => receivedAs(message, phone());

  test('an accepted message is with the recipient, exactly once [sandbox.driver]', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const message = textMessage(fixture().network, ordinary(), 'Line one\nLine *two* \u{1f44d}');
    expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await fixture().received(ordinary())).toEqual([expectedOf(message)]);
    await link.close();
  });

  test('events of messages are reported only while somebody wants it', async () => {
    const { link, news } = await pairedLink(fixture(), phone());
    const { network } = fixture();
    const send = async (text: string) => {
      const message = textMessage(network, ordinary(), text);
      expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
      // The receipt of the recipient's phone comes before the answer to this.
      await fixture().received(ordinary());
      expect(await link.probe()).toBe(true);
      return message.messageId;
    };
    await send('not reported');
    link.follow(new Set(['delivered'] as const));
    const messageId = await send('reported');
    await expect.poll(() => news).toEqual([{ event: 'delivered', messageId, at: expect.any(Number), sentHere: true }]);
    link.follow(new Set());
    await send('no longer reported');
    expect(news).toHaveLength(1);
    await link.close();
  });

  test('each contact has its own chat, and one message id may go to several', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const { network, numbers } = fixture();
    const id = newMessageId(network);
    for (const to of numbers.ordinary) await link.send(textMessage(network, to, `for ${to}`, id));
    for (const to of numbers.ordinary) {
      expect(await fixture().received(to)).toEqual([expectedOf(textMessage(network, to, `for ${to}`, id))]);
    }
    await link.close();
  });

  test('messages arrive in the order in which they were handed over', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const messages = Array.from({ length: 100 }, (_, index) => textMessage(fixture().network, ordinary(), `number ${index}`));
    const outcomes = await Promise.all(messages.map((message) => link.send(message)));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    expect((await fixture().received(ordinary())).map(({ content }) => content.text)).toEqual(messages.map(({ content }) => content.text));
    await link.close();
  });

  test.each([true, false])('a reply names the quoted message (from_me: %s) [quote.reply]', async (fromMe) => {
    const { link } = await pairedLink(fixture(), phone());
    const { network } = fixture();
    const message = { ...textMessage(network, ordinary(), 'Yes'), quoted: { messageId: newMessageId(network), fromMe } };
    await link.send(message);
    expect(await fixture().received(ordinary())).toEqual([expectedOf(message)]);
    await link.close();
  });

  test('a number that is not on the network is refused, and gets nothing', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const { notOnNetwork } = fixture().numbers;
    expect(await link.send(textMessage(fixture().network, notOnNetwork))).toMatchObject({ outcome: 'refused' });
    expect(await fixture().received(notOnNetwork)).toEqual([]);
    await link.close();
  });

  test('where the network cannot say, nothing is sent', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const { cannotSay } = fixture().numbers;
    expect(await link.send(textMessage(fixture().network, cannotSay))).toEqual({ outcome: 'not_sent' });
    expect(await fixture().received(cannotSay)).toEqual([]);
    await link.close();
  });

  test('a message to a number that answers elsewhere arrives there', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const { dialled, answering } = fixture().numbers.answersElsewhere;
    const message = textMessage(fixture().network, dialled);
    expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await fixture().received(answering)).toEqual([expectedOf({ ...message, to: answering })]);
    await link.close();
  });

  test('after a lost acknowledgement the same message id is still one message', async () => {
    const { link } = await pairedLink(fixture(), phone());
    const { network, numbers } = fixture();
    const message = textMessage(network, numbers.acknowledgementLost);
    expect(await link.send(message)).toEqual({ outcome: 'unknown' });
    expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await fixture().received(numbers.acknowledgementLost)).toEqual([expectedOf(message)]);
    await link.close();
  });

  test('the same message id is one message across a reconnect, too', async () => {
    const { network, numbers } = fixture();
    const first = await pairedLink(fixture(), phone());
    const message = textMessage(network, numbers.acknowledgementLost);
    expect(await first.link.send(message)).toEqual({ outcome: 'unknown' });
    await first.link.close();
    const again = openLink(fixture(), first);
    await again.log.next('open');
    expect(await again.link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await fixture().received(numbers.acknowledgementLost)).toEqual([expectedOf(message)]);
    await again.link.close();
  });

  test('a link that is not open sends nothing', async () => {
    const { network } = fixture();
    const pairing = openLink(fixture());
    expect(await pairing.link.send(textMessage(network, ordinary()))).toEqual({ outcome: 'not_open' });
    await pairing.log.next('code');
    expect(await pairing.link.send(textMessage(network, ordinary()))).toEqual({ outcome: 'not_open' });
    await pairing.link.close();

    const paired = await pairedLink(fixture(), phone());
    await paired.link.close();
    expect(await paired.link.send(textMessage(network, ordinary()))).toEqual({ outcome: 'not_open' });
    expect(await fixture().received(ordinary())).toEqual([]);
  });

  describe('every example arrives as it was written', () => {
    let files: Awaited<ReturnType<typeof createMediaFiles>> | null = null;
    beforeAll(async () => {
      files = await createMediaFiles();
    });
    afterAll(() => files?.remove());

    const examples = allKinds.flatMap((kind) =>
      Object.keys(kind.examples).map((example) => ({ kind, example, title: `${kind.type}: ${example}` })),
    );
    test.each(examples)('$title', async ({ kind, example }) => {
      const { network, mediaFile = files?.file } = fixture();
      const media: MediaFile | null = kind.media === null ? null : ((await mediaFile?.(kind.media.as)) ?? null);
      const { link } = await pairedLink(fixture(), phone());
      const message = exampleMessage(network, kind, example, ordinary(), media);
      expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
      expect(await fixture().received(ordinary())).toEqual([expectedOf(message)]);
      await link.close();
    });
  });
}

function receivedAs({ messageId, to, type, content, quoted, media }: OutgoingMessage, from: string): Received {
  return {
    message_id: messageId,
    from,
    to,
    type,
    content: media === null ? content : { ...content, mime_type: media.mimeType, size: media.size, sha256: media.sha256 },
    quoted: quoted === null ? null : { message_id: quoted.messageId, from_me: quoted.fromMe },
  };
}
