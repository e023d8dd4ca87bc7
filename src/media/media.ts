import { createMediaConverter, type MediaConverterOptions } from './conversion/media-converter.ts';
import { createMediaFetcher, type MediaFetcher, type MediaFetcherOptions } from './media-fetcher.ts';

/** A fetcher whose files come prepared for what they are delivered as (decisions §7): in the shape and with the facts of their kind. */
export function createMedia({ log, ...options }: MediaFetcherOptions & Pick<MediaConverterOptions, 'log'>): MediaFetcher {
  const { directory, maxBytes, clock } = options;
  const fetcher = createMediaFetcher(options);
  const converter = createMediaConverter({ directory, maxBytes, clock, log });
  return {
    cleanUp: fetcher.cleanUp,
    async fetch(approved, wishes) {
      return converter.prepare(await fetcher.fetch(approved, wishes), wishes.accountId ?? null);
    },
    async close() {
      await fetcher.close();
      await converter.close();
    },
  };
}
