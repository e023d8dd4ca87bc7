import { createHash } from 'node:crypto';
import type { Clock } from '../core/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure } from './fetch-failure.ts';
import type { FileCache } from './file-cache.ts';
import { reusePolicy } from './freshness.ts';
import { type Answer, pinnedRequest } from './pinned-request.ts';
import { readBody } from './read-body.ts';
import { type SavedFile, type SharedFile, shareFile } from './shared-file.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** A file and what lets go of it. */
export interface HeldFile {
  readonly shared: SharedFile;
  readonly letGo: () => Promise<void>;
}

/** Gets the file behind a link, from the network or from the cache. */
export interface Downloader {
  /** The file, if the cache has it and it is still fresh. */
  fresh(url: string): HeldFile | null;
  /** Follows up to 3 redirects, each approved by the guard. Throws GatewayError `media_fetch_failed`, or the error of the local disk. */
  download(approved: ApprovedUrl, deadline: Deadline): Promise<HeldFile>;
}

export interface DownloaderOptions {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly files: TemporaryFiles;
  readonly cache: FileCache;
  readonly maxBytes: number;
  readonly certificateAuthorities: string | undefined;
}

const maxRedirects = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

export function createDownloader({ guard, clock, files, cache, maxBytes, certificateAuthorities }: DownloaderOptions): Downloader {
  function fresh(url: string): HeldFile | null {
    const cached = cache.get(url);
    return cached !== null && cached.policy.freshUntil > clock.now() ? held(cached.shared) : null;
  }

  /** One request, or none when the cache knows the answer. Returns the file, or where else to look for it. */
  async function step(target: ApprovedUrl, deadline: Deadline): Promise<HeldFile | { readonly location: string }> {
    const known = fresh(target.url);
    if (known !== null) return known;
    const stale = cache.get(target.url);
    // The cache may drop the file while the server is asked whether it is unchanged.
    const keep = stale === null ? null : held(stale.shared);
    try {
      const headers = stale?.policy.conditional ?? {};
      const answer = await pinnedRequest({ approved: target, headers, deadline, certificateAuthorities });
      try {
        if (stale !== null && answer.status === 304) return await remember(target.url, stale.shared, answer, stale.policy.headers);
        const location = redirectStatuses.includes(answer.status) ? answer.header('location') : null;
        if (location !== null) return { location };
        // A part of the file, which nobody asked for, is not the file.
        if (answer.status < 200 || answer.status > 299 || answer.status === 206) throw fetchFailure(`its server answered ${answer.status}`);
        return await remember(target.url, shareFile(await save(answer, deadline), files.remove), answer);
      } finally {
        answer.destroy();
      }
    } finally {
      await keep?.letGo();
    }
  }

  /** Holds the file, and has the cache hold or drop it as the answer says. */
  async function remember(url: string, shared: SharedFile, answer: Answer, stored?: Readonly<Record<string, string>>): Promise<HeldFile> {
    const file = held(shared);
    const policy = reusePolicy(answer.header, clock.now(), stored);
    if (policy === null) await cache.delete(url);
    else await cache.set(url, { shared, policy });
    return file;
  }

  /** Streams the body to a temporary file, so that memory stays flat. */
  async function save(answer: Answer, deadline: Deadline): Promise<SavedFile> {
    const { path, handle } = await files.create();
    const hash = createHash('sha256');
    let size = 0;
    try {
      try {
        for await (const chunk of readBody(answer, maxBytes, deadline)) {
          size += chunk.length;
          hash.update(chunk);
          await handle.writeFile(chunk);
        }
      } finally {
        await handle.close();
      }
    } catch (error) {
      await files.remove(path);
      throw error;
    }
    return { path, size, sha256: hash.digest('hex'), contentType: answer.header('content-type') };
  }

  async function approveRedirect(location: string, from: ApprovedUrl, deadline: Deadline): Promise<ApprovedUrl> {
    const url = URL.parse(location, from.url);
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

function held(shared: SharedFile): HeldFile {
  return { shared, letGo: shared.hold() };
}
