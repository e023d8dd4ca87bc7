import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pour } from '../media/media-world.ts';
import { startFileServer } from '../support/file-server.ts';
import { rounds } from '../support/run-options.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient } from './load-client.ts';
import { startServer } from './server-process.ts';
import { createGround } from './stores.ts';

const mebibyte = 1024 * 1024;
/** Far more than the gateway may use, and more than it keeps of files it has fetched. */
const filmBytes = rounds({ short: 640, long: 1024 }) * mebibyte;

/** A real film with sound, a few kilobytes long. */
function shortFilm(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  const path = join(folder, 'film.mp4');
  const sources = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:duration=3', '-f', 'lavfi', '-i', 'sine=duration=3'];
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...sources, '-pix_fmt', 'yuv420p', path]);
  const film = readFileSync(path);
  rmSync(folder, { recursive: true });
  return film;
}

/** The film with a box of nothing behind it that makes it as large as it is to be. */
function answerLargeFilm(film: Buffer): (response: ServerResponse) => void {
  const box = Buffer.alloc(8);
  box.writeUInt32BE(filmBytes - film.length, 0);
  box.write('free', 4);
  return (response) => {
    response.writeHead(200, { 'content-length': filmBytes, 'content-type': 'video/mp4', 'cache-control': 'max-age=600' });
    response.write(film);
    response.write(box);
    void pour(response, filmBytes - film.length - box.length);
  };
}

/** The most memory a process ever used, in MiB. */
function peakMemory(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

it(`a video of ${filmBytes / mebibyte} MiB is prepared and sent, as video and as voice note, by a gateway of 256 MiB`, async () => {
  const ground = await createGround('sqlite');
  const files = await startFileServer();
  const url = files.serve('/film.mp4', { answer: answerLargeFilm(shortFilm()) });
  const store = await ground.database.open();
  const accounts = await createSenders(store, 1, { trials: [] }).finally(() => store.close());
  // The cache is as bounded as ever: a file larger than it is not kept, but those who send it at the same time share it.
  const settings = { MEDIA_ALLOW_HOSTS: files.allowed, MEDIA_MAX_BYTES: String(2 * filmBytes) };
  const server = startServer({ ...ground.env, ...settings }, { nodeOptions: ['--max-old-space-size=128'] });
  try {
    const client = createLoadClient(await server.ready);
    const [sender] = await linkNumbers(client, accounts);
    if (sender === undefined) throw new Error('no sender');
    const send = (type: string, to: string) =>
      client.call({ path: `/v1/messages/${type}`, key: sender.key, body: { instance_id: sender.instanceId, to, url } });
    const [video, voice] = await Promise.all([send('video', '491701230100'), send('audio', '491701230101')]);
    expect([video?.status, voice?.status]).toEqual([200, 200]);
    expect(files.requests).toHaveLength(1);
    const received = async (to: string) =>
      (await client.call({ method: 'GET', path: `/sandbox/messages?to=${to}`, key: sender.key })).body.data.messages[0].content;
    expect(await received('491701230100')).toMatchObject({ mime_type: 'video/mp4', size: filmBytes });
    const note = await received('491701230101');
    expect(note.mime_type).toBe('audio/ogg; codecs=opus');
    expect(note.size).toBeLessThan(100_000);
    await client.close();

    const peak = peakMemory(server.child.pid);
    expect(peak).toBeLessThan(256);
    process.stdout.write(`peak memory of the gateway while ${filmBytes / mebibyte} MiB passed: ${peak.toFixed(0)} MiB\n`);
    expect(readdirSync(join(ground.env.DATA_DIR ?? '', 'media')).length).toBeLessThanOrEqual(1);
    await server.terminate();
    expect(readdirSync(join(ground.env.DATA_DIR ?? '', 'media'))).toEqual([]);
  } finally {
    await server.kill();
    await files.close();
    await ground.dispose();
  }
});
