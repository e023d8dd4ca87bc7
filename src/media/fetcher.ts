import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Clock, isOutOfFiles, type Log, Semaphore } from '../core/index.ts';
import type { MediaUse } from '../kinds/index.ts';
import type { MediaFile } from '../networks/index.ts';
import { type SampleName, samplesFolder, sampleType } from '../samples/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import { type CachedDownload, type Download, Downloader } from './download.ts';
import { fetchFailure } from './fetch-failure.ts';
import { LimitedWork } from './limited-work.ts';
import { chooseMediaType } from './media-type.ts';
import { type CacheLimits, type Held, SharedCache, SingleFlight } from './shared.ts';
import { TemporaryFiles } from './temporary-files.ts';

/** A fetched file. It may be shared with other sends, so it is read and never changed. */
export interface FetchedMedia extends MediaFile {
  /** What it will be delivered as. */
  readonly use: MediaUse;
  /** The media type of its bytes; null: they have none of their own. */
  readonly found: string | null;
  /** Its server lets it be used again, so what is made of it may be kept for a while too. */
  readonly reusable: boolean;
  /** Lets go of the file; the last user's release removes it, unless it is kept for reuse. It never fails, and calling it twice is harmless. */
  release(): Promise<void>;
}

export interface FetchOptions {
  /** `mime_type` of the request. */
  readonly declaredMimeType?: string | undefined;
  /** The name under which a document arrives. */
  readonly filename?: string | undefined;
  /** The media type of a file of which nothing else is known. */
  readonly fallbackMimeType: string;
  readonly use: MediaUse;
  /** Whose share of the simultaneous fetches this counts against. */
  readonly accountId?: string | undefined;
}

export interface FetcherOptions {
  readonly guard: AddressGuard;
  /** For temporary files; made when absent; no other running process may use it. */
  readonly directory: string;
  /** Largest file in bytes. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
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

/** Fetches the files behind approved links to local disk (decisions §7). */
export class Fetcher {
  readonly #files: TemporaryFiles;
  readonly #cache: SharedCache<CachedDownload>;
  readonly #downloader: Downloader;
  readonly #work: LimitedWork;
  readonly #flights = new SingleFlight<Download>();
  /** The gateway's own sample files; each is read once. */
  readonly #samples = new Map<SampleName, Download>();

  constructor({ cache = defaultCache, maxConcurrent = 64, maxConcurrentPerAccount = 16, ...options }: FetcherOptions) {
    this.#files = new TemporaryFiles(options.directory, options.log);
    this.#cache = new SharedCache(cache);
    const { guard, clock, maxBytes, certificateAuthorities } = options;
    this.#downloader = new Downloader({ guard, clock, files: this.#files, cache: this.#cache, maxBytes, certificateAuthorities });
    this.#work = new LimitedWork({
      clock,
      totalMs,
      tookTooLong: () => fetchFailure(`it took longer than ${totalMs / 1000} seconds`),
      slots: new Semaphore(maxConcurrent, maxConcurrentPerAccount),
    });
  }

  /**
   * The file behind the link. Several fetches of one account for one link at a time are one download, and an unchanged file is not downloaded again.
   * Throws GatewayError `media_fetch_failed` when it cannot be had within 60 s or cannot be sent as what it is for, `upstream_unavailable` when this
   * is closed, and StoreUnavailable when the disk is full.
   */
  async fetch(approved: ApprovedUrl, options: FetchOptions): Promise<FetchedMedia> {
    this.#work.refuseIfClosed();
    const { declaredMimeType: declared, filename, fallbackMimeType: fallback, use, accountId } = options;
    const typed = ({ contentType, ...file }: Download) => {
      const mimeType = chooseMediaType({ use, found: file.found, declared, filename, contentType, fallback });
      return { ...file, mimeType, use };
    };
    try {
      // Nobody may remove a sample, so there is nothing to let go of.
      if (approved.sample !== undefined) return { ...typed(await this.#sample(approved.sample)), release: async () => {} };
      const begin = () => this.#download(approved, accountId ?? null);
      // An account waits in no queue but its own.
      const name = `${accountId ?? ''} ${approved.url}`;
      return await this.#flights.join(name, begin, (shared) => ({ ...typed(shared.value), release: shared.hold() }));
    } catch (error) {
      throw isOutOfFiles(error) ? fetchFailure('the gateway cannot open another file at present', error) : error;
    }
  }

  /** Removes what a crash left behind. To be called once, before the first fetch. Returns how many files there were. */
  cleanUp(): Promise<number> {
    return this.#files.cleanUp();
  }

  /** Aborts running fetches and removes the files kept for reuse. Files in use stay until they are released. */
  async close(): Promise<void> {
    this.#work.close();
    await this.#flights.ended();
    await this.#cache.clear();
  }

  async #download(approved: ApprovedUrl, accountId: string | null): Promise<Held<Download>> {
    // Waiting for a slot counts too: the caller waits for an answer all the same.
    return this.#downloader.fresh(approved.url) ?? this.#work.run(accountId, (deadline) => this.#downloader.download(approved, deadline));
  }

  async #sample(name: SampleName): Promise<Download> {
    const known = this.#samples.get(name);
    if (known !== undefined) return known;
    const path = fileURLToPath(new URL(name, samplesFolder));
    const content = await readFile(path);
    const sha256 = hash('sha256', content, 'hex');
    const file = { path, size: content.length, sha256, found: sampleType(name), contentType: null, reusable: true };
    this.#samples.set(name, file);
    return file;
  }
}
