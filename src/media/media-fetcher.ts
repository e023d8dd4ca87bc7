import { type Clock, GatewayError } from '../core/index.ts';
import type { MediaUse } from '../kinds/index.ts';
import type { MediaFile } from '../networks/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { createDownloader, type HeldFile } from './download.ts';
import { fetchFailure } from './fetch-failure.ts';
import { createFileCache, type FileCacheLimits } from './file-cache.ts';
import { chooseMediaType } from './media-type.ts';
import { createSlots } from './slots.ts';
import { createTemporaryFiles } from './temporary-files.ts';

/** A fetched file. It may be shared with other sends, so it is read and never changed. */
export interface FetchedMedia extends MediaFile {
  /** What it will be delivered as: where a conversion (voice note, sticker, thumbnail) takes hold, with the first network that needs one. */
  readonly use: MediaUse | null;
  /** Lets go of the file; the last user's release removes it, unless it is kept for reuse. Calling it twice is harmless. */
  release(): Promise<void>;
}

export interface FetchOptions {
  /** `mime_type` of the request. */
  readonly declaredMimeType?: string | undefined;
  /** The media type when neither the request nor the server names one. */
  readonly fallbackMimeType: string;
  readonly use?: MediaUse | undefined;
  /** Whose share of the simultaneous fetches this counts against. */
  readonly accountId?: string | undefined;
}

/** Fetches the files behind approved links to local disk (decisions §7). */
export interface MediaFetcher {
  /**
   * The file behind the link. Several fetches of one link at a time are one download, and an unchanged file is not downloaded again.
   * Throws GatewayError `media_fetch_failed` when it cannot be had within 60 s, `upstream_unavailable` when the fetcher is being closed.
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
  readonly cache?: FileCacheLimits | undefined;
  /** PEM certificates trusted for https instead of Node's own. */
  readonly certificateAuthorities?: string | undefined;
}

/** A download under way and how many fetches wait for it. */
interface Flight {
  readonly held: Promise<HeldFile>;
  waiting: number;
}

const totalMs = 60_000;
const defaultCache = { maxEntries: 64, maxBytes: 512 * 1024 * 1024 };

export function createMediaFetcher(options: MediaFetcherOptions): MediaFetcher {
  const { guard, clock, maxBytes } = options;
  const files = createTemporaryFiles(options.directory);
  const cache = createFileCache(options.cache ?? defaultCache);
  const downloader = createDownloader({ guard, clock, files, cache, maxBytes, certificateAuthorities: options.certificateAuthorities });
  const slots = createSlots(options.maxConcurrent ?? 64, options.maxConcurrentPerAccount ?? 16);
  const flights = new Map<string, Flight>();
  const deadlines = new Set<Deadline>();
  let closed = false;

  function begin(approved: ApprovedUrl, accountId: string | undefined): Flight {
    // Out of the map before anybody learns the outcome: nobody joins a flight that has landed.
    const held = download(approved, accountId ?? null).finally(() => flights.delete(approved.url));
    const flight = { held, waiting: 0 };
    flights.set(approved.url, flight);
    return flight;
  }

  async function download(approved: ApprovedUrl, accountId: string | null): Promise<HeldFile> {
    const fresh = downloader.fresh(approved.url);
    if (fresh !== null) return fresh;
    // Waiting for a slot counts too: the caller waits for an answer all the same.
    const deadline = startDeadline(clock, totalMs, () => fetchFailure(`it took longer than ${totalMs / 1000} seconds`));
    deadlines.add(deadline);
    try {
      const free = await slots.take(accountId, deadline.signal);
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
    async fetch(approved, { declaredMimeType, fallbackMimeType, use, accountId }) {
      if (closed) throw closing();
      const flight = flights.get(approved.url) ?? begin(approved, accountId);
      flight.waiting += 1;
      try {
        const { shared } = await flight.held;
        const { path, size, sha256, contentType } = shared.file;
        const release = shared.hold();
        return {
          path,
          size,
          sha256,
          mimeType: chooseMediaType(declaredMimeType, contentType, fallbackMimeType),
          use: use ?? null,
          release,
        };
      } finally {
        flight.waiting -= 1;
        // The flight's own hold ends when everybody who waited has one; a failed flight holds nothing.
        if (flight.waiting === 0)
          await flight.held.then(
            (held) => held.letGo(),
            () => {},
          );
      }
    },
    async close() {
      closed = true;
      for (const deadline of deadlines) deadline.abort(closing());
      await Promise.allSettled([...flights.values()].map((flight) => flight.held));
      await cache.clear();
    },
  };
}

function closing(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The gateway is shutting down; retry shortly.');
}
