import type { Standing } from '../../../src/portal/wire/index.ts';
import type { Instance } from '../api/queries.ts';
import { shownNumber } from './phone-number.ts';

/** The name of a number in sentences: its label, else its digits. */
export function nameOf({ label, phone_number }: Pick<Instance, 'label' | 'phone_number'>): string {
  return label ?? shownNumber(phone_number) ?? 'Unnamed number';
}

/** What the standing of a number is told from. */
export interface Stood {
  readonly status: Instance['status'];
  readonly phone_number: string | null;
  readonly restriction?: { readonly reason: string } | null;
}

/** How a number is for the person who looks after it, as the server says it on the number's own page. */
export function standingOf({ status, phone_number, restriction }: Stood): Standing {
  if (status === 'open') return 'connected';
  if (phone_number === null) return status === 'connecting' ? 'pairing' : 'never_linked';
  const waits = restriction?.reason === 'replaced' || restriction?.reason === 'version_refused';
  return status === 'close' || waits ? 'needs_person' : 'reconnecting';
}

/** A network's own name. */
export function networkName(network: string): string {
  switch (network) {
    case 'whatsapp':
      return 'WhatsApp';
    case 'sandbox':
      return 'Sandbox';
    default:
      return network;
  }
}

/** The network's restriction of the number as a sentence; null when there is none. */
export function restrictionText({ restriction }: Pick<Instance, 'restriction'>): string | null {
  if (restriction === undefined) return null;
  const until = restriction.until === null ? 'for now' : `until ${shownTime(restriction.until)}`;
  switch (restriction.reason) {
    case 'reach_out_blocked':
      return `WhatsApp does not let this number start new chats ${until}. Replies to existing chats still work.`;
    case 'new_chats_capped':
      return `This number has started as many new chats as WhatsApp lets it ${until}. Existing chats still work.`;
    case 'temporarily_banned':
      return `WhatsApp has locked this number out ${until}. It connects again by itself after that.`;
    case 'version_refused':
      return 'WhatsApp asks for a newer version of this gateway. Ask the person who runs it to update it.';
    case 'replaced':
      return 'Another program uses this number. Its link is kept: press Link to take it back, without a new scan.';
    default:
      return `The network restricts this number ${until}.`;
  }
}

/** How many new chats the number may still start; null when the network has not told, or it may start none (which is told as a restriction). */
export function newChatsText({ new_chats }: Pick<Instance, 'new_chats'>): string | null {
  if (new_chats === null || new_chats.used >= new_chats.quota) return null;
  const cycle = new_chats.cycle_ends_at === null ? '' : `, counted until ${shownTime(new_chats.cycle_ends_at)}`;
  return `${new_chats.used} of ${new_chats.quota} new chats used${cycle}`;
}

function shownTime(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
