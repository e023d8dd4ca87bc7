import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, type Timer, withTimeout } from '../../core/index.ts';
import { noteRequest } from '../../http/index.ts';
import { EventStream, streamHeaders } from '../live/event-stream.ts';
import { follow } from '../live/follow.ts';
import { OpenStreams } from '../live/open-streams.ts';
import { eventScopeOf, Translation } from '../live/translation.ts';
import { accountFromQuery, noAccount, signedIn, visitorOf } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

/** How often a stream gets a comment, and whether its person still may see it is checked. */
const beatMs = 20_000;
const checkMs = 10_000;

/** GET /portal/api/events: what happens, as server-sent events. */
export function eventsRoute(server: FastifyInstance, options: PortalOptions): void {
  const streams = new OpenStreams();
  server.addHook('preClose', () => streams.stop());
  server.get('/portal/api/events', { onRequest: [accountFromQuery, signedIn(options)] }, async (request, reply) => {
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
    begin(options, streams, request, reply);
    return reply;
  });
}

function begin(options: PortalOptions, streams: OpenStreams, request: FastifyRequest, reply: FastifyReply): void {
  const { clock, feed, store, log } = options;
  const scope = eventScopeOf(request.visitor);
  if (scope === null) throw noAccount();
  const { name } = scope;
  const translation = new Translation(store, scope);
  const end: { timer?: Timer; unfollow?: () => void } = {};
  const stream = streams.open(
    { person: request.visitor.userId, scope: name },
    (closed) =>
      new EventStream(reply, () => {
        closed();
        end.timer?.cancel();
        end.unfollow?.();
        noteRequest({ hot: store.hot, clock }, request, reply);
      }),
  );
  const failed = (error: unknown) => log.error({ err: error, request_id: request.id }, 'a live stream was ended');
  // A browser names in the header what it had itself; the page that opens the stream can only write it into the address.
  const { last_event_id: asked } = request.query as { last_event_id?: unknown };
  const lastEventId = request.headers['last-event-id'] ?? asked;
  end.unfollow = follow({
    feed,
    scope,
    translation,
    stream,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    failed,
  });
  beatLater();

  function beatLater(): void {
    end.timer = clock.after(beatMs, () => {
      stream.beat();
      beatLater();
      mayStay().then(
        (may) => {
          if (!may) stream.end();
        },
        (error: unknown) => {
          failed(error);
          stream.end();
        },
      );
    });
  }

  /** Whether the person is still signed in and still may see the same. */
  async function mayStay(): Promise<boolean> {
    translation.forget();
    try {
      const visitor = await withTimeout(clock, checkMs, visitorOf(options, request), () => {
        throw new Error('the session could not be looked up in time');
      });
      return eventScopeOf(visitor)?.name === name;
    } catch (error) {
      if (error instanceof GatewayError) return false;
      throw error;
    }
  }
}
