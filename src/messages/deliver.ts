import { randomBytes } from 'node:crypto';
import {
  type Clock,
  GatewayError,
  OwnershipLost,
  StoreUnavailable,
  sinceStart,
  storeUnavailable,
  utcDay,
  withTimeout,
} from '../core/index.ts';
import type { KindMedia } from '../kinds/index.ts';
import type { ApprovedUrl, FetchedMedia, FetchOptions, MediaFetcher } from '../media/index.ts';
import type { MediaFile, SendOutcome } from '../networks/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Session } from '../sessions/index.ts';
import { claimMs, type HotPath, type ReleaseCall, type SettleCall } from '../store/index.ts';
import { type Claimed, notConnected } from './claim.ts';
import { releaseWrite, settlementWrite } from './pending-sends.ts';
import type { SendRequest, Sent } from './send-request.ts';

/** How long the network may take for one message before its outcome counts as unknown. */
const handOverMs = 30_000;

/** How long after its claim a message may be handed over: what it has claimed must be its own until the network has answered and that is stored. */
const handOverWithinMs = claimMs - 2 * handOverMs;

/** A send that has passed every check. */
export interface Delivery {
  readonly request: SendRequest;
  readonly session: Session;
  /** Digits. */
  readonly to: string;
  readonly key: string | null;
  readonly claimed: Claimed;
  /** When that was asked for, by the stopwatch. */
  readonly claimedAt: number;
  /** The link of a media kind. */
  readonly link: ApprovedUrl | null;
}

interface DelivererOptions {
  readonly hot: HotPath;
  readonly media: MediaFetcher;
  readonly clock: Clock;
  readonly outbox: Outbox;
}

/**
 * Makes what follows a claim: fetch the file, hand the message over, book it; or undo the claim. It throws media_fetch_failed,
 * invalid_recipient, instance_not_connected and upstream_unavailable.
 */
export function createDeliverer({ hot, media, clock, outbox }: DelivererOptions): (delivery: Delivery) => Promise<Sent> {
  return async (delivery) => {
    const { request, session, to, key, claimed, claimedAt, link } = delivery;
    const { kind, body, admission, marks } = request;
    const reservation = admission.trialMessageLimit === null ? null : request.requestId;
    let file: FetchedMedia | null = null;
    // A retaken claim may have reached the network the first time, whatever the outcome of this try.
    let handedOver = claimed.retaken;
    let tried = false;
    let settlement: SettleCall | null = null;
    try {
      // A message must not be handed over while it is known that it could not be counted.
      const recording = outbox.recorded();
      if (recording !== null) await recording;
      if (link !== null && kind.media !== null) {
        marks.mediaAt = sinceStart(marks);
        file = await media.fetch(link, fetchOptions(request, kind.media));
      }
      // The disk may have filled up while the file was fetched.
      const ready = hot.ready();
      if (ready !== null) await ready;
      // A process that was halted meanwhile may no longer hold what it has claimed.
      if (clock.monotonic() - claimedAt > handOverWithinMs) throw tooLate(claimed.retaken);
      marks.networkAt = sinceStart(marks);
      handedOver = true;
      tried = true;
      const messageId = claimed.messageId ?? session.network.messageId(randomBytes(32).toString('hex'));
      const message = {
        messageId,
        to,
        type: kind.type,
        content: kind.content(body),
        quoted: body.quoted_message_id === undefined ? null : { messageId: body.quoted_message_id, fromMe: body.quoted_from_me ?? false },
        media: file === null ? null : fileOf(file),
        mayHaveArrived: claimed.retaken,
      };
      const sent = await withTimeout(clock, handOverMs, session.send(message), () => unknown);
      marks.settleAt = sinceStart(marks);
      if (sent.outcome !== 'accepted' && sent.outcome !== 'unknown') handedOver = claimed.retaken;
      // The link that was waited for turned out to be gone for good.
      if (sent.outcome === 'not_sent' && !session.linked) throw notConnected();
      if (sent.outcome === 'not_sent' && session.moved) throw new OwnershipLost();
      if (sent.outcome !== 'accepted') throw failureOf(sent, claimed.retaken, key);
      const { providerStatus } = sent;
      const now = clock.now();
      settlement = {
        requestId: request.requestId,
        at: now,
        accountId: admission.accountId,
        type: kind.type,
        day: utcDay(now),
        keyed: key === null ? null : { key, messageId, providerStatus },
        reservation,
      };
      await hot.settle(settlement);
      return { messageId, providerStatus };
    } catch (error) {
      if (marks.settleAt < 0) marks.settleAt = sinceStart(marks);
      if (settlement !== null) {
        // Of a send with a key the claim shows at any time whether it was counted.
        outbox.add(settlementWrite, { id: request.requestId, payload: settlement, afterMs: key === null ? hot.settleDoubtMs : 0 }, error);
      } else if (key !== null || reservation !== null) {
        await giveBack({ requestId: request.requestId, accountId: admission.accountId, key, handedOver, reservation });
      }
      throw error instanceof StoreUnavailable && tried ? unrecorded(key) : error;
    } finally {
      if (file !== null) await file.release();
    }
  };

  /** Undoes a claim, or has it undone as soon as the store can; until then the next try with the key takes the claim over. */
  async function giveBack(call: ReleaseCall & { readonly requestId: string }): Promise<void> {
    try {
      await hot.release(call);
    } catch (error) {
      outbox.add(releaseWrite, { id: call.requestId, payload: call }, error);
    }
  }
}

