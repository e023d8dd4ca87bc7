import { type Clock, GatewayError, Semaphore } from '../core/index.ts';
import type { MediaUse } from '../kinds/index.ts';
import type { MediaFile } from '../networks/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { createDownloader, type Download, type DownloadCache, type Fetched } from './download.ts';
import { fetchFailure } from './fetch-failure.ts';
import { createFlights } from './flights.ts';
import { chooseMediaType } from './media-type.ts';
import { createSampleFiles } from './sample-files.ts';
import type { Held } from './shared.ts';
import { type CacheLimits, createSharedCache } from './shared-cache.ts';
import { createTemporaryFiles } from './temporary-files.ts';

/** A fetched file. It may be shared with other sends, so it is read and never changed. */
export interface FetchedMedia extends MediaFile {
  /** What it will be delivered as. */
  readonly use: MediaUse;
  /** The media type that its bytes tell; null: they tell none. */
  readonly found: string | null;
  /** Its server lets it be used again, so what is made of it may be kept for a while too. */
  readonly reusable: boolean;
  /** Lets go of the file; the last user's release removes it, unless it is kept for reuse. Calling it twice is harmless. */
  release(): Promise<void>;
}

export interface FetchOptions {
  /** `mime_type` of the request. */
  readonly declaredMimeType?: string | undefined;
  /** The name under which a document arrives. */
  readonly filename?: string | undefined;
  /** The media type when nothing tells it. */
  readonly fallbackMimeType: string;
  readonly use: MediaUse;
  /** Whose share of the simultaneous fetches this counts against. */
  readonly accountId?: string | undefined;
}

/** Fetches the files behind approved links to local disk (decisions §7). */
export interface MediaFetcher {
  /**
   * The file behind the link. Several fetches of one link at a time are one download, and an unchanged file is not downloaded again.
   * Throws GatewayError `media_fetch_failed` when it cannot be had within 60 s or cannot be what it is to be sent as, `upstream_unavailable` when the fetcher is being closed.
   */
  fetch(approved: ApprovedUrl, options: FetchOptions): Promise<FetchedMedia>;
  /** Removes what a crash left behind. To be called once, before the first fetch. Returns how many files there were. */
  cleanUp(): Promise<number>;
  /** Aborts running fetches and removes the files kept for reuse. Files in use stay until they are released. */
  close(): Promise<void>;
}

export interface MediaFetcherOptions {
  readonly guard: AddressGuard;
  /** For temporary files; made when absent; no other running process may use it. */
  readonly directory: string;
  /** Largest file in bytes. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Simultaneous downloads; further ones wait. */
  readonly maxConcurrent?: number | undefined;
  readonly maxConcurrentPerAccount?: number | undefined;
  /** What is kept for reuse. */
  readonly cache?: CacheLimits | undefined;
  /** PEM certificates trusted for https instead of Node's own. */
  readonly certificateAuthorities?: string | undefined;
}

const totalMs = 60_000;
const defaultCache = { maxEntries: 64, maxBytes: 512 * 1024 * 1024 };

export function createMediaFetcher(options: MediaFetcherOptions): MediaFetcher {
  const { guard, clock, maxBytes } = options;
  const files = createTemporaryFiles(options.directory);
  const cache: DownloadCache = createSharedCache(options.cache ?? defaultCache);
  const downloader = createDownloader({ guard, clock, files, cache, maxBytes, certificateAuthorities: options.certificateAuthorities });
  const semaphore = new Semaphore(options.maxConcurrent ?? 64, options.maxConcurrentPerAccount ?? 16);
  const flights = createFlights<Download>();
  const samples = createSampleFiles();
  const deadlines = new Set<Deadline>();
  let closed = false;

  async function download(approved: ApprovedUrl, accountId: string | null): Promise<Held<Download>> {
    const fresh = downloader.fresh(approved.url);
    if (fresh !== null) return fresh;
    // Waiting for a slot counts too: the caller waits for an answer all the same.
    const deadline = startDeadline(clock, totalMs, () => fetchFailure(`it took longer than ${totalMs / 1000} seconds`));
    deadlines.add(deadline);
    try {
      const free = await semaphore.take(accountId, deadline.signal);
      try {
        return await downloader.download(approved, deadline);
      } finally {
        free();
      }
    } finally {
      deadline.end();
      deadlines.delete(deadline);
    }
  }

  return {
    cleanUp: files.cleanUp,
    async fetch(approved, { declaredMimeType: declared, filename, fallbackMimeType: fallback, use, accountId }) {
      if (closed) throw closing();
      const typed = ({ contentType, ...file }: Fetched) => {
        const mimeType = chooseMediaType({ use, found: file.found, declared, filename, contentType, fallback });
        return { ...file, mimeType, use };
      };
      if (approved.sample !== undefined) {
        // Nobody may remove it, so there is nothing to let go of.
        return { ...typed(await samples.file(approved.sample)), reusable: true, release: async () => {} };
      }
      const begin = () => download(approved, accountId ?? null);
      return flights.join(approved.url, begin, ({ shared }) => {
        const { reusable, ...fetched } = shared.value;
        return { ...typed(fetched), reusable, release: shared.hold() };
      });
    },
    async close() {
      closed = true;
      for (const deadline of deadlines) deadline.abort(closing());
      await flights.landed();
      await cache.clear();
    },
  };
}

function closing(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The gateway is shutting down; retry shortly.');
}
