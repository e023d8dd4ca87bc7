/** What follows when the network refuses a message with an error code in its acknowledgement. Nothing was delivered then. */
export type RefusalReaction =
  /** The network's own trouble, which passes: the same message again, under its id. */
  | { readonly do: 'retry' }
  /** Devices or sessions have changed since they were looked up: once more with those of now. */
  | { readonly do: 'renew_devices' }
  /** Account and recipient are addressed in different namespaces (phone number, LID): once more in the other one, where there is one. */
  | { readonly do: 'readdress' }
  /** One of three things, which `reachOutRefusal` tells apart. */
  | { readonly do: 'tell_apart' }
  /** The number has begun as many new chats as it may in this cycle. */
  | { readonly do: 'hold_new_chats' }
  /** This recipient can never be written to. */
  | { readonly do: 'refuse'; readonly reason: string; readonly message: string }
  /** Told to the caller by its reason; another try would be refused alike. */
  | { readonly do: 'fail'; readonly reason: string };

/**
 * The one reaction to each code. Collected from WhatsApp's web client (which names 475, 479 and 487 to 500), tulir/whatsmeow, vinikjkkj/zapo and
 * oxidezap/whatsapp-rust; a code that nobody has described fails under its number.
 */
export function reactionToRefusal(code: string): RefusalReaction {
  switch (code) {
    case '400':
      return { do: 'readdress' };
    case '404':
      return { do: 'refuse', reason: 'no_such_recipient', message: 'WhatsApp does not know this recipient.' };
    case '405':
      return { do: 'fail', reason: 'kind_not_allowed' };
    case '408':
    case '429':
    case '500':
    case '503':
      return { do: 'retry' };
    case '421':
      return { do: 'fail', reason: 'stale_group_addressing' };
    case '463':
      return { do: 'tell_apart' };
    case '475':
      return { do: 'hold_new_chats' };
    case '479':
      return { do: 'renew_devices' };
    case '487':
    case '488':
    case '489':
    case '490':
    case '491':
      return { do: 'fail', reason: 'malformed_message' };
    default:
      return { do: 'fail', reason: `code_${code}` };
  }
}

/** What the caller is told of a message whose refusal nothing helped against. */
export function reasonOf(code: string): string {
  const reaction = reactionToRefusal(code);
  switch (reaction.do) {
    case 'retry':
      return 'network_trouble';
    case 'renew_devices':
      return 'stale_devices';
    case 'readdress':
    case 'tell_apart':
      return 'wrong_addressing';
    case 'hold_new_chats':
      return 'new_chats_capped';
    case 'refuse':
    case 'fail':
      return reaction.reason;
  }
}

/** What is known when a message was refused with 463. */
export interface ReachOutRefusal {
  /** Whether the network says that the number may not start chats now; null when it could not be asked. */
  readonly timelocked: boolean | null;
  /** Whether the message was addressed to a phone number of which the LID is known. */
  readonly numberInsteadOfLid: boolean;
}

/**
 * Why a message was refused with 463: the number may not start chats for a while, it was addressed by phone number where the network wants the
 * LID, or it lacked the token by which a recipient vouches for the sender. Unless the network denies it, a lock is assumed: another try would count
 * as one more chat begun.
 */
export function reachOutRefusal({
  timelocked,
  numberInsteadOfLid,
}: ReachOutRefusal): 'reach_out_blocked' | 'wrong_addressing' | 'missing_token' {
  if (timelocked !== false) return 'reach_out_blocked';
  return numberInsteadOfLid ? 'wrong_addressing' : 'missing_token';
}
