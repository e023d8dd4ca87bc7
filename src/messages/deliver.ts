import { type Clock, createDayNames, createRandomDigits, Deadlines, GatewayError } from '../core/index.ts';
import type { ApprovedUrl, FetchedMedia, FetchOptions, MediaFetcher } from '../media/index.ts';
import type { MediaFile, SendOutcome } from '../networks/index.ts';
import type { Session } from '../sessions/index.ts';
import type { HotPath, SettleCall } from '../store/index.ts';
import type { Arrears } from './arrears.ts';
import { type Claimed, notConnected } from './claim.ts';
import { resultOf, type SendRequest, type SendResult } from './send-request.ts';
import { sinceStart } from './stages.ts';

/** How long the network may take for one message before its outcome counts as unknown. */
const handOverMs = 30_000;

/** A send that nothing stands in the way of any more. */
export interface Delivery {
  readonly request: SendRequest;
  readonly session: Session;
  /** Digits. */
  readonly to: string;
  readonly key: string | null;
  readonly claimed: Claimed;
  /** The link of a media kind. */
  readonly link: ApprovedUrl | null;
}

interface DelivererOptions {
  readonly hot: HotPath;
  readonly media: MediaFetcher;
  readonly clock: Clock;
  readonly arrears: Arrears;
}

/**
 * Makes what follows a claim: fetch the file, hand the message over, book it; or undo the claim. It throws media_fetch_failed,
 * invalid_recipient, instance_not_connected and upstream_unavailable.
 */
export function createDeliverer({ hot, media, clock, arrears }: DelivererOptions): (delivery: Delivery) => Promise<SendResult> {
  const deadlines = new Deadlines(clock, handOverMs);
  const randomDigits = createRandomDigits(64);
  const dayName = createDayNames();

  return async (delivery) => {
    const { request, session, to, key, claimed, link } = delivery;
    const { kind, admission, marks } = request;
    const reservation = admission.trialMessageLimit === null ? null : request.requestId;
    let file: FetchedMedia | null = null;
    // A retaken claim may have reached the network the first time, whatever becomes of this try.
    let handedOver = claimed.retaken;
    let settlement: SettleCall | null = null;
    try {
      // Nobody can ask for it again without sending it twice, so it must not be handed over while its like cannot be counted.
      const owing = key === null ? arrears.settle() : null;
      if (owing !== null) await owing;
      if (link !== null) {
        marks.mediaAt = sinceStart(marks);
        file = await media.fetch(link, mediaWishes(request));
      }
      marks.networkAt = sinceStart(marks);
      handedOver = true;
      const messageId = claimed.messageId ?? session.network.messageId(randomDigits());
      const sent = await deadlines.race(session.send(messageOf(delivery, messageId, file)), unknown);
      marks.settleAt = sinceStart(marks);
      if (sent.outcome !== 'accepted' && sent.outcome !== 'unknown') handedOver = claimed.retaken;
      // The link that was waited for turned out to be gone for good.
      if (sent.outcome === 'not_sent' && !session.linked) throw notConnected();
      const providerStatus = acceptedStatus(sent);
      settlement = {
        accountId: admission.accountId,
        type: kind.type,
        day: dayName(clock.now()),
        keyed: key === null ? null : { key, providerStatus },
        reservation,
      };
      await hot.settle(settlement);
      return resultOf(request, to, messageId, providerStatus);
    } catch (error) {
      if (marks.settleAt < 0) marks.settleAt = sinceStart(marks);
      // A send with a key is counted when it is asked for again; one without is delivered for good.
      const owed = key === null ? settlement : null;
      if (owed !== null) arrears.add(() => hot.settle(owed), error);
      else if (key !== null || reservation !== null) await giveBack(admission.accountId, key, handedOver, reservation);
      throw error;
    } finally {
      if (file !== null) await file.release();
    }
  };

  /** Undoes a claim. When the store cannot, the next try with the key takes the claim over, and the reservation is given back later. */
  async function giveBack(accountId: string, key: string | null, handedOver: boolean, reservation: string | null): Promise<void> {
    try {
      await hot.release({ accountId, key, handedOver, reservation });
    } catch (error) {
      if (reservation !== null) arrears.add(() => hot.release({ accountId, key: null, handedOver, reservation }), error);
    }
  }
}

const unknown: SendOutcome = { outcome: 'unknown' };

function messageOf({ request, to }: Delivery, messageId: string, media: FetchedMedia | null) {
  const { kind, body } = request;
  return {
    messageId,
    to,
    type: kind.type,
    content: kind.content(body),
    quoted: body.quoted_message_id === undefined ? null : { messageId: body.quoted_message_id, fromMe: body.quoted_from_me ?? false },
    media: media === null ? null : fileOf(media),
  };
}

/** The file alone: a network may hand it to another thread, which cannot take the functions that come with it. */
function fileOf({ path, size, mimeType, sha256, facts }: FetchedMedia): MediaFile {
  return { path, size, mimeType, sha256, ...(facts === undefined ? {} : { facts }) };
}

function mediaWishes({ kind, body, admission }: SendRequest): FetchOptions {
  const fallback = {
    image: 'image/jpeg',
    video: 'video/mp4',
    voice: 'audio/ogg',
    sticker: 'image/webp',
    document: 'application/octet-stream',
  };
  return {
    fallbackMimeType: fallback[kind.media?.as ?? 'document'],
    declaredMimeType: typeof body.mime_type === 'string' ? body.mime_type : undefined,
    use: kind.media?.as,
    accountId: admission.accountId,
  };
}

/** The provider status of an accepted send; throws for every other outcome. */
function acceptedStatus(sent: SendOutcome): string | null {
  switch (sent.outcome) {
    case 'accepted':
      return sent.providerStatus;
    case 'refused':
      throw new GatewayError('invalid_recipient', sent.reason, sent.details);
    case 'rejected':
      throw new GatewayError('upstream_unavailable', `The network rejected the message (code ${sent.code}); nothing was delivered.`);
    case 'not_sent':
      throw new GatewayError('upstream_unavailable', 'The network cannot be reached right now; nothing was sent. Retry shortly.');
    case 'unknown':
      throw new GatewayError(
        'upstream_unavailable',
        'The network did not acknowledge the message in time. A retry with the same Idempotency-Key cannot send it twice.',
      );
  }
}
