export type { SearchReach } from './queries.ts';
export { type SearchResult, search } from './search.ts';
