import type { LiveEvent } from '../../../src/portal/wire/live.ts';

const eventNames: Readonly<Record<LiveEvent['event'], true>> = {
  reset: true,
  instance: true,
  instance_removed: true,
  numbers_stored: true,
  pairing: true,
  activity: true,
};

/** How long an attempt may take that neither succeeds nor fails, as behind a proxy that holds answers back. Browsers set no limit of their own. */
const openingMs = 20_000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;

/** What happens to a stream. */
export type StreamNews =
  /** An attempt begins. */
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id: string }
  /** The connection is lost, or could not be made. */
  | { readonly kind: 'broken' }
  /** The server refused the stream, perhaps because the session is over. */
  | { readonly kind: 'refused' };

/** Keeps a stream of live events open at this address until the returned function is called. It reconnects after every loss of the stream. */
export function openStream(url: string, onNews: (news: StreamNews) => void): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;

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
    onNews({ kind: 'opening' });
    limitOpening(opened);
    opened.onopen = () => {
      clearTimeout(opening);
      failures = 0;
      onNews({ kind: 'open' });
    };
    opened.onerror = () => {
      onNews({ kind: 'broken' });
      // The browser itself reconnects after a broken connection and names the last event it got. After a refusal it gives up.
      if (opened.readyState !== EventSource.CLOSED) return limitOpening(opened);
      clearTimeout(opening);
      onNews({ kind: 'refused' });
      const wait = Math.min(lastRetryMs, firstRetryMs * 2 ** failures++);
      clearTimeout(retry);
      retry = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
    for (const name of Object.keys(eventNames)) {
      opened.addEventListener(name, ({ data, lastEventId: id }) => {
        onNews({ kind: 'event', event: { event: name, data: JSON.parse(data) } as LiveEvent, id });
      });
    }
  };

  open();
  return () => {
    clearTimeout(retry);
    clearTimeout(opening);
    source?.close();
  };
}
