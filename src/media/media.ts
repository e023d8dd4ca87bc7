import { type Log, StoreUnavailable } from '../core/index.ts';
import { MediaConverter } from './conversion/media-converter.ts';
import { Fetcher, type FetcherOptions } from './fetcher.ts';

export type MediaFetcher = Pick<Fetcher, keyof Fetcher>;

/** A fetcher whose files come prepared for what they are delivered as (decisions §7): in the shape and with the facts of their kind. */
export function createMedia(options: FetcherOptions & { readonly log: Pick<Log, 'debug' | 'warn' | 'error'> }): MediaFetcher {
  const { directory, maxBytes, clock, log } = options;
  const fetcher = new Fetcher(options);
  const converter = new MediaConverter({ directory, maxBytes, clock, log });
  return {
    cleanUp: () => fetcher.cleanUp(),
    async fetch(approved, options) {
      const fetched = await fetcher.fetch(approved, options).catch((error: unknown) => {
        // Nobody else may notice: the store can be elsewhere.
        if (error instanceof StoreUnavailable) log.error({}, error.message);
        throw error;
      });
      return converter.prepare(fetched, options.accountId ?? null);
    },
    async close() {
      await fetcher.close();
      await converter.close();
    },
  };
}
