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
import { createClaimer, type SendKey } from './claim.ts';
import { createDeliverer } from './deliver.ts';
import { fingerprint } from './fingerprint.ts';
import { InFlight } from './in-flight.ts';
import { releaseWrite } from './pending-sends.ts';
import { resultOf, type SendRequest, type SendResult } from './send-request.ts';

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
  /** Told of every send that takes over the claim of an earlier try with an unknown outcome. */
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
  const { hot, sessions, guard, outbox } = options;
  const inFlight = new InFlight(options.clock);
  const claim = createClaimer({ ...options, inFlight });
  const deliver = createDeliverer(options);

  /**
   * The answer to a claim may be lost although it was made: what it has reserved of a trial would stay reserved. The claim itself stays, since an
   * earlier try with the key may have reached the network. Always throws.
   */
  function takeBack({ admission, requestId }: SendRequest, key: SendKey | null, error: unknown): never {
    if (error instanceof StoreUnavailable && admission.trialMessageLimit !== null) {
      const { accountId } = admission;
      const payload = { requestId, accountId, key: key?.key ?? null, handedOver: true, reservation: requestId };
      outbox.add(releaseWrite, { id: requestId, payload, afterMs: hot.settleDoubtMs }, error);
    }
    throw error;
  }

  return async (asked) => {
    const { kind, body, admission, marks } = asked;
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
    const key = sendKey(asked, to);
    const name = key === null ? null : `${admission.accountId} ${key.key}`;
    // Requests with the same key take turns, so that a duplicate finds the first one's outcome in the store.
    if (name !== null && !inFlight.begin(name)) await inFlight.beginInTurn(name, request.caller());
    try {
      // Nothing is claimed, let alone sent, that could not be recorded.
      const ready = hot.ready();
      if (ready !== null) await ready;
      const claimedAt = options.clock.monotonic();
      const claiming = claim(request, session, key);
      const claimed = claiming instanceof Promise ? await claiming.catch((error: unknown) => takeBack(request, key, error)) : claiming;
      if ('replay' in claimed) {
        const { messageId, providerStatus } = claimed.replay;
        return { result: resultOf(request, to, messageId, providerStatus), replayed: true };
      }
      // A claim succeeds only for a linked session.
      if (session === undefined) throw new Error('claimed without a session');
      return { result: await deliver({ request, session, to, key: key?.key ?? null, claimed, claimedAt, link }), replayed: false };
    } catch (error) {
      throw error instanceof StoreUnavailable ? nothingSent() : error;
    } finally {
      if (name !== null) inFlight.end(name);
    }
  };
}

function nothingSent(): GatewayError {
  return storeUnavailable("The gateway's storage cannot be written right now; nothing was sent by this request. Try again shortly.");
}

/** The request's Idempotency-Key with its body's fingerprint; null without one. */
function sendKey({ kind, body, idempotencyKey }: SendRequest, to: string): SendKey | null {
  if (idempotencyKey === null) return null;
  return {
    key: idempotencyKey,
    fingerprint: fingerprint(`/v1/messages/${kind.type}`, { ...body, to }),
  };
}
