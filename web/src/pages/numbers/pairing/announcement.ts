import { t } from '../../../language/language.ts';
import { shownNumber } from '../../../parts/phone-number.ts';
import type { PairingState } from './use-pairing.ts';

/** The announcement for screen readers when what is shown changes by itself. */
export function announcement(state: PairingState): string {
  switch (state.kind) {
    case 'loading':
      return t('A code is on its way.');
    case 'code':
      return t('Code {{place}} of {{all}} is shown.', { place: state.status.rotation_count ?? 1, all: state.status.rotation_limit ?? 1 });
    case 'exhausted':
      return t('The codes have run out.');
    case 'linked':
      return state.phoneNumber === null ? t('The number is linked.') : t('Linked: {{number}}.', { number: shownNumber(state.phoneNumber) });
    case 'passkey':
      return t('WhatsApp is asking for a passkey.');
    case 'passkey-failed':
    case 'conflict':
    case 'reconnecting':
    case 'gone':
    case 'failed':
      return '';
  }
}
