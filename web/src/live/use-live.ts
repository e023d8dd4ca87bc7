import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../api/address.ts';
import { sessionQuery, useSession } from '../session/session.ts';
import { applyEvent, liveKeys } from './apply-event.ts';
import { followEvents } from './follow.ts';
import { Refresher } from './refresher.ts';

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
    let poll: ReturnType<typeof setInterval> | undefined;
    const stop = followEvents({
      name: `live-events/${user.user_id}/${accountId ?? 'all'}`,
      url: addressOf('/portal/api/events', {}, { account_id: accountId }),
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
