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

const byLastFour: Readonly<Record<string, NumberMeaning>> = {
  '0000': 'not_on_network',
  '0001': 'cannot_say',
  '0002': 'answers_elsewhere',
  '0004': 'acknowledgement_lost',
  '0005': 'acknowledgement_slow',
  '0006': 'reads_at_once',
  '0007': 'loses',
};

/** The behaviour of a number (digits), by its last four digits. */
export function meaningOf(phoneNumber: string): NumberMeaning {
  return byLastFour[phoneNumber.slice(-4)] ?? 'ordinary';
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
