import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { type FileServer, someBytes, startFileServer } from '../support/file-server.ts';
import type { Answer } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const unavailable = refusal(502, 'upstream_unavailable');

describe('sends whose outcome is lost, over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let files: FileServer;
  let id: string;
  let keys = 0;
  beforeAll(async () => {
    files = await startFileServer();
    world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed }, timing: { acknowledgementMs: 5_000 } });
    id = await world.linkedNumber('4915110000005');
  });
  afterAll(async () => {
    await world?.close();
    await files?.close();
  });
  beforeEach(async () => {
    world.server.faults.clear();
    await world.customer.reaches(id, 'open');
  });
  const key = () => ({ 'Idempotency-Key': `lost-send-${++keys}` });

  /** The recipient shows one message, under the id that was answered, and an answered key sends nothing more. */
  async function expectOne(recipient: Person, answer: Answer, deliveries: number, again: () => Promise<Answer>) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBe('false');
    const replayed = await again();
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.data).toEqual(answer.body.data);
    const ours = (await recipient.received()).filter(({ from }) => from !== recipient.number);
    expect(ours).toMatchObject([{ id: answer.body.data.message_id, times: deliveries }]);
  }

  it.each([
    ['the acknowledgement is lost', { kind: 'lose_ack' }, 2],
    ['the connection is lost after the message was delivered', { kind: 'drop' }, 2],
    ['the connection is lost before the message was delivered', { kind: 'drop_before' }, 1],
  ] as const)('%s: 502, and a retry with the same key shows one message', async (_, fault, deliveries) => {
    const recipient = world.somebody();
    const headers = key();
    const send = () => world.text(id, recipient.number, 'Only once', headers);
    world.server.faults.onMessage({ to: recipient.number }, fault);
    expect(await send()).toMatchObject(unavailable);
    await expectOne(recipient, await send(), deliveries, send);
  });

  it('the same key from several callers at once, with the acknowledgement lost: one message', async () => {
    const recipient = world.somebody();
    const headers = key();
    const send = () => world.text(id, recipient.number, 'Only once', headers);
    world.server.faults.onMessage({ to: recipient.number }, { kind: 'lose_ack' });
    const answers = await Promise.all([send(), send(), send()]);
    for (const { status } of answers) expect([200, 502]).toContain(status);
    const settled = await send();
    expect(settled.status).toBe(200);
    expect(await recipient.received()).toMatchObject([{ id: settled.body.data.message_id }]);
  });

  it('sends that were under way when the connection was lost: each key is one message', async () => {
    const recipients = Array.from({ length: 8 }, () => world.somebody());
    const sends = recipients.map((recipient) => {
      const headers = key();
      return { recipient, send: () => world.text(id, recipient.number, 'Only once', headers) };
    });
    const [, , third] = recipients;
    world.server.faults.onMessage({ ...(third === undefined ? {} : { to: third.number }) }, { kind: 'drop_before' });
    const first = await Promise.all(sends.map(({ send }) => send()));
    expect(first.map(({ status }) => status)).toContain(502);
    for (const [index, { recipient, send }] of sends.entries()) {
      const answer = first[index]?.status === 200 ? first[index] : await send();
      expect(answer.status).toBe(200);
      expect(await recipient.received()).toMatchObject([{ id: answer.body.data.message_id }]);
    }
  });

  it.each(['refuse', 'cut'] as const)('an upload that fails (%s): 502, nothing was sent, and a retry arrives whole', async (kind) => {
    const recipient = world.somebody();
    const headers = key();
    const url = files.serve(`/upload-${kind}`, { bytes: Buffer.concat([someBytes, Buffer.from(kind)]) });
    const send = () => world.customer.send('document', { instance_id: id, to: recipient.number, url }, headers);
    // Every try of the one upload, for which the network is asked for a new permission once.
    world.server.faults.onUpload({ times: Number.POSITIVE_INFINITY }, { kind });
    expect(await send()).toMatchObject(unavailable);
    expect(await recipient.received()).toEqual([]);
    world.server.faults.clear();
    await expectOne(recipient, await send(), 1, send);
    const [received] = await recipient.received();
    expect((await received?.media())?.toString()).toBe(someBytes.toString() + kind);
    expect(readdirSync(join(world.gateway.dataDir, 'media'))).toEqual([]);
  });

  it('the connection is lost in the middle of an upload: it begins anew over the next connection, and arrives once', async () => {
    const recipient = world.somebody();
    const headers = key();
    const url = files.serve('/hanging', { bytes: Buffer.concat([someBytes, Buffer.from('hanging')]) });
    const send = () => world.customer.send('document', { instance_id: id, to: recipient.number, url }, headers);
    // The media server keeps what arrives beside its certificate.
    const uploadsBegun = () => readdirSync(dirname(world.server.caFile)).length;
    const before = uploadsBegun();
    world.server.faults.onUpload({}, { kind: 'hang' });
    const first = send();
    await waitFor(() => expect(uploadsBegun()).toBe(before + 1));
    await world.server.faults.end('4915110000005', { kind: 'drop' });
    await expectOne(recipient, await first, 1, send);
  });
});
