import { useSyncExternalStore } from 'react';
import { reach } from './reach.ts';

/** When the server was heard of last, in ms since 1970, while it does not answer; null: it does. */
export function useSilence(): number | null {
  return useSyncExternalStore(reach.listen, reach.silentSince);
}
