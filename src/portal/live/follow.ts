import { type FeedEvent, type LiveFeed, Mutex } from '../../core/index.ts';
import type { LiveEvent } from '../../sessions/index.ts';
import type { EventStream } from './event-stream.ts';
import type { EventScope, Translation } from './translation.ts';

/** How many events may wait for their translation, which may ask the store. */
const mostWaiting = 1000;

interface FollowOptions {
  readonly feed: LiveFeed<LiveEvent>;
  readonly scope: EventScope;
  readonly translation: Translation;
  readonly stream: EventStream;
  /** What the client had last, when it comes back. */
  readonly lastEventId: string | undefined;
  failed(error: unknown): void;
}

/** Sends what happens to the stream, in its order, until the returned function is called: first what was missed, or `reset` when that is not known. */
export function follow({ feed, scope, translation, stream, lastEventId, failed }: FollowOptions): () => void {
  const turns = new Mutex();
  let waiting = 0;

  const onEvent = (event: FeedEvent<LiveEvent>) => {
    if (++waiting > mostWaiting) stream.drop();
    if (stream.ended) return;
    turns
      .take(async () => {
        const sent = stream.ended ? null : await translation.of(event);
        waiting--;
        if (sent !== null) stream.send(sent, idOf(event.number, feed, scope));
      })
      .catch((error: unknown) => {
        failed(error);
        // An event that is left out would never come: the client fetches it when it is back.
        stream.drop();
      });
  };

  const unsubscribe = feed.subscribe(scope.topic, onEvent);
  const last = numberOf(lastEventId, feed, scope);
  const missed = last === null ? null : feed.since(scope.topic, last);
  if (missed === null) stream.send({ event: 'reset', data: {} }, idOf(feed.last, feed, scope));
  else for (const event of missed) onEvent(event);
  return unsubscribe;
}

/** What a stream is opened with that is to bring everything that happens from now on. */
export function placeInEvents(feed: LiveFeed<LiveEvent>, scope: EventScope): string {
  return idOf(feed.expect(scope.topic), feed, scope);
}

type Feed = Pick<LiveFeed<LiveEvent>, 'began'>;

function idOf(number: number, { began }: Feed, { name }: EventScope): string {
  return `${number}.${began}.${name}`;
}

/** The number in an id of this process and scope; null for another's, whose numbers do not count here. */
function numberOf(id: string | undefined, { began }: Feed, { name }: EventScope): number | null {
  const [, number, process, ofName] = /^(\d{1,16})\.(\d{1,16})\.(.{1,500})$/.exec(id ?? '') ?? [];
  return number !== undefined && process === String(began) && ofName === name ? Number(number) : null;
}
