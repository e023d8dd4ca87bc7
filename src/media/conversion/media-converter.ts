import { availableParallelism } from 'node:os';
import { type Clock, GatewayError, type Log, Semaphore } from '../../core/index.ts';
import type { MediaUse } from '../../kinds/index.ts';
import { type Deadline, startDeadline } from '../deadline.ts';
import { createFlights } from '../flights.ts';
import type { FetchedMedia } from '../media-fetcher.ts';
import { type Held, held, type Shared, share } from '../shared.ts';
import { type CacheLimits, createSharedCache, type SharedCache } from '../shared-cache.ts';
import { createTemporaryFiles } from '../temporary-files.ts';
import { asFetched, type Conversion, ConversionFailure, type Source, ToolMissing } from './conversion.ts';
import { countPdfPages } from './pdf-pages.ts';
import { convertImage, convertSticker } from './still.ts';
import { createStillReader } from './still-reader.ts';
import { describeVideo } from './video.ts';
import { convertVoice } from './voice.ts';

/** Prepares fetched files for what they are delivered as (decisions §7). */
export interface MediaConverter {
  /**
   * The file to deliver and what was learned of it. It takes the fetched file over: whoever releases the result needs to release nothing else.
   * What cannot be converted comes back as it was fetched. Throws GatewayError `upstream_unavailable` when the converter is being closed.
   */
  prepare(fetched: FetchedMedia, accountId: string | null): Promise<FetchedMedia>;
  /** Stops running conversions and removes the files kept for reuse. Files in use stay until they are released. */
  close(): Promise<void>;
}

export interface MediaConverterOptions {
  /** For temporary files; no other running process may use it. */
  readonly directory: string;
  /** Largest file in bytes. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug' | 'warn'>;
  /** Simultaneous conversions; further ones wait. */
  readonly maxConcurrent?: number | undefined;
  /** What is kept for reuse. */
  readonly cache?: CacheLimits | undefined;
}

interface CachedConversion {
  readonly shared: Shared<Conversion>;
  readonly bytes: number;
}

/** A sender waits for the outcome, so a conversion that has no prospect of coming soon is left. */
const waitMs = 20_000;
const workMs = 20_000;
const defaultCache = { maxEntries: 64, maxBytes: 128 * 1024 * 1024 };

export function createMediaConverter(options: MediaConverterOptions): MediaConverter {
  const { clock, log, maxBytes, maxConcurrent = Math.max(2, Math.floor(availableParallelism() / 2)) } = options;
  const files = createTemporaryFiles(options.directory);
  const cache: SharedCache<CachedConversion> = createSharedCache(options.cache ?? defaultCache);
  const stills = createStillReader(clock);
  const flights = createFlights<Conversion>();
  // One account's hard files must not keep all others waiting.
  const semaphore = new Semaphore(maxConcurrent, Math.max(1, maxConcurrent - 1));
  const deadlines = new Set<Deadline>();
  const told = new Set<string>();
  let closed = false;

  const convert: Record<MediaUse, (source: Source, signal: AbortSignal) => Promise<Conversion>> = {
    image: async (source, signal) => (isPicture(source) ? convertImage(source, { stills, files, maxBytes, signal }) : asFetched),
    sticker: async (source, signal) => (isPicture(source) ? convertSticker(source, { stills, files, maxBytes, signal }) : asFetched),
    video: describeVideo,
    voice: (source, signal) => convertVoice(source, { files, maxBytes, signal }),
    document: async (source) => {
      const pageCount = source.found === 'application/pdf' ? await countPdfPages(source) : null;
      return pageCount === null ? asFetched : { ...asFetched, facts: { pageCount } };
    },
  };

  /** The conversion of one file, from the cache or made now. It never fails unless the converter is closed. */
  async function obtain(name: string, fetched: FetchedMedia, use: MediaUse, accountId: string | null): Promise<Held<Conversion>> {
    const cached = cache.get(name);
    if (cached !== null) return held(cached.shared);
    const { conversion, final } = await attempt(fetched, use, accountId);
    const { file, facts } = conversion;
    const outcome = held(share(conversion, async () => (file === null ? undefined : files.remove(file.path))));
    const bytes = (file?.size ?? 0) + (facts?.thumbnail?.length ?? 0);
    if (final && fetched.reusable && !closed) await cache.set(name, { shared: outcome.shared, bytes });
    return outcome;
  }

  /** One try at a file. `final`: another one would come to the same. */
  async function attempt(
    fetched: FetchedMedia,
    use: MediaUse,
    accountId: string | null,
  ): Promise<{ conversion: Conversion; final: boolean }> {
    try {
      return {
        conversion: await withinLimits(accountId, (signal) => convert[use](fetched, signal)),
        final: true,
      };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      tell(error, use);
      return { conversion: asFetched, final: error instanceof ConversionFailure && error.lasting };
    }
  }

  async function withinLimits<T>(accountId: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = startDeadline(clock, waitMs + workMs, tookTooLong);
    deadlines.add(deadline);
    try {
      deadline.phase(waitMs, tookTooLong);
      const free = await semaphore.take(accountId, deadline.signal);
      try {
        deadline.phase(workMs, tookTooLong);
        return await work(deadline.signal);
      } finally {
        free();
      }
    } finally {
      deadline.end();
      deadlines.delete(deadline);
    }
  }

  /** What an operator can mend is said loudly, once; files that cannot be converted are their senders' business. */
  function tell(error: unknown, use: MediaUse): void {
    if (error instanceof ToolMissing) {
      if (told.has(error.message)) return;
      told.add(error.message);
      log.warn({}, `${error.message}: files are sent as they are, without conversion`);
    } else if (error instanceof ConversionFailure) log.debug({ use, reason: error.message }, 'a file is sent as it is');
    else log.warn({ err: error, use }, 'a conversion failed unexpectedly; the file is sent as it is');
  }

  return {
    async prepare(fetched, accountId) {
      const { use, sha256 } = fetched;
      try {
        if (closed) throw closing();
        const name = `${sha256} ${use}`;
        const begin = () => obtain(name, fetched, use, accountId);
        const { conversion, letGo } = await flights.join(name, begin, ({ shared }) => ({ conversion: shared.value, letGo: shared.hold() }));
        return await handOver(fetched, conversion, letGo);
      } catch (error) {
        await fetched.release();
        throw error;
      }
    },
    async close() {
      closed = true;
      for (const deadline of deadlines) deadline.abort(closing());
      await flights.landed();
      await stills.close();
      await cache.clear();
    },
  };
}

/** The fetched file in the shape it is delivered in. Of original and converted file only the one that is delivered stays. */
async function handOver(fetched: FetchedMedia, { file, mimeType, facts }: Conversion, letGo: () => Promise<void>): Promise<FetchedMedia> {
  const prepared = {
    ...fetched,
    ...(mimeType === null ? {} : { mimeType }),
    ...(facts === null ? {} : { facts }),
  };
  if (file === null) {
    await letGo();
    return prepared;
  }
  await fetched.release();
  return { ...prepared, path: file.path, size: file.size, sha256: file.sha256, release: letGo };
}

function isPicture({ found }: Source): boolean {
  return found?.startsWith('image/') ?? false;
}

function tookTooLong(): ConversionFailure {
  return new ConversionFailure('it took too long', false);
}

function closing(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The gateway is shutting down; retry shortly.');
}
