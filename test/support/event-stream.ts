import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';

import type { TestGateway } from './gateway.ts';
import type { Browser } from './portal.ts';
import { waitFor } from './wait-for.ts';

/** An event as an EventSource would hand it out. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events whose shape they are about to assert
  readonly data: any;
}

/** An open stream of server-sent events. */
export interface TestStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything that came, oldest first. */
  readonly events: readonly ReceivedEvent[];
  /** Comments that came: signs of life. */
  readonly beats: number;
  readonly lastEventId: string;
  /** What came although it is neither an event nor a comment: the body of a refusal, the time to come back after. */
  readonly rest: string;
  /** The next event that was not taken yet, of this name when one is given; those before it are skipped. */
  next(name?: string): Promise<ReceivedEvent>;
  /** Resolves when the server has ended it: `whole` when it ended it properly. */
  readonly ended: Promise<'whole' | 'broken'>;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Goes away, as a browser that is closed. */
  close(): void;
}

/** Opens the browser's live stream as its page would, `?account_id=` included; with `after` as one that comes back, with `from` as a new page. */
export async function openStream(
  gateway: Pick<TestGateway, 'address'>,
  browser: Browser,
  { after, from }: { readonly after?: string | undefined; readonly from?: string | undefined } = {},
): Promise<TestStream> {
  const { account } = browser;
  const asks = { ...(account === null ? {} : { account_id: account }), ...(from === undefined ? {} : { last_event_id: from }) };
  const path = `/portal/api/events?${new URLSearchParams(asks)}`;
  const headers = browser.headers({
    account: null,
    headers: { 'x-portal': undefined, accept: 'text/event-stream', 'last-event-id': after },
  });
  const asked = request(new URL(path, gateway.address), { headers, localAddress: browser.from, agent: false });
  asked.end();
  // biome-ignore lint/suspicious/noExplicitAny: once() does not know what an event brings
  const [response]: any[] = await once(asked, 'response');

  const events: ReceivedEvent[] = [];
  let beats = 0;
  let rest = '';
  let unread = '';
  let taken = 0;
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
      if (block.startsWith(':')) beats++;
      else if (fields.has('data'))
        events.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? '') });
      else rest += block;
    }
  });
  response.on('error', () => undefined);
  asked.on('error', () => undefined);
  const ended = new Promise<'whole' | 'broken'>((resolve) => {
    response.once('close', () => resolve(response.complete ? 'whole' : 'broken'));
  });

  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    ended,
    get beats() {
      return beats;
    },
    get rest() {
      return rest + unread;
    },
    get lastEventId() {
      return events.at(-1)?.id ?? '';
    },
    next: (name) =>
      waitFor(() => {
        const found = events.findIndex((one, i) => i >= taken && (name === undefined || one.event === name));
        const event = events[found];
        if (event === undefined) throw new Error(`no ${name ?? 'event'} after ${JSON.stringify(events.slice(taken))}`);
        taken = found + 1;
        return event;
      }),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void asked.destroy(),
  };
}