/** What became of the message as far as this try goes. `retaken`: an earlier try with its key may have arrived. */
function nothingWas(done: 'sent' | 'delivered', retaken: boolean): string {
  return retaken
    ? `nothing was ${done} by this request, but an earlier one with this Idempotency-Key may have been`
    : `nothing was ${done}`;
}

function tooLate(retaken: boolean): GatewayError {
  const message = `Preparing the message took too long; ${nothingWas('sent', retaken)}. Retry shortly${withKey(retaken)}.`;
  return new GatewayError('upstream_unavailable', message);
}

const withKey = (retaken: boolean) => (retaken ? ' with the same key' : '');

/** What happened to a message that may have been delivered, and what that means for a retry. */
function nobodyKnows(what: string, key: string | null): string {
  return key === null
    ? `${what}; it may have been delivered, and a retry may send it twice.`
    : `${what}. A retry with the same Idempotency-Key cannot send it twice.`;
}

/** The store failed when the message was with the network already, which may or may not have accepted it. */
function unrecorded(key: string | null): GatewayError {
  return storeUnavailable(nobodyKnows("The gateway's storage failed when the message was handed to the network", key));
}

const unknown: SendOutcome = { outcome: 'unknown' };

/** The file alone: a network may hand it to another thread, which cannot take the functions that come with it. */
function fileOf({ path, size, mimeType, sha256, facts }: FetchedMedia): MediaFile {
  return { path, size, mimeType, sha256, ...(facts === undefined ? {} : { facts }) };
}

function fetchOptions({ kind, body, admission }: SendRequest, media: KindMedia): FetchOptions {
  const { filename } = kind.content(body);
  return {
    fallbackMimeType: media.fallbackMimeType,
    declaredMimeType: typeof body.mime_type === 'string' ? body.mime_type : undefined,
    filename: typeof filename === 'string' ? filename : undefined,
    use: media.as,
    accountId: admission.accountId,
  };
}

/** The error of a send that the network did not accept. */
function failureOf(sent: Exclude<SendOutcome, { outcome: 'accepted' }>, retaken: boolean, key: string | null): GatewayError {
  let message: string;
  switch (sent.outcome) {
    case 'refused':
      return new GatewayError('invalid_recipient', sent.reason, sent.details);
    case 'rejected':
      message = `The network rejected the message (code ${sent.code}); ${nothingWas('delivered', retaken)}.`;
      return new GatewayError('upstream_unavailable', message, { reason: sent.reason });
    case 'not_sent':
      message = `The network cannot be reached right now; ${nothingWas('sent', retaken)}. Retry shortly${withKey(retaken)}.`;
      return new GatewayError('upstream_unavailable', message);
    case 'unknown':
      return new GatewayError('upstream_unavailable', nobodyKnows('The network did not acknowledge the message in time', key));
  }
}
