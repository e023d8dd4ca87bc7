import { openStream, type StreamNews } from './stream.ts';

/** How often the tab with the stream shows the others that it is there. */
const signMs = 4000;
/** After so long without a sign another tab takes over: browsers halt hidden tabs, which keep their locks. */
const silentMs = 15_000;

export type SharedNews =
  | StreamNews
  /** The stream is open, and began before this tab joined: what the tab has loaded may be older. */
  | { readonly kind: 'joined' };

/** What goes over the channel. `last`: the latest event of the stream, or the one after which it was opened; null: none is known. */
type Message =
  | (StreamNews & { readonly last: string | null })
  /** A tab joins, and asks for a sign. */
  | { readonly kind: 'joining' }
  /** A sign of the tab with the stream. */
  | { readonly kind: 'sign'; readonly open: boolean; readonly last: string | null };

interface Shared {
  readonly name: string;
  /** Of the stream that goes on after this event; null: that begins with `reset`. */
  urlAfter(event: string | null): string;
  /** The event up to which this tab has loaded everything; null: nobody knows. */
  readonly after: string | null;
  onNews(news: SharedNews): void;
}

/**
 * Takes part in one stream of all tabs that give the same name, until the returned function is called: browsers allow six connections per server,
 * and a stream in each tab would use them up. The tab that holds the lock has the stream and passes on what it brings; when that tab is gone, the
 * browser gives the lock to the next. Where there are no locks (they need HTTPS or localhost), each tab has its own stream.
 */
export function shareStream({ name, urlAfter, after, onNews }: Shared): () => void {
  if (!('locks' in navigator && 'BroadcastChannel' in globalThis)) return openStream(urlAfter(after), onNews);
  const channel = new BroadcastChannel(name);
  let open = false;
  /** Whether this tab has all that the stream has brought. */
  let current = false;
  let last = after;
  /** Closes this tab's stream and gives the lock back; null while another tab has the stream. */
  let resign: (() => void) | null = null;
  let waiting = new AbortController();
  let silent: ReturnType<typeof setTimeout> | undefined;

  const post = (message: Message) => channel.postMessage(message);
  const sign = () => post({ kind: 'sign', open, last });
  const receive = (news: StreamNews) => {
    if (news.kind !== 'event') open = news.kind === 'open';
    onNews(news);
  };
  const awaitSign = () => {
    clearTimeout(silent);
    silent = setTimeout(() => {
      waiting.abort();
      void compete(true);
    }, silentMs);
  };

  const lead = (signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      if (signal.aborted) return resolve(false);
      clearTimeout(silent);
      // It goes on from where this tab is, and begins with `reset` once the tab has followed another's.
      if (current) last = null;
      current = true;
      let signedAt = performance.now();
      const signs = setInterval(() => {
        signedAt = performance.now();
        sign();
      }, signMs);
      const closeStream = openStream(urlAfter(last), (news) => {
        // This tab was halted, and another may have newer events already.
        if (performance.now() - signedAt > silentMs) return resign?.();
        if (news.kind === 'event') last = news.id;
        post({ ...news, last });
        receive(news);
      });
      resign = () => {
        resign = null;
        clearInterval(signs);
        closeStream();
        resolve(true);
      };
    });
  /** Waits for the lock, or takes it from a silent tab, and has the stream until the lock is given back or taken. */
  const compete = async (steal: boolean): Promise<void> => {
    waiting = new AbortController();
    const { signal } = waiting;
    awaitSign();
    const led = await navigator.locks.request(name, steal ? { steal } : { signal }, () => lead(signal)).catch(() => resign !== null);
    if (signal.aborted || !led) return;
    resign?.();
    void compete(false);
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'joining') {
      if (resign !== null) sign();
      return;
    }
    if (resign !== null) return;
    awaitSign();
    if (data.kind === 'sign') open = data.open;
    else receive(data);
    if (!open || current) return;
    current = true;
    // Nothing has happened since this tab loaded what it shows.
    if (data.last !== null && data.last === after) onNews({ kind: 'open' });
    else onNews({ kind: 'joined' });
  };
  post({ kind: 'joining' });
  void compete(false);
  return () => {
    waiting.abort();
    resign?.();
    clearTimeout(silent);
    channel.close();
  };
}
