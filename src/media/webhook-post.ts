import { type Clock, GatewayError } from '../core/index.ts';
import type { AddressGuard } from './address-guard.ts';
import { Deadline } from './deadline.ts';
import { pinnedRequest } from './pinned-request.ts';

const wholeMs = 20_000;

/** The error of a post that got no answer. */
function postFailure(reason: string, cause?: unknown): GatewayError {
  const error = new GatewayError('media_fetch_failed', reason);
  if (cause !== undefined) error.cause = cause;
  return error;
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type WebhookPost = ReturnType<typeof createWebhookPost>;

/** Posts to addresses that customers name, under the guard of media links. */
export function createWebhookPost({ guard, clock }: { readonly guard: AddressGuard; readonly clock: Clock }) {
  return {
    /**
     * Posts JSON; the status of the answer, whose body is not read. Redirects are answers like others. Throws GatewayError `invalid_media_url`
     * for an address that the guard refuses, and `media_fetch_failed`, whose message is the reason, when there is no answer within 20 seconds.
     */
    async post(url: string, body: string, { headers, signal }: PostOptions): Promise<number> {
      const deadline = new Deadline(clock, wholeMs, () => postFailure('its server did not answer in time'));
      const onAbort = () => deadline.abort(postFailure('the gateway stopped'));
      signal.addEventListener('abort', onAbort);
      try {
        signal.throwIfAborted();
        const approved = await deadline.race(guard.check({ field: 'url', url }));
        const answer = await pinnedRequest({
          approved,
          post: body,
          headers: { 'content-type': 'application/json', ...headers },
          deadline,
          failure: postFailure,
        });
        answer.destroy();
        return answer.status;
      } finally {
        signal.removeEventListener('abort', onAbort);
        deadline.end();
      }
    },
  };
}
