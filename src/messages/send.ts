import {
  type AgeTime,
  type Clock,
  GatewayError,
  normalisePhoneNumber,
  StoreUnavailable,
  sinceStart,
  storeUnavailable,
  type Vault,
} from '../core/index.ts';
import type { AddressGuard, MediaFetcher } from '../media/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { HotPath } from '../store/index.ts';
import { createClaimer, fingerprint, unclaimed } from './claim.ts';
import { createDeliverer } from './deliver.ts';
import { InFlight } from './in-flight.ts';
import type { SendRequest, SendResult, Sent } from './send-request.ts';

/** What became of a send that was accepted. */
interface SendReply {
  readonly result: SendResult;
  readonly replayed: boolean;
}

interface SenderOptions {
  readonly hot: HotPath;
  readonly sessions: Sessions;
  readonly guard: AddressGuard;
  readonly media: MediaFetcher;
  readonly vault: Vault;
  readonly clock: Clock;
  /** By which idempotency keys are forgotten. */
  readonly time: Pick<AgeTime, 'now' | 'latest'>;
  readonly outbox: Outbox;
  /** Called for every send that takes over the claim of an earlier try with an unknown outcome. */
  readonly onRetaken?: (() => void) | undefined;
}

/** Sends messages: the path of design §3 from the validated body to the stored result. */
export type Sender = (request: SendRequest) => Promise<SendReply>;

/**
 * Makes the sender. A send throws GatewayError with the codes and in the order of decisions §2:
 * invalid_media_url, invalid_recipient, idempotency_key_reused, instance_not_found, instance_not_connected, trial_quota_exceeded,
 * media_fetch_failed, then what the network says (invalid_recipient, upstream_unavailable); upstream_unavailable also while the store cannot
 * be written.
 */
export function createSender(options: SenderOptions): Sender {
  const { hot, sessions, guard, clock, outbox } = options;
  const inFlight = new InFlight(clock);
  const claim = createClaimer({ ...options, inFlight });
  const deliver = createDeliverer(options);

  return async (asked) => {
    const { kind, body, admission, idempotencyKey, marks } = asked;
    const links = kind.links(body);
    const approved =
      links.length === 0 ? [] : await Promise.all(links.map((link) => guard.check(link, kind.media === null ? [] : asked.ownBases)));
    // What was judged is what is sent, whatever else the text could be read as.
    const judged = approved.map(({ href }) => href);
    const request = links.length === 0 ? asked : { ...asked, body: kind.withLinks(body, judged) };
    const to = normalisePhoneNumber(body.to);
    if (to === null) {
      throw new GatewayError('invalid_recipient', 'to must be a phone number with country code and no leading zero, 6 to 15 digits.', {
        field: 'to',
      });
    }
    const link = kind.media === null ? null : (approved[0] ?? null);
    marks.claimAt = sinceStart(marks);
    const session = sessions.find(admission.accountId, body.instance_id);
    const key =
      idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint(`/v1/messages/${kind.type}`, { ...body, to }) };
    const name = key === null ? null : `${admission.accountId} ${key.key}`;
    // Requests with the same key take turns, so that a duplicate finds the first one's outcome in the store.
    if (name !== null && !inFlight.begin(name)) await inFlight.beginInTurn(name, request.caller());
    try {
      // Nothing is claimed, let alone sent, that could not be recorded.
      const ready = hot.ready();
      if (ready !== null) await ready;
      // An accepted send of a trial that the store does not know of yet would not be among those that the claim counts.
      const recording = admission.trialMessageLimit === null ? null : outbox.recorded();
      if (recording !== null) await recording;
      const claimedAt = clock.monotonic();
      const needsClaim = key !== null || admission.trialMessageLimit !== null || session?.linked !== true;
      const claimed = needsClaim ? await claim({ request, session, key, claimedAt }) : unclaimed;
      if ('replay' in claimed) return { result: resultOf(request, to, claimed.replay), replayed: true };
      // A claim succeeds only for a linked session.
      if (session === undefined) throw new Error('claimed without a session');
      const sent = await deliver({ request, session, to, key: idempotencyKey, claimed, claimedAt, link });
      return { result: resultOf(request, to, sent), replayed: false };
    } catch (error) {
      throw error instanceof StoreUnavailable ? nothingSent() : error;
    } finally {
      if (name !== null) inFlight.end(name);
    }
  };
}

function resultOf({ kind, body }: SendRequest, to: string, { messageId, providerStatus }: Sent): SendResult {
  const result = {
    ...{ instance_id: body.instance_id, to, type: kind.type, status: 'sent' as const },
    ...{ message_id: messageId, provider_status: providerStatus },
  };
  return kind.bestEffortNote === null ? result : { ...result, best_effort: true, note: kind.bestEffortNote };
}

function nothingSent(): GatewayError {
  return storeUnavailable("The gateway's storage cannot be written right now; nothing was sent by this request. Try again shortly.");
}
