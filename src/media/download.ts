import { isUtf8 } from 'node:buffer';
import type { Clock } from '../core/index.ts';
import type { AddressGuard, ApprovedUrl } from './address-guard.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure } from './fetch-failure.ts';
import { findType } from './found-type.ts';
import { type ReusePolicy, reusePolicy } from './freshness.ts';
import { type Answer, pinnedRequest } from './pinned-request.ts';
import { readBody } from './read-body.ts';
import { type Held, hold, Shared, type SharedCache } from './shared.ts';
import type { SavedFile, TemporaryFiles } from './temporary-files.ts';

export interface Download extends SavedFile {
  /** The media type of its bytes; null: they have none of their own. */
  readonly found: string | null;
  /** The Content-Type the server sent with it. */
  readonly contentType: string | null;
  /** Its server lets it be used again. */
  readonly reusable: boolean;
}

/** A download that may be used again, and under which conditions. */
export interface CachedDownload {
  readonly shared: Shared<Download>;
  readonly bytes: number;
  readonly policy: ReusePolicy;
  /** On the clock's stopwatch: a calendar that is set back must not keep a file fresh for longer. */
  readonly freshUntil: number;
}

interface DownloaderOptions {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly files: TemporaryFiles;
  readonly cache: SharedCache<CachedDownload>;
  readonly maxBytes: number;
  readonly certificateAuthorities: string | undefined;
}

const maxRedirects = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

/** Gets the file behind a link, from the network or from the cache. */
export class Downloader {
  readonly #options: DownloaderOptions;

  constructor(options: DownloaderOptions) {
    this.#options = options;
  }

  /** The file, if the cache has it and it is still fresh. */
  fresh(url: string): Held<Download> | null {
    const { cache, clock } = this.#options;
    const cached = cache.get(url);
    return cached !== null && cached.freshUntil > clock.monotonic() ? hold(cached.shared) : null;
  }

  /** Follows up to 3 redirects, each approved by the guard. Throws GatewayError `media_fetch_failed`, StoreUnavailable, or another error of the local disk. */
  async download(approved: ApprovedUrl, deadline: Deadline): Promise<Held<Download>> {
    let target = approved;
    for (let redirects = 0; ; redirects++) {
      const outcome = await this.#step(target, deadline);
      if ('shared' in outcome) return outcome;
      if (redirects === maxRedirects) throw fetchFailure(`it redirects more than ${maxRedirects} times`);
      target = await this.#approveRedirect(outcome.location, target, deadline);
    }
  }

  /** One request, or none when the cache knows the answer. Returns the file, or where else to look for it. */
  async #step(target: ApprovedUrl, deadline: Deadline): Promise<Held<Download> | { readonly location: string }> {
    const { cache, certificateAuthorities } = this.#options;
    const known = this.fresh(target.url);
    if (known !== null) return known;
    const stale = cache.get(target.url);
    // The cache may drop the file while the server is asked whether it is unchanged.
    const keep = stale === null ? null : hold(stale.shared);
    try {
      const headers = stale?.policy.conditional ?? {};
      const answer = await pinnedRequest({ approved: target, headers, deadline, certificateAuthorities });
      try {
        if (stale !== null && answer.status === 304) return await this.#confirm(target.url, stale, answer);
        const location = redirectStatuses.includes(answer.status) ? answer.header('location') : null;
        if (location !== null) return { location };
        // A part of the file, which nobody asked for, is not the file.
        if (answer.status < 200 || answer.status > 299 || answer.status === 206) throw fetchFailure(`its server answered ${answer.status}`);
        return await this.#keepNew(target.url, answer, deadline);
      } finally {
        answer.destroy();
      }
    } finally {
      await keep?.letGo();
    }
  }

  /** Holds the file that the server declares unchanged, and has the cache hold or drop it as the answer demands. */
  async #confirm(url: string, { shared, bytes, policy: known }: CachedDownload, answer: Answer): Promise<Held<Download>> {
    const file = hold(shared);
    await this.#cache(reusePolicy(answer.header, this.#options.clock.now(), known.headers), url, { shared, bytes });
    return file;
  }

  /** Saves the body of an answer and holds the file; the cache holds it too if the answer allows it. */
  async #keepNew(url: string, answer: Answer, deadline: Deadline): Promise<Held<Download>> {
    const { files, maxBytes, clock } = this.#options;
    const saved = await files.save(readBody(answer, maxBytes, deadline));
    const found = await findType(saved.path, deadline.signal).catch(async (error: unknown) => {
      await files.remove(saved.path);
      throw error;
    });
    const policy = reusePolicy(answer.header, clock.now());
    const download = { ...saved, found, contentType: answer.header('content-type'), reusable: policy !== null };
    const file = hold(new Shared(download, () => files.remove(saved.path)));
    await this.#cache(policy, url, { shared: file.shared, bytes: saved.size });
    return file;
  }

  /** Has the cache hold a file as its policy allows; null: not at all. */
  #cache(policy: ReusePolicy | null, url: string, file: Pick<CachedDownload, 'shared' | 'bytes'>): Promise<void> {
    const { cache, clock } = this.#options;
    return policy === null ? cache.delete(url) : cache.set(url, { ...file, policy, freshUntil: clock.monotonic() + policy.freshForMs });
  }

  async #approveRedirect(location: string, from: ApprovedUrl, deadline: Deadline): Promise<ApprovedUrl> {
    const url = URL.parse(asUtf8(location), from.url);
    if (url === null) throw fetchFailure('it redirects to a malformed link');
    const check = this.#options.guard.check({ field: 'url', url: url.href }).catch((error: unknown) => {
      throw fetchFailure('it redirects to a link that is not allowed', error);
    });
    return deadline.race(check);
  }
}

/** A header's value as browsers read it: Node takes each of its bytes for a character, and many servers write UTF-8. */
function asUtf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
