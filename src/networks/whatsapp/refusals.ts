/** What to do when the network refuses a message with an error code in its acknowledgement. Nothing was delivered in that case. */
export type RefusalReaction =
  /** A temporary fault of the network: send the same message again, with the same id. */
  | { readonly do: 'retry' }
  /** Devices or Signal sessions have changed since they were looked up: look them up again and send once more. */
  | { readonly do: 'renew_devices' }
  /** The account and the recipient are in different namespaces (phone number and LID): send once more in the other namespace, if there is one. */
  | { readonly do: 'readdress' }
  /** There are three possible causes; `reachOutRefusal` finds out which. */
  | { readonly do: 'find_cause' }
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
const reactions: ReadonlyMap<string, RefusalReaction> = new Map<string, RefusalReaction>([
  ['400', { do: 'readdress' }],
  ['404', { do: 'refuse', reason: 'no_such_recipient', message: 'WhatsApp does not know this recipient.' }],
  ['405', { do: 'fail', reason: 'kind_not_allowed' }],
  ...['408', '429', '500', '503'].map((code) => [code, { do: 'retry' }] as const),
  ['421', { do: 'fail', reason: 'stale_group_addressing' }],
  ['463', { do: 'find_cause' }],
  ['473', { do: 'fail', reason: 'interactive_not_allowed' }],
  ['475', { do: 'hold_new_chats' }],
  ['479', { do: 'renew_devices' }],
  ...['487', '488', '489', '490', '491'].map((code) => [code, { do: 'fail', reason: 'malformed_message' }] as const),
]);

export function reactionToRefusal(code: string): RefusalReaction {
  return reactions.get(code) ?? { do: 'fail', reason: `code_${code}` };
}

/** The reason that the caller gets when a message is still refused in the end. */
export function reasonOf(code: string): string {
  const reaction = reactionToRefusal(code);
  if ('reason' in reaction) return reaction.reason;
  const reasons = {
    retry: 'network_trouble',
    renew_devices: 'stale_devices',
    readdress: 'wrong_addressing',
    find_cause: 'wrong_addressing',
    hold_new_chats: 'new_chats_capped',
  };
  return reasons[reaction.do];
}

/** What is known about a message that was refused with 463. */
export interface ReachOutRefusal {
  /** Whether the network reports that the number may not start chats now; null when it could not be asked. */
  readonly timelocked: boolean | null;
  /** Whether the message was addressed by phone number although the LID is known. */
  readonly numberInsteadOfLid: boolean;
}

/**
 * Why a message was refused with 463: the number may not start chats for a while, the message was addressed by phone number where the network wants
 * the LID, or it lacked the token that a recipient issues to the sender. Unless the network denies it, the first is assumed, because another
 * try would count as one more new chat.
 */
export function reachOutRefusal({
  timelocked,
  numberInsteadOfLid,
}: ReachOutRefusal): 'reach_out_blocked' | 'wrong_addressing' | 'missing_token' {
  if (timelocked !== false) return 'reach_out_blocked';
  return numberInsteadOfLid ? 'wrong_addressing' : 'missing_token';
}
