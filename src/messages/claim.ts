import { type AgeTime, GatewayError, OwnershipLost, type Vault } from '../core/index.ts';
import type { Session } from '../sessions/index.ts';
import type { HotPath } from '../store/index.ts';
import type { InFlight } from './in-flight.ts';
import type { SendRequest } from './send-request.ts';

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

/** The stored outcome of a request that was sent already. */
interface Sent {
  readonly messageId: string;
  readonly providerStatus: string | null;
}

type Claim = Claimed | { readonly replay: Sent };

/** Claims a send, or finds its stored outcome for a replay. Without need for the store it answers synchronously. */
type Claimer = (request: SendRequest, session: Session | undefined, key: SendKey | null) => Claim | Promise<Claim>;

interface ClaimerOptions {
  readonly hot: HotPath;
  readonly vault: Vault;
  readonly time: Pick<AgeTime, 'now' | 'latest'>;
  readonly inFlight: Pick<InFlight, 'elsewhere'>;
  /** Told of every claim that is taken over from an earlier try. */
  readonly onRetaken?: (() => void) | undefined;
}

const unclaimed: Claimed = { retaken: false, messageId: null };

/**
 * Makes the claimer: the checks before a send, in the contract's order, and the idempotency record (decisions §2, §3).
 * It throws idempotency_key_reused, instance_not_found, instance_not_connected and trial_quota_exceeded.
 */
export function createClaimer({ hot, vault, time, inFlight, onRetaken }: ClaimerOptions): Claimer {
  return (request, session, key) => {
    // Nothing to claim: the session proves that the instance is the account's and linked, without asking the store.
    if (key === null && request.admission.trialMessageLimit === null && session?.linked === true) return unclaimed;
    return ask(request, session, key);
  };

  async function ask(request: SendRequest, session: Session | undefined, key: SendKey | null): Promise<Claim> {
    const { accountId, trialMessageLimit } = request.admission;
    const whileElsewhere = inFlight.elsewhere(() => request.caller());
    for (;;) {
      const now = time.now();
      const claimed = await hot.claim({
        accountId,
        instanceId: session?.id ?? request.body.instance_id,
        linked: session?.linked ?? false,
        lease: session?.lease ?? null,
        keyed: key === null ? null : { ...key, messageId: messageIdOf(session, accountId, key.key, now) },
        trialLimit: trialMessageLimit,
        requestId: request.requestId,
        now,
        dated: time.latest(),
      });
      switch (claimed.outcome) {
        case 'claimed':
          if (claimed.retaken) onRetaken?.();
          return claimed;
        case 'replay':
          return { replay: claimed };
        case 'in_flight':
          // Requests with one key take turns, so an earlier sender here ended without storing its outcome, which is unknown.
          if (!claimed.here) await whileElsewhere();
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
  }

  // The time is part of it, because a key may be used again after its 24 hours: the network would take the old id for the old message.
  function messageIdOf(session: Session | undefined, accountId: string, key: string, now: number): string {
    // Without a session nothing is claimed, so nothing is ever sent under this id.
    return session?.network.messageId(vault.messageSeed(`${accountId} ${now} ${key}`)) ?? '';
  }
}

export function notConnected(): GatewayError {
  return new GatewayError('instance_not_connected', 'The number is not linked; a person must scan its QR code again.');
}
