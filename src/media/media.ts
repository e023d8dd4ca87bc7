import { MediaConverter, type MediaConverterOptions } from './conversion/media-converter.ts';
import { Fetcher, type FetcherOptions } from './fetcher.ts';

export type MediaFetcher = Pick<Fetcher, keyof Fetcher>;

/** A fetcher whose files come prepared for what they are delivered as (decisions §7): in the shape and with the facts of their kind. */
export function createMedia({ log, ...options }: FetcherOptions & Pick<MediaConverterOptions, 'log'>): MediaFetcher {
  const { directory, maxBytes, clock } = options;
  const fetcher = new Fetcher(options);
  const converter = new MediaConverter({ directory, maxBytes, clock, log });
  return {
    cleanUp: () => fetcher.cleanUp(),
    fetch: async (approved, options) => converter.prepare(await fetcher.fetch(approved, options), options.accountId ?? null),
    async close() {
      await fetcher.close();
      await converter.close();
    },
  };
}
