export { type AddressGuard, type ApprovedUrl, createAddressGuard } from './address-guard.ts';
export type { Lookup } from './lookup.ts';
export { createMediaFetcher, type FetchedMedia, type FetchOptions, type MediaFetcher, type MediaFetcherOptions } from './media-fetcher.ts';
