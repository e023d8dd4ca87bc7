import type { LiveEvent } from '../../../src/portal/wire/index.ts';

const eventNames: Readonly<Record<LiveEvent['event'], true>> = {
  reset: true,
  instance: true,
  instance_removed: true,
  pairing: true,
  activity: true,
};

/** How long a stream may take to come (back) before its page polls. */
const graceMs = 3000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** How long a page out of sight keeps its stream: a browser has few connections per server, and many tabs would use them up. */
const unseenMs = 60_000;

interface StreamListener {
  event(told: LiveEvent): void;
  /** The server did not let the page have the stream: perhaps its session is over. */
  refused(): void;
  /** Whether the stream cannot be had at present, so that the page must ask by itself. */
  polling(needed: boolean): void;
}

/** Follows the live events at this address until the returned function is called. It comes back by itself, however the stream was lost. */
export function followStream(url: string, listener: StreamListener): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let unseen: ReturnType<typeof setTimeout> | undefined;

  const pollUnlessBack = () => {
    grace ??= setTimeout(() => listener.polling(true), graceMs);
  };
  const back = () => {
    clearTimeout(grace);
    grace = undefined;
    failures = 0;
    listener.polling(false);
  };
  const open = () => {
    const opened = new EventSource(url);
    source = opened;
    pollUnlessBack();
    opened.onopen = back;
    opened.onerror = () => {
      pollUnlessBack();
      // The browser itself comes back after a broken connection, and tells the last event it got; after a refusal it gives up.
      if (opened.readyState !== EventSource.CLOSED) return;
      listener.refused();
      const wait = Math.min(lastRetryMs, firstRetryMs * 2 ** failures++);
      clearTimeout(retry);
      retry = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
    for (const event of Object.keys(eventNames)) {
      opened.addEventListener(event, ({ data }) => listener.event({ event, data: JSON.parse(data) } as LiveEvent));
    }
  };
  const close = () => {
    for (const timer of [retry, grace, unseen]) clearTimeout(timer);
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
