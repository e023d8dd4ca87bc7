/** What to do when the network refuses a message with an error code in its acknowledgement. Nothing was delivered in that case. */
export type RefusalReaction =
  /** A temporary fault of the network: send the same message again, with the same id. */
  | { readonly do: 'retry' }
  /** Devices or Signal sessions have changed since they were looked up: look them up again and send once more. */
  | { readonly do: 'renew_devices' }
  /** The account and the recipient are in different namespaces (phone number and LID): send once more in the other namespace, if there is one. */
  | { readonly do: 'readdress' }
  /** There are three possible causes; `reachOutRefusal` finds out which. */
  | { readonly do: 'tell_apart' }
  /** The number has started as many new chats as it may in this cycle. */
  | { readonly do: 'hold_new_chats' }
  /** Messages to this recipient are never accepted. */
  | { readonly do: 'refuse'; readonly reason: string; readonly message: string }
  /** The caller gets the reason; another try would be refused as well. */
  | { readonly do: 'fail'; readonly reason: string };

/**
 * What to do for each code. Collected from WhatsApp's web client (which names 475, 479 and 487 to 500), tulir/whatsmeow, vinikjkkj/zapo and
 * oxidezap/whatsapp-rust. A code that none of them describes fails with its number.
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
    case '473':
      return { do: 'fail', reason: 'interactive_not_allowed' };
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

/** The reason that the caller gets when a message is still refused in the end. */
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

/** What is known about a message that was refused with 463. */
export interface ReachOutRefusal {
  /** Whether the network says that the number may not start chats now; null when it could not be asked. */
  readonly timelocked: boolean | null;
  /** Whether the message was addressed by phone number although the LID is known. */
  readonly numberInsteadOfLid: boolean;
}

/**
 * Why a message was refused with 463: the number may not start chats for a while, the message was addressed by phone number where the network wants
 * the LID, or it lacked the token by which a recipient vouches for the sender. Unless the network denies it, the first is assumed, because another
 * try would count as one more new chat.
 */
export function reachOutRefusal({
  timelocked,
  numberInsteadOfLid,
}: ReachOutRefusal): 'reach_out_blocked' | 'wrong_addressing' | 'missing_token' {
  if (timelocked !== false) return 'reach_out_blocked';
  return numberInsteadOfLid ? 'wrong_addressing' : 'missing_token';
}
