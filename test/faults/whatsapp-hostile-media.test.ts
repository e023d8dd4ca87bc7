import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedMessage } from 'whatsapp-test-server';
import { blackPng, hugeGif } from '../media/bombs.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import { makeFiles } from './whatsapp-files.ts';

const page = Buffer.from('<!doctype html><html><body><h1>Sign in to see this picture</h1></body></html>');
const types = ['image', 'video', 'audio', 'sticker', 'document'] as const;
type MediaType = (typeof types)[number];

let files: FileServer;
let world: WhatsAppWorld;
let instance_id: string;
let film: Buffer;
let picture: Buffer;
let bomb: Buffer;
beforeAll(async () => {
  ({ video: film, image: picture } = await makeFiles());
  bomb = await blackPng({ width: 50_000, height: 50_000, bitDepth: 1, colour: 'grey' });
  files = await startFileServer();
  world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed, MEDIA_MAX_BYTES: String(8 * 1024 * 1024) } });
  instance_id = await world.linkedNumber('4915120000001');
});
afterAll(async () => {
  await world?.close();
  await files?.close();
});

const kept = () => readdirSync(join(world.gateway.dataDir, 'media'));
const send = (type: MediaType, to: string, url: string) => world.customer.send(type, { instance_id, to, url });

/** The send's answer is 200 and what the recipient's phone downloads and decrypts is the file as it was served, with nothing made of it. */
async function arrivesAsItIs(type: MediaType, url: string, bytes: Buffer): Promise<ReceivedMessage> {
  const friend = world.somebody();
  const { status, body } = await send(type, friend.number, url);
  expect([status, body.error]).toEqual([200, undefined]);
  const received = await friend.nextReceived(({ id }) => id === body.data.message_id);
  expect((await received.media()).equals(bytes)).toBe(true);
  expect(received.times).toBe(1);
  expect(kept()).toEqual([]);
  return received;
}

describe('a file that is not what it seems arrives as it is or is refused, and nothing of it stays', () => {
  /** With the kinds that it may be sent as besides documents. */
  const cases: [string, string, readonly string[], () => Buffer][] = [
    ['a picture of 50,000×50,000', 'image/png', ['image', 'sticker'], () => bomb],
    ['an animation of 50,000×50,000', 'image/gif', ['image', 'sticker'], () => hugeGif(50_000, 50_000)],
    ['a film without its end', 'video/mp4', ['video', 'audio'], () => film.subarray(0, Math.floor(film.length / 2))],
    ['the beginning of a film', 'video/mp4', ['video', 'audio'], () => film.subarray(0, 40)],
    ['a picture without its end', 'image/jpeg', ['image', 'sticker'], () => picture.subarray(0, Math.floor(picture.length / 2))],
    ['a page that calls itself a picture', 'image/jpeg', [], () => page],
    ['a single byte', 'audio/mpeg', types, () => Buffer.of(0)],
  ];
  let count = 0;
  it.each(cases)('%s, as every kind of media', async (_, contentType, possible, make) => {
    const bytes = make();
    for (const type of types) {
      const url = files.serve(`/hostile-${++count}`, { bytes, headers: { 'content-type': contentType } });
      // A picture that is short of its end is still made a sticker; everything else is beyond help.
      if (type === 'sticker' && bytes[0] === 0xff) continue;
      if (type === 'document' || possible.includes(type)) await arrivesAsItIs(type, url, bytes);
      else await isRefused(type, url);
    }
  });
});

async function isRefused(type: MediaType, url: string): Promise<void> {
  const { uploads, messages } = world.server.record;
  const { status, body } = await send(type, world.somebody().number, url);
  expect([status, body.error?.code]).toEqual([422, 'media_fetch_failed']);
  expect(world.server.record).toMatchObject({ uploads, messages });
  expect(kept()).toEqual([]);
}

describe('a file that cannot be fetched is 422, nothing is uploaded or sent, and nothing stays', () => {
  const endless = Buffer.alloc(64 * 1024, 1);
  const cases: [string, Parameters<FileServer['serve']>[1]][] = [
    ['nothing at all', { bytes: Buffer.alloc(0) }],
    ['more than is allowed', { bytes: Buffer.alloc(9 * 1024 * 1024, 1) }],
    [
      'a stream without an end',
      {
        answer(response) {
          const more = () => {
            while (!response.destroyed && response.write(endless));
          };
          response.on('drain', more);
          more();
        },
      },
    ],
    [
      'less than was announced',
      {
        answer(response) {
          response.writeHead(200, { 'content-length': '1000' }).write(endless.subarray(0, 10));
          response.destroy();
        },
      },
    ],
    ['an error', { status: 500 }],
  ];
  it.each(cases)('%s', async (name, file) => {
    await isRefused('image', files.serve(`/${encodeURIComponent(name)}`, file));
  });
});

it('a file whose upload fails is 502, and nothing of it stays', async () => {
  world.server.faults.onUpload({ times: Number.POSITIVE_INFINITY }, { kind: 'refuse' });
  try {
    const { status, body } = await send('image', world.somebody().number, files.serve('/refused.jpg', { bytes: picture }));
    expect([status, body.error?.code]).toEqual([502, 'upstream_unavailable']);
  } finally {
    world.server.faults.clear();
  }
  expect(kept()).toEqual([]);
});
