import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../api/address.ts';
import { sessionQuery, useSession } from '../session/session.ts';
import { applyEvent, liveKeys } from './apply-event.ts';
import { followEvents } from './follow.ts';
import { Refresher } from './refresher.ts';

/** The key of the event up to which the first page has loaded what happened to this account, or to all. */
export const loadedKey = (accountId: string | null) => ['loaded-up-to', accountId] as const;

/** How often a page polls while it has no stream. */
const pollMs = 2500;

/**
 * Keeps what the pages show current: one stream of live events for all tabs, or asking every 2.5 s while there is none. Mounted once, in the
 * frame of the signed-in pages; pages take part by their query keys alone (`liveKeys`).
 */
export function useLive(): void {
  const queryClient = useQueryClient();
  const { account, user } = useSession();
  const accountId = account?.account_id ?? null;
  useEffect(() => {
    const refresher = new Refresher(queryClient);
    const after = queryClient.getQueryData<string>(loadedKey(accountId)) ?? null;
    // Only what the first page has loaded is that new.
    queryClient.removeQueries({ queryKey: loadedKey(accountId) });
    let poll: ReturnType<typeof setInterval> | undefined;
    const stop = followEvents({
      name: `live-events/${user.user_id}/${accountId ?? 'all'}`,
      urlAfter: (event) => addressOf('/portal/api/events', {}, { account_id: accountId, last_event_id: event }),
      after,
      onEvent: (event) => applyEvent(queryClient, refresher, accountId, event),
      onRefused: () => refresher.refresh(sessionQuery.queryKey),
      onPolling(needed) {
        clearInterval(poll);
        if (!needed) return;
        poll = setInterval(() => {
          if (document.visibilityState === 'visible') refresher.refresh(...liveKeys(accountId));
        }, pollMs);
      },
    });
    return () => {
      stop();
      clearInterval(poll);
      refresher.stop();
    };
  }, [queryClient, accountId, user.user_id]);
}
