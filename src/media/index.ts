export { type AddressGuard, type ApprovedUrl, createAddressGuard } from './address-guard.ts';
export { createLogoMaker, type LogoMaker } from './logo.ts';
export type { Lookup } from './lookup.ts';
export { createMedia } from './media.ts';
export type { FetchedMedia, FetchOptions, MediaFetcher } from './media-fetcher.ts';
export { createWebhookPost, type WebhookPost } from './webhook-post.ts';
