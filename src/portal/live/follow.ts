import { type FeedEvent, type LiveFeed, Mutex } from '../../core/index.ts';
import type { LiveEvent as TellableEvent } from '../../sessions/index.ts';
import type { EventStream } from './event-stream.ts';
import type { Outlook } from './outlook.ts';
import type { Translation } from './translation.ts';

/** How many events may wait for their translation, which may ask the store. */
const mostWaiting = 1000;

interface FollowOptions {
  readonly feed: LiveFeed<TellableEvent>;
  readonly outlook: Outlook;
  readonly translation: Translation;
  readonly stream: EventStream;
  /** What the client had last, when it comes back. */
  readonly lastEventId: string | undefined;
  failed(error: unknown): void;
}

/** Sends what happens to the stream, in its order, until the returned function is called: first what was missed, or `reset` when that is not known. */
export function follow({ feed, outlook, translation, stream, lastEventId, failed }: FollowOptions): () => void {
  const turns = new Mutex();
  let waiting = 0;
  const idOf = (number: number) => `${number}.${outlook.name}`;

  const tell = (told: FeedEvent<TellableEvent>) => {
    if (++waiting > mostWaiting) stream.drop();
    if (stream.ended) return;
    turns
      .take(async () => {
        const event = stream.ended ? null : await translation.of(told);
        waiting--;
        if (event !== null) stream.send(event, idOf(told.number));
      })
      .catch((error: unknown) => {
        failed(error);
        // An event that is left out would never come: the client fetches it when it is back.
        stream.drop();
      });
  };

  const unsubscribe = feed.subscribe(outlook.scope, tell);
  const last = numberOf(lastEventId, outlook);
  const missed = last === null ? null : feed.since(outlook.scope, last);
  if (missed === null) stream.send({ event: 'reset', data: {} }, idOf(feed.last));
  else for (const told of missed) tell(told);
  return unsubscribe;
}

/** The number in an id of this outlook; null for another's, whose numbers say nothing of what was missed here. */
function numberOf(id: string | undefined, { name }: Outlook): number | null {
  const [, number, ofName] = /^(\d{1,16})\.(.{1,500})$/.exec(id ?? '') ?? [];
  return number !== undefined && ofName === name ? Number(number) : null;
}
