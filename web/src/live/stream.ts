import type { LiveEvent } from '../../../src/portal/wire/live.ts';
import { reach } from './reach.ts';

const eventNames: Readonly<Record<LiveEvent['event'], true>> = {
  reset: true,
  instance: true,
  instance_removed: true,
  numbers_stored: true,
  pairing: true,
  activity: true,
};

/** How long a stream may take to connect or reconnect before the page polls instead. */
const graceMs = 3000;
/** How long an attempt may take that neither succeeds nor fails, as behind a proxy that holds answers back. Browsers set no limit of their own. */
const openingMs = 20_000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** How long a hidden page keeps its stream. Browsers allow few connections per server, and many tabs would use them up. */
const unseenMs = 60_000;

interface StreamListener {
  event(told: LiveEvent): void;
  /** The server refused the stream, perhaps because the session is over. */
  refused(): void;
  /** Whether there is no stream at present, so that the page must poll. */
  polling(needed: boolean): void;
}

/** Follows the live events at this address until the returned function is called. It reconnects after every loss of the stream. */
export function followStream(url: string, listener: StreamListener): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let unseen: ReturnType<typeof setTimeout> | undefined;

  const pollUnlessBack = () => {
    grace ??= setTimeout(() => listener.polling(true), graceMs);
  };
  const back = () => {
    clearTimeout(grace);
    grace = undefined;
    clearTimeout(opening);
    failures = 0;
    reach.heard();
    listener.polling(false);
  };
  const limitOpening = (opened: EventSource) => {
    clearTimeout(opening);
    opening = setTimeout(() => {
      opened.close();
      open();
    }, openingMs);
  };
  const open = () => {
    const opened = new EventSource(url);
    source = opened;
    pollUnlessBack();
    limitOpening(opened);
    opened.onopen = back;
    opened.onerror = () => {
      pollUnlessBack();
      reach.doubt();
      // The browser itself reconnects after a broken connection and names the last event it got. After a refusal it gives up.
      if (opened.readyState !== EventSource.CLOSED) return limitOpening(opened);
      clearTimeout(opening);
      listener.refused();
      const wait = Math.min(lastRetryMs, firstRetryMs * 2 ** failures++);
      clearTimeout(retry);
      retry = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
    for (const event of Object.keys(eventNames)) {
      opened.addEventListener(event, ({ data }) => {
        reach.heard();
        listener.event({ event, data: JSON.parse(data) } as LiveEvent);
      });
    }
  };
  const close = () => {
    for (const timer of [retry, grace, opening, unseen]) clearTimeout(timer);
    grace = undefined;
    source?.close();
    source = null;
  };
  const seen = () => {
    clearTimeout(unseen);
    if (document.visibilityState === 'hidden') unseen = setTimeout(close, unseenMs);
    else if (source === null) open();
  };

  document.addEventListener('visibilitychange', seen);
  open();
  seen();
  return () => {
    document.removeEventListener('visibilitychange', seen);
    close();
  };
}
