import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../../src/core/index.ts';
import { Fetcher, type FetcherOptions } from '../../src/media/fetcher.ts';
import { createAddressGuard, type FetchedMedia, type FetchOptions } from '../../src/media/index.ts';
import { listening } from '../support/listening.ts';
import { createManualClock } from '../support/manual-clock.ts';

export const hostName = 'files.example.test';

interface WorldOptions extends Partial<FetcherOptions> {
  readonly lookup?: (hostname: string) => Promise<readonly string[]>;
  readonly allowHosts?: readonly string[];
}

/** A real HTTP server, and a guard and fetcher that may reach it under a name of the allow-list. */
async function createMediaWorld(handler: RequestListener, options: WorldOptions = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handler(request, response);
  });
  const { port, close } = await listening(server);

  const clock = createManualClock();
  const directory = await mkdtemp(join(tmpdir(), 'media-test-'));
  const { lookup = async () => ['127.0.0.1'], allowHosts = [hostName], ...rest } = options;
  const guard = createAddressGuard({ allowHosts, lookup, clock });
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const fetcher = new Fetcher({ guard, clock, log, directory, maxBytes: 100 * 1024 * 1024, ...rest });

  const world = {
    port,
    requests,
    clock,
    directory,
    warnings,
    guard,
    fetcher,
    url: (path = '/file') => `http://${hostName}:${port}${path}`,
    /** Checks and fetches, as a send does. */
    async fetch(url: string, fetchOptions: Partial<FetchOptions> = {}): Promise<FetchedMedia> {
      const approved = await guard.check({ field: 'url', url });
      return fetcher.fetch(approved, { fallbackMimeType: 'application/octet-stream', use: 'document', ...fetchOptions });
    },
    files: () => readdir(directory),
    async close() {
      await fetcher.close();
      await close();
      await rm(directory, { recursive: true });
    },
  };
  return world;
}

export type MediaWorld = Awaited<ReturnType<typeof createMediaWorld>>;

/** Runs a test in a world of its own and closes it, whatever happens. */
export async function inMediaWorld(
  handler: RequestListener,
  run: (world: MediaWorld) => Promise<void>,
  options?: WorldOptions,
): Promise<void> {
  const world = await createMediaWorld(handler, options);
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

/** The error a promise fails with, which must be one of the catalogue. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof GatewayError) return error;
  throw error;
}

/** Writes chunks to a response as fast as the reader takes them, until `total` bytes or the end of the connection. */
export async function pour(response: ServerResponse, total: number, onChunk: () => void = () => {}): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 7);
  for (let sent = 0; sent < total && !response.destroyed; sent += chunk.length) {
    onChunk();
    if (!response.write(chunk.subarray(0, Math.min(chunk.length, total - sent)))) {
      await new Promise<void>((resolve) => {
        const go = () => {
          response.off('drain', go).off('close', go);
          resolve();
        };
        response.on('drain', go).on('close', go);
      });
    }
  }
  response.end();
}

/** Waits, without a clock, until something observable has become true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
