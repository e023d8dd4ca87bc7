import { hash } from 'node:crypto';
import { type AgeTime, GatewayError, OwnershipLost, StoreUnavailable, type Vault } from '../core/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Session } from '../sessions/index.ts';
import type { HotPath } from '../store/index.ts';
import type { InFlight } from './in-flight.ts';
import { releaseWrite } from './pending-sends.ts';
import type { SendRequest, Sent } from './send-request.ts';

/** An Idempotency-Key with the fingerprint of its body. */
export interface SendKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** The right to send one message. */
export interface Claimed {
  /** An earlier try with this key may have reached the network. */
  readonly retaken: boolean;
  /** The id the message must be sent under; null: any. */
  readonly messageId: string | null;
}

/** What a send without a key and outside a trial has: a linked session proves that the instance is the account's, without the store. */
export const unclaimed: Claimed = { retaken: false, messageId: null };

interface Claiming {
  readonly request: SendRequest;
  /** The session of its number here, if any. */
  readonly session: Session | undefined;
  readonly key: SendKey | null;
  /** When it was asked for, by the stopwatch. */
  readonly claimedAt: number;
}

interface ClaimerOptions {
  readonly hot: HotPath;
  readonly vault: Vault;
  readonly time: Pick<AgeTime, 'now' | 'latest'>;
  readonly outbox: Outbox;
  readonly inFlight: Pick<InFlight, 'lookAgain'>;
  /** Called for every claim that is taken over from an earlier try. */
  readonly onRetaken?: (() => void) | undefined;
}

/**
 * Makes what claims a send, or finds its stored outcome for a replay: the checks before a send, in the contract's order, and the idempotency
 * record (decisions §2, §3). It throws idempotency_key_reused, instance_not_found, instance_not_connected and trial_quota_exceeded.
 */
export function createClaimer({ hot, vault, time, outbox, inFlight, onRetaken }: ClaimerOptions) {
  return async ({ request, session, key, claimedAt }: Claiming): Promise<Claimed | { readonly replay: Sent }> => {
    const { accountId, trialMessageLimit } = request.admission;
    for (;;) {
      const now = time.now();
      // The time is part of it, because a key may be used again after its 24 hours: the network would take the old id for the old message.
      const seed = key === null ? null : vault.messageSeed(`${accountId} ${now} ${key.key}`);
      // Without a session nothing is claimed, so nothing is ever sent under the empty id.
      const messageId = seed === null ? null : (session?.network.messageId(seed) ?? '');
      const call = {
        accountId,
        instanceId: session?.id ?? request.body.instance_id,
        linked: session?.linked ?? false,
        lease: session?.lease ?? null,
        keyed: key === null || messageId === null ? null : { ...key, messageId },
        trialLimit: trialMessageLimit,
        requestId: request.requestId,
        now,
        dated: time.latest(),
      };
      const claimed = await hot.claim(call).catch((error: unknown) => takeBack(request, key, error));
      switch (claimed.outcome) {
        case 'claimed':
          if (claimed.retaken) onRetaken?.();
          return claimed;
        case 'replay':
          return { replay: claimed };
        case 'in_flight':
          // Requests with one key take turns, so an earlier sender here ended without storing its outcome, which is unknown.
          if (!claimed.here) await inFlight.lookAgain(request.caller(), claimedAt);
          else if (key !== null)
            await hot.release({ requestId: claimed.owner, accountId, key: key.key, handedOver: true, reservation: null });
          break;
        case 'not_owner':
          session?.ownedElsewhere();
          throw new OwnershipLost();
        case 'reused':
          throw new GatewayError('idempotency_key_reused', 'This Idempotency-Key was used before with a different body.');
        case 'instance_not_found':
          throw new GatewayError('instance_not_found', 'The account has no such instance.');
        case 'not_connected':
          throw session === undefined && request.moving ? new OwnershipLost() : notConnected();
        case 'trial_exhausted':
          throw new GatewayError('trial_quota_exceeded', `All ${trialMessageLimit} messages of the trial are used up.`, {
            trial_message_limit: trialMessageLimit,
          });
      }
    }
  };

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
}

export function notConnected(): GatewayError {
  return new GatewayError('instance_not_connected', 'The number is not linked; a person must scan its QR code again.');
}

/** JSON with the keys of every object sorted, so that equal values have equal text (RFC 8785 in spirit; no numbers beyond JSON's own). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const name of Object.keys(fields).sort()) {
      const item = fields[name];
      if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(item)}`;
    }
    return `{${text}}`;
  }
  return JSON.stringify(value);
}

/** Requests with the same Idempotency-Key must have the same path and validated body (decisions §3). */
export function fingerprint(path: string, body: unknown): string {
  return hash('sha256', `${path}\n${canonicalJson(body)}`, 'base64');
}
