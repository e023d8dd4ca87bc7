import { iso } from '../core/index.ts';
import type { Restriction } from '../networks/index.ts';
import type { Standing } from '../sessions/index.ts';

const words: Readonly<Record<Standing, string>> = {
  connected: 'connected',
  linked: 'linked',
  reconnecting: 'reconnecting',
  pairing: 'waiting for a scan',
  never_linked: 'never linked',
  needs_person: 'needs a person',
};

export const standingText = (standing: Standing): string => words[standing];

const meanings: Readonly<Record<Restriction['reason'], string>> = {
  reach_out_blocked: 'the network does not let this number start new chats',
  new_chats_capped: 'this number has started as many new chats as the network allows; existing chats still work',
  temporarily_banned: 'the network has banned this number for a while; it reconnects automatically',
  version_refused: 'the network refuses this version of the gateway; install a newer one',
  replaced: 'another program is using this number; stop that program, then ask for the QR code to take the number back',
};

/** A restriction in plain words, without a full stop. */
export function restrictionText({ reason, until }: Restriction): string {
  return until === null ? meanings[reason] : `${meanings[reason]} (until ${iso(until)})`;
}
