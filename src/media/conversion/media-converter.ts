import { availableParallelism } from 'node:os';
import { type Clock, GatewayError, type Log, Semaphore } from '../../core/index.ts';
import type { MediaUse } from '../../kinds/index.ts';
import type { FetchedMedia } from '../fetcher.ts';
import { LimitedWork } from '../limited-work.ts';
import { type CacheLimits, type Held, hold, Shared, SharedCache, SingleFlight } from '../shared.ts';
import { TemporaryFiles } from '../temporary-files.ts';
import { asFetched, type Conversion, ConversionFailure, type Source, ToolMissing } from './conversion.ts';
import { convertImage, convertSticker } from './still.ts';
import { StillReader } from './still-reader.ts';
import { describeVideo } from './video.ts';
import { convertVoice } from './voice.ts';

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
const defaultConcurrent = Math.max(2, Math.floor(availableParallelism() / 2));

/** Prepares fetched files for what they are delivered as (decisions §7). */
export class MediaConverter {
  readonly #log: MediaConverterOptions['log'];
  readonly #maxBytes: number;
  readonly #files: TemporaryFiles;
  readonly #cache: SharedCache<CachedConversion>;
  readonly #stills: StillReader;
  readonly #flights = new SingleFlight<Conversion>();
  readonly #work: LimitedWork;
  readonly #reported = new Set<string>();

  constructor({ directory, maxBytes, clock, log, maxConcurrent = defaultConcurrent, cache = defaultCache }: MediaConverterOptions) {
    this.#log = log;
    this.#maxBytes = maxBytes;
    this.#files = new TemporaryFiles(directory, log);
    this.#cache = new SharedCache(cache);
    this.#stills = new StillReader(clock);
    // One account's hard files must not keep all others waiting.
    const slots = new Semaphore(maxConcurrent, Math.max(1, maxConcurrent - 1));
    this.#work = new LimitedWork({ clock, totalMs: waitMs + workMs, tookTooLong, slots });
  }

  /**
   * The file to deliver and what was learned of it. It takes the fetched file over: whoever releases the result needs to release nothing else.
   * What cannot be converted comes back as it was fetched. Throws GatewayError `upstream_unavailable` when the converter is being closed.
   */
  async prepare(fetched: FetchedMedia, accountId: string | null): Promise<FetchedMedia> {
    const { use, sha256 } = fetched;
    try {
      this.#work.refuseIfClosed();
      const name = `${sha256} ${use}`;
      const begin = () => this.#obtain(name, fetched, accountId);
      // An account waits in no queue but its own.
      const flight = `${accountId ?? ''} ${name}`;
      const { conversion, letGo } = await this.#flights.join(flight, begin, (shared) => ({
        conversion: shared.value,
        letGo: shared.hold(),
      }));
      return await deliverable(fetched, conversion, letGo);
    } catch (error) {
      await fetched.release();
      throw error;
    }
  }

  /** Stops running conversions and removes the files kept for reuse. Files in use stay until they are released. */
  async close(): Promise<void> {
    this.#work.close();
    await this.#flights.ended();
    await this.#stills.close();
    await this.#cache.clear();
  }

  /** The conversion of one file, from the cache or made now. It never fails unless the converter is closed. */
  async #obtain(name: string, fetched: FetchedMedia, accountId: string | null): Promise<Held<Conversion>> {
    const cached = this.#cache.get(name);
    if (cached !== null) return hold(cached.shared);
    const { conversion, final } = await this.#attempt(fetched, accountId);
    const { file, facts } = conversion;
    const outcome = hold(new Shared(conversion, async () => (file === null ? undefined : this.#files.remove(file.path))));
    const bytes = (file?.size ?? 0) + (facts?.thumbnail?.length ?? 0);
    if (final && fetched.reusable && !this.#work.closed) await this.#cache.set(name, { shared: outcome.shared, bytes });
    return outcome;
  }

  /** One try at a file. `final`: another one would come to the same. */
  async #attempt(fetched: FetchedMedia, accountId: string | null): Promise<{ conversion: Conversion; final: boolean }> {
    try {
      const conversion = await this.#work.run(
        accountId,
        (deadline) => {
          deadline.phase(workMs, tookTooLong);
          return this.#convert(fetched, fetched.use, deadline.signal);
        },
        waitMs,
      );
      return { conversion, final: true };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      this.#report(error, fetched.use);
      return { conversion: asFetched, final: error instanceof ConversionFailure && error.lasting };
    }
  }

  async #convert(source: Source, use: MediaUse, signal: AbortSignal): Promise<Conversion> {
    const means = { stills: this.#stills, files: this.#files, maxBytes: this.#maxBytes, signal };
    const isPicture = source.found?.startsWith('image/') ?? false;
    switch (use) {
      case 'image':
        return isPicture ? convertImage(source, means) : asFetched;
      case 'sticker':
        return isPicture ? convertSticker(source, means) : asFetched;
      case 'video':
        return describeVideo(source, signal);
      case 'voice':
        return convertVoice(source, means);
      case 'document':
        return asFetched;
    }
  }

  /** A missing tool, which an operator can install, is a warning, once; files that cannot be converted are their senders' business. */
  #report(error: unknown, use: MediaUse): void {
    if (error instanceof ToolMissing) {
      if (this.#reported.has(error.message)) return;
      this.#reported.add(error.message);
      this.#log.warn({}, `${error.message}: files are sent as they are, without conversion`);
    } else if (error instanceof ConversionFailure) this.#log.debug({ use, reason: error.message }, 'a file is sent as it is');
    else this.#log.warn({ err: error, use }, 'a conversion failed unexpectedly; the file is sent as it is');
  }
}

/** The fetched file in the shape it is delivered in. Of original and converted file only the one that is delivered stays. */
async function deliverable(
  fetched: FetchedMedia,
  { file, mimeType, facts }: Conversion,
  letGo: () => Promise<void>,
): Promise<FetchedMedia> {
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

function tookTooLong(): ConversionFailure {
  return new ConversionFailure('it took too long', false);
}
