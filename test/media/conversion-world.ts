import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { MediaUse } from '../../src/kinds/index.ts';
import { MediaConverter, type MediaConverterOptions } from '../../src/media/conversion/media-converter.ts';
import { findType } from '../../src/media/found-type.ts';
import type { FetchedMedia } from '../../src/media/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const run = promisify(execFile);

/** A converter with a folder of its own, and files that a fetcher might have fetched. */
export interface ConversionWorld {
  readonly converter: MediaConverter;
  /** For inputs that tests make. */
  readonly inputs: string;
  readonly warnings: string[];
  /** The reasons for which files were sent as they are. */
  readonly failures: string[];
  /** Fetched files that nobody has released yet. */
  readonly unreleased: Set<string>;
  /** A file as the fetcher hands it over. */
  fetched(bytes: Uint8Array, use: MediaUse, change?: { reusable?: boolean }): Promise<FetchedMedia>;
  /** Prepares a file with these bytes. */
  prepare(bytes: Uint8Array, use: MediaUse, change?: { reusable?: boolean; accountId?: string }): Promise<FetchedMedia>;
  /** The converter's temporary files. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

/** A clock that stands still, so that a busy machine makes no conversion late. `around` runs with the world, which is closed whatever happens; afterwards nothing may be left of it. */
export async function inConversionWorld(
  around: (world: ConversionWorld) => Promise<void>,
  options: Partial<MediaConverterOptions> = {},
): Promise<void> {
  const world = await createWorld(options);
  try {
    await around(world);
  } finally {
    await world.close();
  }
}

async function createWorld(options: Partial<MediaConverterOptions>): Promise<ConversionWorld> {
  const base = await mkdtemp(join(tmpdir(), 'conversion-test-'));
  const [directory, inputs] = [join(base, 'media'), base];
  const warnings: string[] = [];
  const failures: string[] = [];
  const log = {
    warn: (fields: object, message: string) => void warnings.push(`${message}${'err' in fields ? ` ${fields.err}` : ''}`),
    debug: (fields: object) => void failures.push('reason' in fields ? String(fields.reason) : ''),
  };
  const converter = new MediaConverter({ directory, maxBytes: 100 * 1024 * 1024, clock: createManualClock(), log, ...options });
  const unreleased = new Set<string>();

  const world: ConversionWorld = {
    converter,
    inputs,
    warnings,
    failures,
    unreleased,
    async fetched(bytes, use, { reusable = false } = {}) {
      const path = join(base, `fetched-${randomBytes(8).toString('hex')}`);
      await writeFile(path, bytes);
      unreleased.add(path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const found = await findType(path, new AbortController().signal);
      const release = async () => void (unreleased.delete(path) && (await rm(path)));
      return { path, size: bytes.length, sha256, mimeType: 'application/x-fetched', found, use, reusable, release };
    },
    async prepare(bytes, use, { accountId = 'account', ...change } = {}) {
      return converter.prepare(await world.fetched(bytes, use, change), accountId);
    },
    files: () => readdir(directory).catch(() => []),
    async close() {
      await converter.close();
      await rm(base, { recursive: true });
    },
  };
  return world;
}

/** Runs ffmpeg to make an input, and returns the bytes it wrote. `name` chooses the format. */
export async function made(world: ConversionWorld, name: string, args: readonly string[]): Promise<Buffer> {
  const path = join(world.inputs, `${randomBytes(4).toString('hex')}-${name}`);
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...args, '-threads', '1', path]);
  return readFile(path);
}

/** What ffprobe says of a file. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into an answer whose shape they are about to assert
export async function probe(path: string): Promise<any> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]);
  return JSON.parse(stdout);
}

/** Expects the file as it was fetched, without facts, and that the converter kept nothing of it. */
export async function expectOriginal(world: ConversionWorld, media: FetchedMedia, bytes: Uint8Array): Promise<void> {
  expect(media).toMatchObject({ size: bytes.length, mimeType: 'application/x-fetched' });
  expect(media.facts).toBeUndefined();
  expect((await readFile(media.path)).equals(bytes)).toBe(true);
  await media.release();
  expect(world.unreleased.size).toBe(0);
  expect(await world.files()).toEqual([]);
}
