import type { NumberReason, Standing } from '../../../src/portal/wire/operator.ts';
import type { Instance } from '../api/contract.ts';
import { t } from '../language/language.ts';
import { shownNumber } from './phone-number.ts';
import { shownMoment } from './shown-moment.ts';

/** The name of a number in sentences: its label, else its digits. */
export function nameOf({ label, phone_number }: Pick<Instance, 'label' | 'phone_number'>): string {
  return label ?? shownNumber(phone_number) ?? t('Unnamed number');
}

/** What the standing of a number is told from. */
export interface Stood {
  readonly status: Instance['status'];
  readonly phone_number: string | null;
  readonly restriction?: { readonly reason: string } | null | undefined;
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
      return t('Sandbox');
    default:
      return network;
  }
}

const reasonTexts: Readonly<Record<NumberReason, string>> = {
  unlinked: t('Unlinked on the phone'),
  banned: t('Banned by the network'),
  refused: t('Link ended by the network'),
  disconnected: t('Disconnected on purpose'),
  replaced: t('Used by another program'),
  version_refused: t('Version refused'),
  lost: t('Connection lost'),
  temporarily_banned: t('Locked out for a time'),
  reach_out_blocked: t('No new chats allowed'),
  new_chats_capped: t('New chats used up'),
};

/** Why a number cannot send, or not as usual, in a few words. */
export const reasonText = (reason: NumberReason): string => reasonTexts[reason];

/** Every reason, to choose from. */
export const reasons: readonly { readonly value: string; readonly label: string }[] = Object.entries(reasonTexts).map(([value, label]) => ({
  value,
  label,
}));

/** The network's restriction of the number as a sentence; null when there is none. */
export function restrictionText({ restriction }: Pick<Instance, 'restriction'>): string | null {
  if (restriction === undefined) return null;
  const { reason, until } = restriction;
  const when = until === null ? null : shownMoment(until);
  switch (reason) {
    case 'reach_out_blocked':
      return when === null
        ? t('WhatsApp does not let this number start new chats for now. Replies to existing chats still work.')
        : t('WhatsApp does not let this number start new chats until {{when}}. Replies to existing chats still work.', { when });
    case 'new_chats_capped':
      return when === null
        ? t('This number has started as many new chats as WhatsApp allows for now. Existing chats still work.')
        : t('This number has started as many new chats as WhatsApp allows until {{when}}. Existing chats still work.', { when });
    case 'temporarily_banned':
      return when === null
        ? t('WhatsApp has locked this number out for now. It reconnects automatically after that.')
        : t('WhatsApp has locked this number out until {{when}}. It reconnects automatically after that.', { when });
    case 'version_refused':
      return t('WhatsApp requires a newer version of this gateway. Ask the person who runs it to update it.');
    case 'replaced':
      return t('Another program is using this number. Its link is kept: press Link to take it back without a new scan.');
    default:
      return when === null
        ? t('The network restricts this number for now.')
        : t('The network restricts this number until {{when}}.', { when });
  }
}

/** How many new chats the number may still start; null when the network has not told, or it may start none (which is told as a restriction). */
export function newChatsText({ new_chats }: Pick<Instance, 'new_chats'>): string | null {
  if (new_chats === null || new_chats.used >= new_chats.quota) return null;
  const { used, quota, cycle_ends_at } = new_chats;
  if (cycle_ends_at === null) return t('{{used}} of {{quota}} new chats used', { used, quota });
  return t('{{used}} of {{quota}} new chats used, counted until {{when}}', { used, quota, when: shownMoment(cycle_ends_at) });
}
