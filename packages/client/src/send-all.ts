import type { Allowance } from './allowance.ts';
import type { Schemas, SendOptions } from './client.ts';
import { type ApiError, isApiError } from './errors.ts';
import { checkIdempotencyKey } from './given.ts';
import { wait } from './wait.ts';

/** The body of each kind of message. */
interface Bodies {
  text: Schemas['SendTextRequest'];
  image: Schemas['SendImageRequest'];
  document: Schemas['SendDocumentRequest'];
  video: Schemas['SendVideoRequest'];
  audio: Schemas['SendAudioRequest'];
  sticker: Schemas['SendStickerRequest'];
  location: Schemas['SendLocationRequest'];
  contact: Schemas['SendContactRequest'];
  poll: Schemas['SendPollRequest'];
  reaction: Schemas['SendReactionRequest'];
  buttons: Schemas['SendButtonsRequest'];
  list: Schemas['SendListRequest'];
}

/** One message of many. `id` names it within the job; without one its place does, and then the order must stay the same. */
export type Message = { [Type in keyof Bodies]: Bodies[Type] & { readonly type: Type; readonly id?: string } }[keyof Bodies];

/** How one message ended: sent, refused for what it is, or left out because it is done. */
export interface Sent<M extends Message = Message> {
  readonly message: M;
  readonly idempotencyKey: string;
  readonly result: Schemas['SendResult'] | null;
  readonly error: ApiError | null;
}

export interface SendAllOptions extends Omit<SendOptions, 'idempotencyKey'> {
  /** The name of the whole: with a colon and the id of a message it is the key of its send. */
  readonly job: string;
  /** How many are on their way at once, at least 1; 8 by default. */
  readonly concurrency?: number;
  /** The keys of what is done, to leave out; a Set, or your database. Keys alone keep a send from being repeated for 24 hours. */
  readonly done?: { has(key: string): boolean | Promise<boolean>; add(key: string): unknown };
}

/** These are about one message. Any other error stops the whole, which can be resumed. */
const ofOneMessage = [
  'invalid_request',
  'invalid_media_url',
  'invalid_recipient',
  'media_fetch_failed',
  'idempotency_key_reused',
  'payload_too_large',
] as const;

type Send<M> = (message: M, options: SendOptions) => Promise<Schemas['SendResult']>;

/** Sends them in their order, several at once, and gives each as it ends. An error is thrown last, after what was on its way. */
export async function* sendAll<M extends Message>(
  messages: Iterable<M> | AsyncIterable<M>,
  send: Send<M>,
  allowance: Allowance,
  { job, concurrency = 8, done, ...options }: SendAllOptions,
): AsyncGenerator<Sent<M>, void, undefined> {
  if (!(concurrency >= 1)) throw new RangeError('concurrency must be at least 1');
  const source = each(messages);
  const ended: Sent<M>[] = [];
  const onTheirWay = new Set<Promise<void>>();
  const failures: unknown[] = [];

  const start = (message: M, idempotencyKey: string) => {
    const sent = send(message, { ...options, idempotencyKey })
      .then(async (result) => {
        try {
          await done?.add(idempotencyKey);
        } finally {
          ended.push({ message, idempotencyKey, result, error: null });
        }
      })
      .catch((error: unknown) => {
        if (isApiError(error, ...ofOneMessage)) ended.push({ message, idempotencyKey, result: null, error });
        else failures.push(error);
      })
      .finally(() => onTheirWay.delete(sent));
    onTheirWay.add(sent);
  };

  /** An error that arrives at a `yield` is the reader's, and there is nobody left to give to. */
  let left = false;
  function* give() {
    left = true;
    for (let one = ended.shift(); one !== undefined; one = ended.shift()) yield one;
    left = false;
  }

  /** Whether the source has been asked for a message and has not answered yet. */
  let waiting = false;
  /** The next message; undefined after a failure. Nothing that has ended is held back while the source is slow. */
  async function* take() {
    yield* give();
    waiting = true;
    const next = source.next().finally(() => {
      waiting = false;
    });
    for (;;) {
      const taken = await Promise.race([next, ...onTheirWay]);
      if (taken !== undefined || failures.length > 0) return taken;
      yield* give();
    }
  }

  /** Also for a reader that has left, who still has to know what fails for what is on its way. */
  async function end() {
    await Promise.all(onTheirWay);
    const closed = source.return().catch((error: unknown) => failures.push(error));
    // A source that is asked for a message closes once it has given it, perhaps never.
    if (!waiting) await closed;
    if (failures.length > 0) throw failures[0];
  }

  try {
    try {
      for (let place = 0; ; place += 1) {
        const taken = yield* take();
        if (taken === undefined || taken.done === true) break;
        const message = taken.value;
        const idempotencyKey = `${job}:${message.id ?? place}`;
        checkIdempotencyKey(idempotencyKey);
        if ((await done?.has(idempotencyKey)) === true) continue;
        while (failures.length === 0 && (onTheirWay.size >= concurrency || !allowance.take())) {
          // Nothing that has ended is held back while the limit is waited for.
          if (ended.length > 0) yield* give();
          else if (onTheirWay.size > 0) await Promise.race(onTheirWay);
          else {
            await wait(allowance.untilNext(), options.signal);
            allowance.rise();
          }
        }
        if (failures.length > 0) break;
        start(message, idempotencyKey);
      }
    } catch (error) {
      if (left) throw error;
      // What is on its way goes out all the same, and the caller has to know.
      failures.push(error);
    }
    while (onTheirWay.size > 0 || ended.length > 0) {
      if (ended.length === 0) await Promise.race(onTheirWay);
      yield* give();
    }
  } catch (error) {
    // The reader's own error comes first.
    failures.unshift(error);
  } finally {
    await end();
  }
}

async function* each<M>(messages: Iterable<M> | AsyncIterable<M>): AsyncGenerator<M, void, undefined> {
  yield* messages;
}
