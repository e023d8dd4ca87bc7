import type { Reachability } from '../index.ts';

/** How the network treats a number. Each behaviour except `ordinary` is chosen by the number's last four digits (decisions §10). */
export type NumberMeaning =
  | 'ordinary'
  | 'not_on_network'
  | 'cannot_say'
  | 'answers_elsewhere'
  | 'acknowledgement_lost'
  | 'acknowledgement_slow'
  | 'reads_at_once'
  | 'loses';

/** How long the acknowledgement of an `acknowledgement_slow` number takes, in milliseconds. */
export const slowAcknowledgementMs = 3000;

/** The behaviour of a number (digits), by its last four digits. */
export function meaningOf(phoneNumber: string): NumberMeaning {
  switch (phoneNumber.slice(-4)) {
    case '0000':
      return 'not_on_network';
    case '0001':
      return 'cannot_say';
    case '0002':
      return 'answers_elsewhere';
    case '0004':
      return 'acknowledgement_lost';
    case '0005':
      return 'acknowledgement_slow';
    case '0006':
      return 'reads_at_once';
    case '0007':
      return 'loses';
    default:
      return 'ordinary';
  }
}

/** The number under which an `answers_elsewhere` number is known: the same with the last digit 3. */
export function otherNumber(phoneNumber: string): string {
  return `${phoneNumber.slice(0, -1)}3`;
}

export function reachabilityOf(phoneNumber: string): Reachability {
  switch (meaningOf(phoneNumber)) {
    case 'not_on_network':
      return { reachable: false, networkNumber: null };
    case 'cannot_say':
      return { reachable: null, networkNumber: null };
    case 'answers_elsewhere':
      return { reachable: true, networkNumber: otherNumber(phoneNumber) };
    default:
      return { reachable: true, networkNumber: phoneNumber };
  }
}
