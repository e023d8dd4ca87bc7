export { type AddressGuard, type ApprovedUrl, createAddressGuard } from './address-guard.ts';
export type { FetchedMedia, FetchOptions } from './fetcher.ts';
export { createLogoMaker, type LogoMaker } from './logo.ts';
export type { Lookup } from './lookup.ts';
export { createMedia, type MediaFetcher } from './media.ts';
export { createWebhookPost, type WebhookPost } from './webhook-post.ts';
