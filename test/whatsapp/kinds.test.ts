import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allKinds, type Kind } from '../../src/kinds/index.ts';
import { canonical } from '../networks/whatsapp-content.ts';
import { type FileServer, someBytes, startFileServer } from '../support/file-server.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const examples = allKinds.flatMap((kind) => Object.keys(kind.examples).map((name) => [kind.type, name, kind] as const));

describe('each kind over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let files: FileServer;
  let instance_id: string;
  const sender = '4915110000001';
  beforeAll(async () => {
    files = await startFileServer();
    world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed } });
    instance_id = await world.linkedNumber(sender);
  });
  afterAll(async () => {
    await world?.close();
    await files?.close();
  });

  /** The example with its link, if it has one, on the file server under the same path. */
  function bodyOf(kind: Kind, name: string): Record<string, unknown> {
    const example = kind.examples[name] ?? {};
    return kind.media === null ? example : { ...example, url: files.serve(new URL(String(example.url)).pathname) };
  }

  /** What the recipient must find, from the kind's own description of its content. */
  function expected(kind: Kind, body: Record<string, unknown>) {
    const parsed = kind.schema.parse({ instance_id, to: '4915120000000', ...body });
    const { mime_type, ...content } = kind.content(parsed);
    if (kind.media === null) return kind.content(parsed);
    const sha256 = createHash('sha256').update(someBytes).digest('hex');
    return { ...content, mime_type: mime_type ?? expect.any(String), size: someBytes.length, sha256 };
  }

  it.each(examples)('%s, example %s', async (type, name, kind) => {
    const body = bodyOf(kind, name);
    const recipient = world.somebody();
    const answer = await world.customer.send(type, { instance_id, to: `+${recipient.number}`, ...body });
    expect(answer.status).toBe(200);
    const { message_id, ...data } = answer.body.data;
    expect(data).toEqual({
      instance_id,
      to: recipient.number,
      type,
      status: 'sent',
      provider_status: 'SERVER_ACK',
      ...(kind.bestEffortNote === null ? {} : { best_effort: true, note: kind.bestEffortNote }),
    });

    const received = await recipient.nextReceived(({ id }) => id === message_id);
    expect(await canonical(received)).toEqual({
      message_id,
      from: sender,
      to: recipient.number,
      type,
      content: expected(kind, body),
      quoted: null,
    });
    expect(received.times).toBe(1);
    // Without this node phones do not draw things to press.
    expect(received.extras.includes('biz')).toBe(kind.bestEffortNote !== null);
    // The sender's own phone shows what was sent in its name.
    const copy = await world.server.person(sender).nextReceived(({ id }) => id === message_id);
    expect(copy).toMatchObject({ from: sender, to: recipient.number, message: received.message });
  });

  it.each(allKinds.filter(({ type }) => type !== 'reaction').map((kind) => [kind.type, kind] as const))(
    '%s as a reply',
    async (type, kind) => {
      const [name = ''] = Object.keys(kind.examples);
      const body = bodyOf(kind, name);
      const recipient = world.somebody();
      const quoted_message_id = await recipient.send(sender, 'Quote me');
      const answer = await world.customer.send(type, { instance_id, to: recipient.number, ...body, quoted_message_id });
      expect(answer.status).toBe(200);
      const received = await recipient.nextReceived(({ id }) => id === answer.body.data.message_id);
      expect(await canonical(received)).toMatchObject({
        type,
        content: expected(kind, body),
        quoted: { message_id: quoted_message_id, from_me: false },
      });
    },
  );

  it('the longest text arrives whole', async () => {
    const recipient = world.somebody();
    const text = '🧮'.repeat(4096);
    const answer = await world.customer.send('text', { instance_id, to: recipient.number, text });
    expect(answer.status).toBe(200);
    const received = await recipient.nextReceived(({ id }) => id === answer.body.data.message_id);
    expect(received.message.conversation).toBe(text);
  });

  it('nothing was refused, undecryptable or missed a device', () => {
    expect(world.server.record.problems).toEqual([]);
    expect(world.server.record.incomplete).toEqual([]);
  });
});
