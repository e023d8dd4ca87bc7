import type { LiveEvent } from '../../../src/portal/wire/live.ts';
import { reach } from './reach.ts';
import { type SharedNews, shareStream } from './shared-stream.ts';

/** How long a stream may take to connect or reconnect before the page polls instead. */
const graceMs = 3000;
/** How long a hidden page takes part in the stream. */
const unseenMs = 60_000;

interface Followed {
  /** Whose events, and of which account: tabs with the same name share the stream. */
  readonly name: string;
  /** Of the stream that goes on after this event; null: that begins with `reset`. */
  urlAfter(event: string | null): string;
  /** The event up to which everything is loaded; null: nobody knows. */
  readonly after: string | null;
  onEvent(event: LiveEvent): void;
  /** The server refused the stream, perhaps because the session is over. */
  onRefused(): void;
  /** Whether there is no stream at present, so that the page must poll. */
  onPolling(needed: boolean): void;
}

/** Follows live events while the page can be seen, until the returned function is called. */
export function followEvents({ name, urlAfter, after, onEvent, onRefused, onPolling }: Followed): () => void {
  let leave: (() => void) | null = null;
  let loaded = after;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let unseen: ReturnType<typeof setTimeout> | undefined;

  const pollUnlessBack = () => {
    grace ??= setTimeout(() => onPolling(true), graceMs);
  };
  const stopPolling = () => {
    clearTimeout(grace);
    grace = undefined;
    onPolling(false);
  };
  const onNews = (news: SharedNews) => {
    switch (news.kind) {
      case 'opening':
        return pollUnlessBack();
      case 'open':
        reach.heard();
        return stopPolling();
      case 'joined':
        stopPolling();
        return onEvent({ event: 'reset', data: {} });
      case 'event':
        reach.heard();
        return onEvent(news.event);
      case 'broken':
        pollUnlessBack();
        return reach.doubt();
      case 'refused':
        onRefused();
    }
  };
  const stop = () => {
    clearTimeout(grace);
    clearTimeout(unseen);
    grace = undefined;
    leave?.();
    leave = null;
  };
  const look = () => {
    clearTimeout(unseen);
    if (document.visibilityState === 'hidden') {
      unseen = setTimeout(stop, unseenMs);
    } else if (leave === null) {
      pollUnlessBack();
      leave = shareStream({ name, urlAfter, after: loaded, onNews });
      // Whoever leaves and comes back has missed something.
      loaded = null;
    }
  };

  document.addEventListener('visibilitychange', look);
  // The browser may keep a page that was left, and show it again as it was.
  addEventListener('pagehide', stop);
  addEventListener('pageshow', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pagehide', stop);
    removeEventListener('pageshow', look);
    stop();
  };
}
