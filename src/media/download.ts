import { isUtf8 } from 'node:buffer';
import type { Clock } from '../core/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure } from './fetch-failure.ts';
import { findType } from './found-type.ts';
import { type ReusePolicy, reusePolicy } from './freshness.ts';
import { type Answer, pinnedRequest } from './pinned-request.ts';
import { readBody } from './read-body.ts';
import { type SavedFile, saveFile } from './save-file.ts';
import { type Held, held, type Shared, share } from './shared.ts';
import type { SharedCache } from './shared-cache.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** A file and what tells its media type. */
export interface Fetched extends SavedFile {
  /** The media type that its bytes tell; null: they tell none. */
  readonly found: string | null;
  /** The Content-Type the server sent with it. */
  readonly contentType: string | null;
}

/** A downloaded file. */
export interface Download extends Fetched {
  /** Its server lets it be used again. */
  readonly reusable: boolean;
}

/** A download that may be used again, and under which conditions. */
interface CachedDownload {
  readonly shared: Shared<Download>;
  readonly bytes: number;
  readonly policy: ReusePolicy;
  /** On the clock's stopwatch: a calendar that is set back must not keep a file fresh for longer. */
  readonly freshUntil: number;
}

/** Downloads by URL. */
export type DownloadCache = SharedCache<CachedDownload>;

/** Gets the file behind a link, from the network or from the cache. */
export interface Downloader {
  /** The file, if the cache has it and it is still fresh. */
  fresh(url: string): Held<Download> | null;
  /** Follows up to 3 redirects, each approved by the guard. Throws GatewayError `media_fetch_failed`, or the error of the local disk. */
  download(approved: ApprovedUrl, deadline: Deadline): Promise<Held<Download>>;
}

export interface DownloaderOptions {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly files: TemporaryFiles;
  readonly cache: DownloadCache;
  readonly maxBytes: number;
  readonly certificateAuthorities: string | undefined;
}

const maxRedirects = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

export function createDownloader({ guard, clock, files, cache, maxBytes, certificateAuthorities }: DownloaderOptions): Downloader {
  function fresh(url: string): Held<Download> | null {
    const cached = cache.get(url);
    return cached !== null && cached.freshUntil > clock.monotonic() ? held(cached.shared) : null;
  }

  /** One request, or none when the cache knows the answer. Returns the file, or where else to look for it. */
  async function step(target: ApprovedUrl, deadline: Deadline): Promise<Held<Download> | { readonly location: string }> {
    const known = fresh(target.url);
    if (known !== null) return known;
    const stale = cache.get(target.url);
    // The cache may drop the file while the server is asked whether it is unchanged.
    const keep = stale === null ? null : held(stale.shared);
    try {
      const headers = stale?.policy.conditional ?? {};
      const answer = await pinnedRequest({ approved: target, headers, deadline, certificateAuthorities });
      try {
        if (stale !== null && answer.status === 304) return await confirm(target.url, stale, answer);
        const location = redirectStatuses.includes(answer.status) ? answer.header('location') : null;
        if (location !== null) return { location };
        // A part of the file, which nobody asked for, is not the file.
        if (answer.status < 200 || answer.status > 299 || answer.status === 206) throw fetchFailure(`its server answered ${answer.status}`);
        return await keepNew(target.url, answer, deadline);
      } finally {
        answer.destroy();
      }
    } finally {
      await keep?.letGo();
    }
  }

  /** Holds the file that the server says is unchanged, and has the cache hold or drop it as the answer says. */
  async function confirm(url: string, { shared, bytes, policy: known }: CachedDownload, answer: Answer): Promise<Held<Download>> {
    const file = held(shared);
    const policy = reusePolicy(answer.header, clock.now(), known.headers);
    await keepFor(policy, url, { shared, bytes });
    return file;
  }

  /** Saves the body of an answer, holds the file, and has the cache hold it too if the answer says so. */
  async function keepNew(url: string, answer: Answer, deadline: Deadline): Promise<Held<Download>> {
    const saved = await saveFile(files, readBody(answer, maxBytes, deadline));
    const found = await findType(saved.path, deadline.signal).catch(async (error: unknown) => {
      await files.remove(saved.path);
      throw error;
    });
    const policy = reusePolicy(answer.header, clock.now());
    const download = { ...saved, found, contentType: answer.header('content-type'), reusable: policy !== null };
    const file = held(share(download, () => files.remove(saved.path)));
    await keepFor(policy, url, { shared: file.shared, bytes: saved.size });
    return file;
  }

  /** Has the cache hold a file as its policy says; null: not at all. */
  function keepFor(policy: ReusePolicy | null, url: string, file: Pick<CachedDownload, 'shared' | 'bytes'>): Promise<void> {
    return policy === null ? cache.delete(url) : cache.set(url, { ...file, policy, freshUntil: clock.monotonic() + policy.freshForMs });
  }

  async function approveRedirect(location: string, from: ApprovedUrl, deadline: Deadline): Promise<ApprovedUrl> {
    const url = URL.parse(asUtf8(location), from.url);
    if (url === null) throw fetchFailure('it redirects to a malformed link');
    const check = guard.check({ field: 'url', url: url.href }).catch((error: unknown) => {
      throw fetchFailure('it redirects to a link that is not allowed', error);
    });
    return deadline.race(check);
  }

  return {
    fresh,
    async download(approved, deadline) {
      let target = approved;
      for (let redirects = 0; ; redirects++) {
        const outcome = await step(target, deadline);
        if ('shared' in outcome) return outcome;
        if (redirects === maxRedirects) throw fetchFailure(`it redirects more than ${maxRedirects} times`);
        target = await approveRedirect(outcome.location, target, deadline);
      }
    },
  };
}

/** A header's value as browsers read it: Node takes each of its bytes for a character, and many servers write UTF-8. */
function asUtf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
